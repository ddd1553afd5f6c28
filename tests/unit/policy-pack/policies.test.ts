import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { edgePolicies } from '../../../policy-pack/src';
import { checkout } from '../../support/workspace';
import { edgeInputs, filterInputs, rule, SECRET, setInputs, UNKNOWN } from '../review/inputs';
import { FINDING_EXAMPLES } from '../review/finding-examples';
import { allScenarios } from '../review/scenarios/table';
import { type Shown, shownAfter, type Violation, violations } from './run-policies';

const UNKNOWN_SWITCH = '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7';
const UNKNOWN_LIST = '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2';

type Properties = Readonly<Record<string, unknown>>;
const urnOf = (type: string, name: string): string => `urn:pulumi:dev::acme::${type}::${name}`;
const shown = (type: string, name: string, props: Properties, provider?: string): Shown => ({
  urn: urnOf(type, name),
  type,
  props,
  ...(provider !== undefined && { provider }),
});
const ruleOf = (name: string, props: Properties, provider?: string): Shown =>
  shown('pulumi-nodejs:dynamic/edge-policy:IpPolicyRule', name, props, provider);
const setOf = (name: string, ...lines: readonly string[]): Shown =>
  shown('edge-policy:index:IpPolicyRuleSet', name, setInputs(lines));
const filterOf = (name: string, props: Properties): Shown =>
  shown('edge-policy:index:HttpsEdgeRouteUserAgentFilterModule', name, { ...filterInputs([]), ...props });
const edgeOf = (name: string, props: Properties): Shown =>
  shown('edge-policy:index:TcpEdgeTrafficPolicyModule', name, { ...edgeInputs(), ...props });

const namesOf = (found: readonly Violation[]): string[] => found.map(({ policy }) => policy);
const run = (...stack: readonly Shown[]): Promise<Violation[]> => violations(edgePolicies(), stack);
const about = async (policy: string, ...stack: readonly Shown[]): Promise<Violation[]> =>
  (await run(...stack)).filter((found) => found.policy === policy);

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-06-15T12:00:00Z') });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a policy is a finding', () => {
  test('its id, title, severity and advice, as docs/findings.md has them', () => {
    const docs = path.join(checkout, 'docs');
    const pages = readdirSync(docs).filter((name) => name.startsWith('findings'));
    const page = pages.map((name) => readFileSync(path.join(docs, name), 'utf8')).join('\n');
    const policies = edgePolicies();
    expect(policies.length).toBeGreaterThan(15);
    for (const { name, description, severity, remediationSteps } of policies) {
      expect(page).toContain(`## ${name}\n\n**${description}** Severity ${severity ?? 'none'}`);
      expect(page.replaceAll('\\', '')).toContain(`What to do: ${remediationSteps ?? 'none'}\n`);
    }
  });

  test('by default all of them advise; a level is that of high and critical findings, but not of what is only unknown', () => {
    const levelsOf = (...options: Parameters<typeof edgePolicies>) =>
      new Map(edgePolicies(...options).map(({ name, enforcementLevel }) => [name, enforcementLevel]));
    expect(new Set(levelsOf().values())).toEqual(new Set(['advisory']));
    const levels = levelsOf({ enforcementLevel: 'mandatory' });
    for (const name of [
      'open-to-all',
      'open-to-most',
      'nobody-let-in',
      'assertion-failed',
      'preview-incomplete',
    ])
      expect(levels.get(name)).toBe('mandatory');
    for (const name of ['module-off', 'rule-covered', 'value-hidden', 'assertion-not-checked'])
      expect(levels.get(name)).toBe('advisory');
  });
});

test('rules and sets of one policy count together, whichever host serves them', async () => {
  const half = ruleOf('half', rule('0.0.0.0/1'));
  expect(namesOf(await run(half))).toEqual(['open-to-most']);
  const found = await run(half, setOf('rest', '128.0.0.0/1: allow'));
  expect(namesOf(found)).toEqual(['open-to-all']);
  expect(found[0]).toMatchObject({
    urn: half.urn,
    message: expect.stringMatching(/^Severity critical, at cidr\. /) as string,
  });
  expect(namesOf(await run(half, setOf('rest', '128.0.0.0/1: allow', '0.0.0.0/0: deny')))).toContain(
    'nobody-let-in',
  );
});

test('resources of other packages are none of its business', async () => {
  expect(await run(shown('aws:s3/bucket:Bucket', 'bucket', { cidr: '0.0.0.0/0' }))).toEqual([]);
});

const account = (name: string, apiKey: string): Shown =>
  shown('pulumi:providers:pulumi-nodejs', name, { 'edge-policy:apiKey': apiKey });
const [one, two, same] = [account('one', 'key-1'), account('two', 'key-2'), account('same', 'key-1')];
const inAccount = (of: Shown, cidr: string, policyId: string): Shown =>
  ruleOf(`${of.urn.split('::').at(-1) ?? ''} ${cidr}`, rule(cidr, 'allow', policyId), of.urn);
