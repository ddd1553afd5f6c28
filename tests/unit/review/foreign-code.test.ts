import { addressDigest, shortHash } from '../../../provider/src/values/account-mark';
import { readPlan, readPreviewDocument, renderPlan, type Report } from '../../../review/src';
import type { StackState } from '../../../review/src/preview/stack-state';
import { added, kept, previewOf, previewText, removed, stateOf, stepsOf } from './preview-builder';
import type { MadeResource } from './preview-builder';
import { rule, SECRET, UNKNOWN } from './inputs';
import { newIds, reviewed, type Wishes } from './reviewing';

const HANDLER = 'exports.handler=()=>require("pulumi-edge-policy/handler").handler';
const FOREIGN = 'exports.handler=()=>({})';
const office = rule('8.8.8.0/24');
const BASE = 'urn:pulumi:dev::acme';

/** With the settings of the stack. */
const reviewOf = (resources: readonly MadeResource[], config?: object, wishes: Wishes = {}) => {
  const preview = JSON.parse(previewText(resources)) as object;
  return reviewed(readPreviewDocument(JSON.stringify({ ...preview, config })), wishes);
};
const review = (...resources: MadeResource[]) => reviewOf(resources);
const outcomeOf = ({ verdict }: Report): unknown[] => [verdict.outcome, verdict.affectsAccess];
const UNDECIDED = ['not-decidable', true];

test.each([
  ['another text', 'exports.handler=()=>require("./evil").handler("IpPolicyRule")'],
  ['a text before ours', `fetch("https://evil.example");${HANDLER}("IpPolicyRule")`],
  ['a line end behind ours', `${HANDLER}("IpPolicyRule")\n`],
  ['that of another type', `${HANDLER}("IpPolicyRuleSet")`],
  ['a secret', SECRET],
  ['none', undefined],
  ['no text', { text: `${HANDLER}("IpPolicyRule")` }],
])('code that is not ours makes a preview undecidable, and it is never as reviewed: %s', (_, code) => {
  const inputs = { ...office, __provider: code };
  const replaced = { ...kept('office', office), before: inputs };
  const expected = review(kept('office', office)).plan.plan;
  const made = [kept('office', inputs), added('office', inputs), removed('office', inputs), replaced];
  for (const resource of made)
    for (const wishes of [{ failOn: 'never' } as const, { expected }])
      expect(outcomeOf(reviewOf([resource], undefined, wishes))).toEqual(UNDECIDED);
});

test.each([
  'edge-policy:index:IpPolicyFirewall',
  'pulumi-nodejs:dynamic/edge-policy:Other',
  'edge-policy:x:Y',
  'edge-policy:index:ippolicyrule',
] as const)('the type %s of ours, which is not known, is not decidable', (type) => {
  expect(outcomeOf(review({ type, name: 'it', after: {} }))).toEqual(UNDECIDED);
});

test('our code under a type of somebody else’s is not decidable: it makes rules that no review looks at', () => {
  const thing = (code: string) =>
    stepsOf('pulumi-nodejs:dynamic/acme:Thing')('it', { after: { ...office, __provider: code } });
  expect(outcomeOf(review(thing(`${HANDLER}("IpPolicyRule")`)))).toEqual(UNDECIDED);
  expect(outcomeOf(review(thing(FOREIGN)))).toEqual(['clear', false]);
});

