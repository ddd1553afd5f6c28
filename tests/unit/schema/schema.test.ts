import Ajv2020 from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { functions } from '../../../provider/src/hosts/native/invoke';
import { nativeToken, RESOURCE_TYPES, typeToken } from '../../../provider/src/resources/provider-reference';
import { packageSchema } from '../../../tools/schema/schema';
import { checkout } from '../../support/workspace';

const read = (...place: string[]): unknown => JSON.parse(readFileSync(path.join(checkout, ...place), 'utf8'));

interface Described {
  readonly description?: string;
}
interface Schema {
  readonly resources: Record<
    string,
    {
      readonly properties: Record<string, Described>;
      readonly inputProperties: Record<string, Described>;
      readonly aliases: { readonly type: string }[];
    } & Described
  >;
  readonly functions: Record<string, Described>;
}

const schema = read('provider', 'schemas', 'pulumi-schema.json') as Schema;

test('the schema is what the field tables and the docstrings say: run "npm run schema"', () => {
  expect(schema).toEqual(JSON.parse(JSON.stringify(packageSchema())));
});

test("the schema is one by Pulumi's own description of schemas", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const isSchema = ajv.compile(
    read('tests', 'unit', 'schema', 'fixtures', 'pulumi-metaschema.json') as object,
  );
  isSchema(schema);
  expect(isSchema.errors ?? []).toEqual([]);
});

test('the schema says what replaces a resource, and how a resource that is there is looked up', () => {
  const rule = (schema.resources[nativeToken('IpPolicyRule')] ?? {}) as {
    readonly properties: Record<string, { readonly replaceOnChanges?: boolean }>;
    readonly stateInputs?: { readonly properties: object };
  };
  const replacing = Object.keys(rule.properties).filter(
    (name) => rule.properties[name]?.replaceOnChanges === true,
  );
  expect(replacing).toEqual(['action', 'ipPolicyId']);
  expect(Object.keys(rule.stateInputs?.properties ?? {})).toEqual(Object.keys(rule.properties));
});

test.each(RESOURCE_TYPES)(
  '%s: every property is described, and a stack of the dynamic host is taken over',
  (type) => {
    const resource = schema.resources[nativeToken(type)];
    const properties = { ...resource?.properties, ...resource?.inputProperties };
    expect(Object.keys(properties).filter((name) => !properties[name]?.description)).toEqual([]);
    expect(resource?.aliases).toEqual([{ type: typeToken(type) }]);
  },
);

test('every resource and every function shows an example in every language', () => {
  const shown = Object.entries({ ...schema.resources, ...schema.functions }).map(
    ([token, { description }]) => [
      token,
      [...(description ?? '').matchAll(/^```(\w+)$/gm)].map(([, language]) => language),
    ],
  );
  expect(shown).toHaveLength(RESOURCE_TYPES.length + Object.keys(functions).length);
  for (const [token, languages] of shown)
    expect([token, languages]).toEqual([token, ['typescript', 'python', 'go', 'yaml']]);
});