const UNNAMED = /several services or accounts .*\(not shown\)[^]*give all of its resources the same provider/;

test.each<[fact: string, of: Shown, policyId: string, cidr: string, found: string[], said: RegExp]>([
  ['each policy is judged by itself', two, 'ipp_2', '0.0.0.0/1', ['open-to-most', 'open-to-most'], /^/],
  ['two providers of one account are one service', same, 'ipp_1', '128.0.0.0/1', ['open-to-all'], /^/],
  ['one policy in two accounts is undecided', two, 'ipp_1', '128.0.0.0/1', ['preview-incomplete'], UNNAMED],
])('several accounts: %s', async (_fact, of, policyId, cidr, names, said) => {
  const rules = [inAccount(one, '0.0.0.0/1', 'ipp_1'), inAccount(of, cidr, policyId)];
  const found = await run(one, of, ...rules);
  expect(namesOf(found)).toEqual(names);
  expect(found[0]?.message).toMatch(said);
});

test('a type of ours that this version does not know is not decidable', async () => {
  const found = await run(shown('edge-policy:index:GeoRule', 'new', {}));
  expect(namesOf(found)).toEqual(['preview-incomplete']);
});

describe('what is not known yet', () => {
  test('is named, and the rest is judged', async () => {
    const found = await run(
      ruleOf('site', rule('0.0.0.0/0')),
      ruleOf('branch', { ...rule(UNKNOWN), ipPolicyId: 'ipp_2' }),
    );
    expect(namesOf(found).sort()).toEqual(['open-to-all', 'value-hidden']);
    expect(found.find(({ policy }) => policy === 'value-hidden')).toMatchObject({
      urn: urnOf('pulumi-nodejs:dynamic/edge-policy:IpPolicyRule', 'branch'),
      message: expect.stringMatching(/ The "cidr" of "branch" (?!is secret)/) as string,
    });
  });

  test.each<[property: string, Shown]>([
    ['ipPolicyId', ruleOf('a', rule('8.8.8.0/24', 'allow', UNKNOWN))],
    ['action', ruleOf('a', rule('8.8.8.0/24', UNKNOWN))],
    ['rules', setOf('a', '(unknown 1): allow')],
    ['edgeId', edgeOf('a', { edgeId: UNKNOWN })],
    ['value', edgeOf('a', { value: UNKNOWN })],
    [
      'enabled',
      edgeOf('a', { value: '{"inbound":[{"actions":[{"type":"deny"}]}]}', enabled: UNKNOWN_SWITCH }),
    ],
    ['routeId', filterOf('a', { routeId: UNKNOWN })],
    ['deny[1]', filterOf('a', { deny: ['curl', UNKNOWN] })],
    ['deny', filterOf('a', { deny: UNKNOWN_LIST })],
  ])('%s', async (property, resource) => {
    const [found, ...others] = await about('value-hidden', resource);
    expect(others).toEqual([]);
    expect(found?.message).toContain(`Severity high, at ${property}. The "${property}" of "a" `);
  });
});

test('what the CLI could not decrypt for an analysis is a secret', async () => {
  const [found] = await about('value-hidden', ruleOf('a', rule(SECRET)));
  expect(found?.message).toContain('The "cidr" of "a" is secret');
});