describe('another service', () => {
  const urnOf = (name: string, of = 'pulumi-nodejs') => `${BASE}::pulumi:providers:${of}::${name}`;
  const DEFAULT = urnOf('default');
  /** A provider of the program. */
  const provider = (before: object | undefined, after: object, more: { op?: string; of?: string } = {}) => {
    const { of = 'pulumi-nodejs', ...step } = more;
    return stepsOf(`pulumi:providers:${of}`)('account', { before, after, ...step });
  };
  const ofPlugin = { of: 'edge-policy' };
  /** A rule that stays as it is, with the providers of both sides. */
  const through = (before: string, after = before, name = 'office', inputs = office): MadeResource => ({
    ...kept(name, inputs),
    state: { provider: `${before}::id-1` },
    newState: { provider: `${after}::id-1` },
  });
  const same = through(DEFAULT);
  /** A new rule, with the reference to its provider. */
  const made = (reference: string): MadeResource => ({
    ...added('new', rule('9.9.9.0/24', 'allow', 'ipp_2')),
    newState: { provider: reference },
  });

  test.each<[string, MadeResource]>([
    ['a base URL', provider({ 'edge-policy:baseUrl': 'a' }, { 'edge-policy:baseUrl': 'b' })],
    ['that of the plugin', provider({ baseUrl: 'a' }, { baseUrl: 'b' }, ofPlugin)],
    ['a secret base URL', provider({ baseUrl: SECRET }, { baseUrl: SECRET }, { ...ofPlugin, op: 'update' })],
    ['a proxy that goes', provider({ 'edge-policy:proxy': 'http://ours.example' }, {})],
    ['replaced one', provider({ baseUrl: 'a' }, { baseUrl: 'b' }, { ...ofPlugin, op: 'create-replacement' })],
    ['a proxy that comes', provider({}, { 'edge-policy:proxy': 'http://evil.example' })],
    [
      'a key that may be another account’s',
      provider({ 'edge-policy:apiKey': SECRET }, { 'edge-policy:apiKey': SECRET }, { op: 'update' }),
    ],
    ['a plugin from elsewhere', provider({}, { pluginDownloadURL: 'b' }, ofPlugin)],
    ['a resource that moves to it', through(DEFAULT, urnOf('account'))],
    ['a resource that moves to a provider that no preview shows', through(DEFAULT, urnOf('default_1_2_3'))],
    [
      'the engine’s provider of a newer version, which looks the same',
      through(urnOf('default_1_0_0', 'edge-policy'), urnOf('default_1_2_0', 'edge-policy')),
    ],
  ])('is a high finding, and never without effect: %s', (_, step) => {
    const report = review(step);
    expect(newIds(report)).toEqual(['service-changed']);
    expect(report.findings[0]?.severity).toBe('high');
    expect(outcomeOf(report)).toEqual(['findings', true]);
  });

  test.each<[string, MadeResource]>([
    ['no setting of it', provider({ maxAttempts: '3' }, { maxAttempts: '4' })],
    ['another spelling of its address', provider({ baseUrl: 'https://a.b' }, { baseUrl: 'HTTPS://A.b/' })],
    ['a key that stays', provider({ apiKey: SECRET }, { apiKey: SECRET }, ofPlugin)],
    ['the provider that the resource had', same],
  ])('is not: %s', (_, step) => {
    expect(newIds(review(step))).toEqual([]);
  });

  describe('by the addresses that the provider has noted beside the inputs', () => {
    const [ours, evil] = ['https://a.example', 'https://evil.example'];
    const at = (service: string | undefined) => (service === undefined ? {} : { __service: service });
    const mark = { account: `${shortHash(ours)}.00000000` };
    /** A rule that stays as it is, under a provider that has the engine's name and id. */
    const noted = (before: object, after: object, of = DEFAULT): MadeResource => {
      const { state, ...resource } = through(of);
      return {
        ...{ ...resource, op: 'same', before: { ...office, ...before }, after: { ...office, ...after } },
        state: { ...state, outputs: mark },
      };
    };
    const madeAt = (service: string): MadeResource => ({
      ...made(`${DEFAULT}::id-1`),
      after: { ...rule('9.9.9.0/24', 'allow', 'ipp_2'), ...at(service) },
    });

    test.each<[string, MadeResource[]]>([
      ['another address', [noted(at(ours), at(evil))]],
      ['another address than that of the mark, in a state that notes none', [noted({}, at(evil))]],
      ['the digest of another address', [noted(at(ours), at(addressDigest(evil)))]],
      ['another digest', [noted(at(addressDigest(ours)), at(addressDigest(evil)))]],
      ['another digest than that of the mark', [noted({}, at(addressDigest(evil)))]],
      ['no check, as the settings are known only after the update', [noted(at(ours), {})]],
      ['a new resource, elsewhere', [noted(at(ours), at(ours)), madeAt(evil)]],
    ])('it is another service, high and never without effect: %s', (_, resources) => {
      const report = reviewOf(resources);
      expect(report.findings[0]).toMatchObject({ id: 'service-changed', severity: 'high' });
      expect(outcomeOf(report)).toEqual(['findings', true]);
    });

    test.each<[string, MadeResource[]]>([
      ['the same address', [noted(at(ours), at(ours))]],
      ['the address of the mark', [noted({}, at(ours))]],
      ['an address that has become secret', [noted(at(ours), at(addressDigest(ours)))]],
      ['an address that is no longer secret', [noted(at(addressDigest(ours)), at(ours))]],
      ['the secret address of the mark', [noted({}, at(addressDigest(ours)))]],
      ['a preview without an address, which the run that applies has', [noted(at(ours), at(''))]],
      ['a new resource', [noted(at(ours), at(ours)), madeAt(ours)]],
      ['an explicit provider that waits for its key', [noted(at(ours), {}, urnOf('account'))]],
      ['a refresh', [{ ...noted(at(ours), {}), op: 'refresh' }]],
    ])('it is the same service: %s', (_, resources) => {
      expect(newIds(reviewOf(resources))).not.toContain('service-changed');
    });

    test('in the first preview of a stack, only its settings show that the address is not the stack’s', () => {
      const first = { ...madeAt(evil), newState: { provider: `${urnOf('account')}::id-1` } };
      const told = (config?: object) => reviewOf([first], config).findings.map(({ severity }) => severity);
      expect(newIds(reviewOf([first], { 'edge-policy:baseUrl': ours }))).toContain('service-changed');
      expect(told({ 'edge-policy:baseUrl': ours })).toHaveLength(told().length + 1);
      expect(told({ 'edge-policy:baseUrl': evil })).toEqual(told());
    });
  });

  describe('a new provider with an address of its own, to which the key of the environment would go', () => {
    test.each([
      { 'edge-policy:baseUrl': 'https://evil.example' },
      { baseUrl: UNKNOWN },
      { proxy: SECRET },
      { pluginDownloadURL: 'https://evil.example' },
    ])('is high, and never without effect: %j', (inputs) => {
      const report = review(same, provider(undefined, inputs));
      expect(report.findings).toMatchObject([{ id: 'service-changed', severity: 'high' }]);
      expect(outcomeOf(report)).toEqual(['findings', true]);
    });

    test('is not, if the stack has that address, or if only the account is another one', () => {
      const baseUrl = 'https://a.example';
      const settings = { 'edge-policy:baseUrl': `${baseUrl}/` };
      const newOne = { ...provider(undefined, { baseUrl, apiKey: SECRET }), name: 'new' };
      expect(newIds(reviewOf([same, newOne], settings))).toEqual([]);
      expect(newIds(review(same, provider({ baseUrl }, { baseUrl }), newOne))).toEqual([]);
      expect(newIds(review(same, provider(undefined, { apiKey: SECRET })))).toEqual([]);
    });

    test('is medium in the first preview of a stack, as there is none without a provider', () => {
      const { findings } = review(provider(undefined, { baseUrl: 'https://a.example' }));
      expect(findings).toMatchObject([{ severity: 'medium' }]);
    });
  });

  describe('a provider whose step no preview shows is the stack’s own only if that is proved', () => {
    const findings = (resources: readonly MadeResource[], state?: StackState) =>
      reviewOf(resources, undefined, state && { state }).findings.filter(
        ({ id }) => id === 'service-changed',
      );

    test('by what resources had before', () => {
      expect(findings([same, made(`${DEFAULT}::id-1`)])).toEqual([]);
    });

    test.each([urnOf('default_1_2_3'), urnOf('default-mine'), DEFAULT])(
      'not by its name: a new %s is high, with a red verdict',
      (name) => {
        const resources = [same, made(`${name}::${UNKNOWN}`)];
        expect(findings(resources)).toMatchObject([{ severity: 'high' }]);
        expect(outcomeOf(reviewOf(resources))).toEqual(['findings', true]);
      },
    );

    test('in the first preview of a stack it is medium, as there is none without it', () => {
      expect(findings([made(`${DEFAULT}::${UNKNOWN}`)])).toMatchObject([{ severity: 'medium' }]);
    });

    test('by the state, in which a provider of the program has a parent', () => {
      const [step] = previewOf(same).steps;
      const stateWith = (more: object) => {
        const own = { urn: DEFAULT, type: 'pulumi:providers:pulumi-nodejs', ...more };
        return stateOf(own, { ...step?.old, urn: step?.urn.text });
      };
      expect(findings([same], stateWith({ id: 'id-1' }))).toEqual([]);
      expect(findings([same], stateWith({ id: 'id-2' }))).toMatchObject([{ severity: 'high' }]);
      const ofProgram = { id: 'id-1', parent: `${BASE}::pulumi:pulumi:Stack::acme-dev` };
      expect(findings([same], stateWith(ofProgram))).toMatchObject([{ severity: 'high' }]);
    });
  });

  test('two services never share a policy', () => {
    const beside = (policy: string) =>
      through(urnOf('account'), urnOf('account'), 'b', rule('9.9.9.0/24', 'allow', policy));
    expect(outcomeOf(review(same, beside('ipp_1')))).toEqual(UNDECIDED);
    expect(review(same, beside('ipp_2')).verdict.outcome).toBe('clear');
  });

  test.each(['apiKey', 'baseUrl', 'proxy'])('nor do two whose %s is not known yet', (setting) => {
    const ofRule = (name: string, action: string): MadeResource[] => [
      { ...provider({ [setting]: 'a' }, { [setting]: UNKNOWN }), name },
      through(urnOf(name), urnOf(name), action, rule('0.0.0.0/0', action)),
    ];
    expect(outcomeOf(review(...ofRule('one', 'allow'), ...ofRule('two', 'deny')))).toEqual(UNDECIDED);
  });

  test('is part of the reviewed plan: the settings of the stack', () => {
    const at = (settings: object, wishes: Wishes = {}) =>
      reviewOf([kept('office', office)], settings, wishes);
    const [baseUrl, proxy] = ['edge-policy:baseUrl', 'edge-policy:proxy'];
    const approved = at({ [baseUrl]: 'https://a.example' }).plan.plan;
    const expected = readPlan(renderPlan(approved), 'plan.json');
    const outcome = (settings: object) => at(settings, { expected }).verdict.outcome;
    expect(outcome({ [baseUrl]: 'https://a.example', 'other:thing': 'x' })).toBe('clear');
    expect(outcome({ [baseUrl]: 'https://b.example' })).toBe('findings');
    expect(outcome({ [baseUrl]: 'https://a.example', [proxy]: 'http://p' })).toBe('findings');
  });
});
