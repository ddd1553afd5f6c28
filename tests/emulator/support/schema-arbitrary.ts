import fc from 'fast-check';

import type { Contract } from './contract';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Texts that mean something to the service, right and wrong. */
const meaningful = fc.constantFrom(
  ...['10.0.0.0/8', '192.0.2.0/24', '10.0.0.1/8', '192.0.2.1', '2001:DB8::/32', '::/0', '::1/200', 'ipr_own'],
  ...['{}', '{"inbound":[]}', '[]', 'bot', '(', '(?i)x', '', '\u0000', '\ud800', '😀'],
);

/** Values the schema allows, most of them. */
function valueFor(contract: Contract, given: object): fc.Arbitrary<unknown> {
  const schema = contract.resolve(given) as Schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object') return objectFor(contract, schema);
  if (type === 'array') return fc.array(valueFor(contract, schema.items ?? {}), { maxLength: 3 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer();
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern), { maxLength: 40 });
  const long = fc.constantFrom('x', 'é').map((letter) => letter.repeat(schema.maxLength ?? 10));
  return fc.oneof({ weight: 4, arbitrary: meaningful }, fc.string(), long);
}

function objectFor(contract: Contract, schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    valueFor(contract, property),
  ]);
  const model = Object.fromEntries(properties) as Record<string, fc.Arbitrary<unknown>>;
  return fc.record(model, { requiredKeys: [...(schema.required ?? [])] });
}

/** Request bodies as text: allowed ones, ones with a field spoiled, removed or added, other JSON, and no JSON at all. */
export function bodyFor(contract: Contract, schemaReference: string): fc.Arbitrary<string> {
  const schema = contract.resolve({ $ref: schemaReference }) as Schema;
  const allowed = valueFor(contract, schema) as fc.Arbitrary<Record<string, unknown>>;
  const name = fc.constantFrom(
    ...Object.keys(schema.properties ?? {}),
    'surprise',
    '__proto__',
    'constructor',
  );
  const spoiled = fc.tuple(allowed, name, fc.oneof(fc.jsonValue(), fc.constant(undefined))).map(spoil);
  return fc.oneof(
    { weight: 5, arbitrary: allowed.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: spoiled },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
}

function spoil([value, name, replacement]: [Record<string, unknown>, string, unknown]): string {
  const copy = { ...value };
  Object.defineProperty(copy, name, {
    value: replacement,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return JSON.stringify(copy);
}