const leaves = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  if (typeof value !== 'string') return [];
  return value.startsWith('@') || value.startsWith('{') ? value.split(/[\s"]+/) : [value];
};
const OWN_WORDS = /^(?:allow|deny|rules|value|inbound|outbound|name|actions|expressions|type|config|.{0,2})$/;
const changes = [
  ...allScenarios.map(({ name, resources }) => [name, resources] as const),
  ...Object.entries(FINDING_EXAMPLES).map(([name, { resources }]) => [name, resources] as const),
];

test('no message holds a value of the stack, in any scenario, and in any example of a finding', async () => {
  let count = 0;
  for (const [, resources] of changes) {
    const names = new Map(resources.map(({ name }, index) => [name, `resource-${index}`]));
    const stack = shownAfter(resources.map((each) => ({ ...each, name: names.get(each.name) ?? '' })));
    const values = stack.flatMap(({ props }) => leaves(props)).filter((text) => !OWN_WORDS.test(text));
    for (const { message, policy } of await run(...stack)) {
      const advice = edgePolicies().find(({ name }) => name === policy)?.remediationSteps ?? '';
      expect(values.filter((value) => message.replace(advice, '').includes(value))).toEqual([]);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(100);
});

const REASONS = { description: true, metadata: ['owner'] };
const REASONED = { description: 'Office', metadata: '{"owner":"network"}' };

describe('assertions', () => {
  const office = ruleOf('office', rule('8.8.8.0/24'));
  const policies = (demands: object) => [{ ipPolicyId: 'ipp_1', ...demands }];
  const assert = (assertions: Properties, ...stack: readonly Shown[]) =>
    violations(edgePolicies({ assertions }), stack);

  const route = { edgeId: 'edghts_1', routeId: 'edghtsrt_1' };
  test.each<[words: string, assertions: Properties, resource: Shown]>([
    ['"8.8.8.8" must be kept out', { policies: policies({ mustDeny: ['8.8.8.8'] }) }, office],
    [
      '"8.8.8.8" must be kept out',
      { tcpEdges: [{ edgeId: 'edgtcp_1', mustDeny: ['8.8.8.8'] }] },
      edgeOf('edge', {}),
    ],
    [
      'the client "curl/8" must be let in',
      { userAgentFilters: [{ ...route, mustAllow: ['curl/8'] }] },
      filterOf('agents', { deny: ['curl'] }),
    ],
  ])('one that fails is a violation at the resource: %s', async (words, assertions, resource) => {
    const found = await assert(assertions, resource);
    expect(found.map(({ policy, urn }) => [policy, urn])).toEqual([['assertion-failed', resource.urn]]);
    expect(found[0]?.message).toContain(words);
    expect(found[0]?.message).toMatch(/^Severity critical/);
  });

  test('one that holds, and one about a policy of another stack, are no violations', async () => {
    expect(await assert({ policies: policies({ mustAllow: ['8.8.8.8'] }) }, office)).toEqual([]);
    expect(await assert({ policies: policies({ mustAllow: ['8.8.8.8'] }) }, edgeOf('edge', {}))).toEqual([]);
  });

  test('the settings are those of an assertion file, in one piece', () => {
    const schema = JSON.parse(
      readFileSync(path.join(checkout, 'review/schemas/assertions-1.json'), 'utf8'),
    ) as { properties: object };
    for (const { configSchema } of edgePolicies()) {
      expect(Object.keys(configSchema?.properties ?? {})).toEqual(Object.keys(schema.properties));
      expect(JSON.stringify(configSchema)).not.toContain('$ref');
      expect(configSchema?.properties['policies']).toMatchObject({
        items: { properties: { mustAllow: { items: { anyOf: [{ type: 'string' }, {}] } } } },
      });
    }
  });

  test('a misspelt one is refused with its place', async () => {
    await expect(
      assert({ policies: [{ ipPolicyId: 'ipp_1', mustDenny: ['8.8.8.8'] }] }, office),
    ).rejects.toThrow(/policies\[0\].*mustDenny/);
  });

  const both = setOf('site', '8.8.8.0/24: allow until 2026-07-15', '9.9.9.0/24: deny');
  test.each<[fact: string, gate: Properties, resource: Shown, found: string[]]>([
    ['rules must end in time: old ones', { requires: { until: { maxDays: 20 } } }, both, ['end-required']],
    ['rules must say why they are there', { requires: REASONS }, office, ['reason-required']],
    ['one that does', { requires: REASONS }, ruleOf('office', { ...rule('8.8.8.0/24'), ...REASONED }), []],
  ])('the gate counts: %s', async (_fact, gate, resource, found) => {
    const violated = await assert({ gate }, resource);
    expect(violated.map(({ policy, urn }) => [policy, urn])).toEqual(found.map((id) => [id, resource.urn]));
  });

  test('an assertion that names a published list is not checked: a pack has no lock', async () => {
    const found = await assert({ policies: policies({ mustAllow: [{ feed: 'cdn' }] }) }, office);
    expect(namesOf(found)).toEqual(['assertion-not-checked']);
  });

  test('the models are those of the gate', async () => {
    const found = await assert({ gate: { ipModel: 'block-list' } }, ruleOf('a', rule('9.9.9.0/24', 'deny')));
    expect(namesOf(found)).toContain('open-to-all');
  });
});

describe('waivers', () => {
  const site = ruleOf('site', rule('0.0.0.0/0'));
  const waiver = (finding: string, expires: string, subject = 'policy:ipp_1') => ({
    waivers: [
      {
        ...{ finding, subject, reason: 'the public site', expires },
        ...(finding === 'open-to-all' && { networks: ['0.0.0.0/0'] }),
      },
    ],
  });

  test('what they cover is no violation until they end', async () => {
    const run = async (expires: string) =>
      namesOf(await violations(edgePolicies({ assertions: waiver('open-to-all', expires) }), [site]));
    expect(await run('2026-06-15')).toEqual([]);
    expect(await run('2026-06-14')).toEqual(['open-to-all']);
  });

  test('they cover what one resource decides, and come in the settings, too', async () => {
    const inSettings = { 'module-off': waiver('module-off', '2026-12-31', 'edge:edgtcp_1') };
    const leftOver = edgeOf('left-over', { enabled: false });
    expect(namesOf(await violations(edgePolicies(), [leftOver]))).toEqual(['module-off']);
    expect(await violations(edgePolicies(), [leftOver], inSettings)).toEqual([]);
  });
});
