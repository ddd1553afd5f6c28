import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { checkout } from '../../support/workspace';
import { type Use, usesIn } from './names-in-code';

interface Spec {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Spec;
  readonly additionalProperties?: Spec;
  readonly properties?: Readonly<Record<string, Spec>>;
}
interface Schema {
  readonly resources: Record<string, { readonly inputProperties: Record<string, Spec> }>;
  readonly types: Record<string, Spec>;
  readonly functions: Record<string, { readonly inputs: Spec }>;
}

const read = (...place: string[]): string => readFileSync(path.join(checkout, ...place), 'utf8');
const schema = JSON.parse(read('provider', 'schemas', 'pulumi-schema.json')) as Schema;
const token = (name: string): string => `edge-policy:index:${name}`;

const membersOf = (name: string): string[] | undefined => {
  const members =
    schema.resources[token(name)]?.inputProperties ??
    schema.functions[token(name)]?.inputs.properties ??
    schema.types[token(name)]?.properties;
  return members && Object.keys(members);
};

/** What a program uses that the schema does not have. */
const unknownIn = (uses: readonly Use[]): string[] =>
  uses.flatMap(({ name, members }) => {
    const known = membersOf(name);
    if (known === undefined) return [name];
    return members.filter((member) => !known.includes(member)).map((member) => `${name}.${member}`);
  });

/** What a value of a YAML program has that its description in the schema has not. */
function unknownInValue(place: string, value: unknown, spec: Spec): string[] {
  const own = spec.$ref === undefined ? spec : (schema.types[spec.$ref.replace('#/types/', '')] ?? {});
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownInValue(`${place}[${index}]`, item, own.items ?? {}));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const next = own.properties?.[key] ?? own.additionalProperties;
    if (next !== undefined) return unknownInValue(`${place}.${key}`, inner, next);
    return own.properties === undefined ? [] : [`${place}.${key}`];
  });
}

function unknownInYaml(source: string): string[] {
  const { resources = {}, variables = {} } = parse(source) as YamlProgram;
  const declared = Object.values(resources).map(({ type, properties }) => ({
    name: type,
    given: properties,
    known: schema.resources[fullToken(type)]?.inputProperties,
  }));
  const called = Object.values(variables).map(({ 'fn::invoke': { function: name, arguments: given } }) => ({
    name,
    given,
    known: schema.functions[fullToken(name)]?.inputs.properties,
  }));
  return [...declared, ...called].flatMap(({ name, given, known }) =>
    known === undefined ? [name] : unknownInValue(name, given, { properties: known }),
  );
}

interface YamlProgram {
  readonly resources?: Record<string, { type: string; properties: Record<string, unknown> }>;
  readonly variables?: Record<
    string,
    { 'fn::invoke': { function: string; arguments: Record<string, unknown> } }
  >;
}

const fullToken = (name: string): string => name.replace(/^edge-policy:(?!index:)/, token(''));

const unknownOf = (language: string, source: string): string[] => {
  if (language === 'yaml') return unknownInYaml(source);
  const uses = usesIn[language as keyof typeof usesIn](source);
  return uses.length === 0 ? ['nothing of the package'] : unknownIn(uses);
};

const languages = ['typescript', 'python', 'go', 'yaml'];
const docs = readdirSync(path.join(checkout, 'tools', 'schema', 'examples'));

test.each(docs)('%s: every language has an example, and uses what the schema has', (file) => {
  const text = read('tools', 'schema', 'examples', file);
  const found = [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', source = '']) => ({
    language,
    source,
  }));
  expect(found.map(({ language }) => language)).toEqual(languages);
  for (const { language, source } of found)
    expect([language, unknownOf(language, source)]).toEqual([language, []]);
});

test.each([
  ['yaml', 'Pulumi.yaml'],
  ['python', '__main__.py'],
  ['go', 'main.go'],
])('the office list in %s uses what the schema has', (language, file) => {
  expect(unknownOf(language, read('examples', `office-allow-list-${language}`, file))).toEqual([]);
});

test.each([
  [
    'yaml',
    'resources: { a: { type: edge-policy:IpPolicyRule, properties: { cider: x } } }',
    'edge-policy:IpPolicyRule.cider',
  ],
  [
    'yaml',
    'resources: { a: { type: edge-policy:IpPolicyRules, properties: {} } }',
    'edge-policy:IpPolicyRules',
  ],
  [
    'yaml',
    'resources: { a: { type: edge-policy:IpPolicyRuleSet, properties: { rules: [{ actoin: permit }] } } }',
    'edge-policy:IpPolicyRuleSet.rules[0].actoin',
  ],
  [
    'python',
    'edge_policy.IpPolicyRule("a", ipPolicy_ids="x", action="allow")',
    'IpPolicyRule.ipPolicyIds',
  ],
  ['python', 'edge_policy.IpPolicyRuleSetListedRuleArgs(actoin="allow")', 'IpPolicyRuleSetListedRule.actoin'],
  [
    'go',
    'edgepolicy.NewIpPolicyRule(ctx, "a", &edgepolicy.IpPolicyRuleArgs{ Cider: pulumi.String("x") })',
    'IpPolicyRule.cider',
  ],
  ['typescript', 'new IpPolicyRule("a", { cider: "x" })', 'IpPolicyRule.cider'],
  ['typescript', 'getIpPolicyRule({ ids: "x" })', 'getIpPolicyRule.ids'],
  ['python', 'edge_policy.list_ip_policy_rules(ip_policy="x")', 'listIpPolicyRules.ipPolicy'],
  [
    'go',
    'edgepolicy.LookupIpPolicyRule(ctx, &edgepolicy.LookupIpPolicyRuleArgs{ Ident: "x" })',
    'getIpPolicyRule.ident',
  ],
  [
    'yaml',
    'variables: { a: { fn::invoke: { function: edge-policy:getIpPolicyRule, arguments: { ids: x } } } }',
    'edge-policy:getIpPolicyRule.ids',
  ],
])('the check finds what the schema has not: %s', (language, source, problem) => {
  expect(unknownOf(language, source)).toEqual([problem]);
});
