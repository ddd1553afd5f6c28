import { shortHash } from '../../../provider/src/values/account-mark';
import { readPreviewDocument, readStackState, type Report } from '../../../review/src';
import type { StackState } from '../../../review/src/preview/stack-state';
import { renderPlan, readPlan } from '../../../review/src';
import { added, kept, previewOf, previewText, removed, rule, SECRET, UNKNOWN } from './preview-builder';
import { newIds, reviewed } from './reviewing';

const HANDLER = 'exports.handler=()=>require("pulumi-edge-policy/handler").handler';
const office = rule('8.8.8.0/24');
const BASE = 'urn:pulumi:dev::acme';
const TYPE = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';

const outcomeOf = (report: Report): unknown[] => [report.verdict.outcome, report.verdict.affectsAccess];
const UNDECIDED = ['not-decidable', true];

describe('code that is not this package’s makes a preview undecidable, and it is never as reviewed', () => {
  test.each([
    ['another text', 'exports.handler=()=>require("./evil").handler("IpPolicyRule")'],
    ['a text before ours', `fetch("https://evil.example");${HANDLER}("IpPolicyRule")`],
    ['a line end behind ours', `${HANDLER}("IpPolicyRule")\n`],
    ['that of another type', `${HANDLER}("IpPolicyRuleSet")`],
    ['a secret', SECRET],
    ['none', undefined],
    ['no text', { text: `${HANDLER}("IpPolicyRule")` }],
  ])('%s', (_, code) => {
    const inputs = { ...office, __provider: code };
    for (const resource of [kept('office', inputs), added('office', inputs), removed('office', inputs)])
      expect(outcomeOf(reviewed(previewOf(resource), { failOn: 'never' }))).toEqual(UNDECIDED);
    const approved = reviewed(previewOf(kept('office', office))).plan.plan;
    const report = reviewed(previewOf(kept('office', inputs)), { expected: approved });
    expect(report.verdict.outcome).toBe('not-decidable');
  });

  test('in a state that the change is about to delete', () => {
    const old = { ...office, __provider: 'exports.handler=()=>({})' };
    const replaced = { ...kept('office', office), before: old };
    expect(outcomeOf(reviewed(previewOf(replaced)))).toEqual(UNDECIDED);
  });
});

test.each([
  'edge-policy:index:IpPolicyFirewall',
  'pulumi-nodejs:dynamic/edge-policy:Other',
  'edge-policy:x:Y',
  'edge-policy:index:ippolicyrule',
])('the type %s of ours, which is not known, is not decidable', (type) => {
  const step = { op: 'create', urn: `${BASE}::${type}::it`, newState: { type, inputs: {} } };
  const report = reviewed(readPreviewDocument(JSON.stringify({ steps: [step] })), { failOn: 'never' });
  expect(outcomeOf(report)).toEqual(UNDECIDED);
});

test('our code under a type of somebody else’s is not decidable: it makes rules that no review looks at', () => {
  const type = 'pulumi-nodejs:dynamic/acme:Thing';
  const inputs = { ...office, __provider: `${HANDLER}("IpPolicyRule")` };
  const step = { op: 'create', urn: `${BASE}::${type}::it`, newState: { type, inputs } };
  const review = (made: object) =>
    reviewed(readPreviewDocument(JSON.stringify({ steps: [made] })), { failOn: 'never' });
  expect(outcomeOf(review(step))).toEqual(UNDECIDED);
  const other = {
    ...step,
    newState: { type, inputs: { ...inputs, __provider: 'exports.handler=()=>({})' } },
  };
  expect(outcomeOf(review(other))).toEqual(['clear', false]);
});

describe('another service', () => {
  const providerUrn = (name: string, of = 'pulumi-nodejs') => `${BASE}::pulumi:providers:${of}::${name}`;
  const provider = (op: string, before: object, after: object, of = 'pulumi-nodejs') => {
    const type = `pulumi:providers:${of}`;
    return {
      op,
      urn: providerUrn('account', of),
      oldState: { type, inputs: before },
      newState: { type, inputs: after },
    };
  };
  const resource = (name: string, { before, after, inputs = office }: Record<string, unknown>) => {
    const urn = `${BASE}::${TYPE}::${name}`;
    const state = (ref: unknown) => ({
      urn,
      type: TYPE,
      provider: `${String(ref)}::id-1`,
      inputs: { ...(inputs as object), __provider: `${HANDLER}("IpPolicyRule")` },
    });
    return { op: 'same', urn, oldState: state(before), newState: state(after) };
  };
  const review = (...steps: object[]) => reviewed(readPreviewDocument(JSON.stringify({ steps })));
  const DEFAULT = providerUrn('default');

  test.each<[string, object]>([
    ['a base URL', provider('update', { 'edge-policy:baseUrl': 'a' }, { 'edge-policy:baseUrl': 'b' })],
    ['that of the plugin', provider('update', { baseUrl: 'a' }, { baseUrl: 'b' }, 'edge-policy')],
    [
      'a base URL that nobody can see',
      provider('update', { baseUrl: SECRET }, { baseUrl: SECRET }, 'edge-policy'),
    ],
    ['a proxy that goes', provider('update', { 'edge-policy:proxy': 'http://ours.example' }, {})],
    [
      'one that is replaced',
      provider('create-replacement', { baseUrl: 'a' }, { baseUrl: 'b' }, 'edge-policy'),
    ],
    ['a proxy that comes', provider('update', {}, { 'edge-policy:proxy': 'http://evil.example' })],
    [
      'a key that may be another account’s',
      provider('update', { 'edge-policy:apiKey': SECRET }, { 'edge-policy:apiKey': SECRET }),
    ],
    ['a plugin from elsewhere', provider('update', {}, { pluginDownloadURL: 'b' }, 'edge-policy')],
    ['a resource that moves to it', resource('office', { before: DEFAULT, after: providerUrn('account') })],
    [
      'a resource that moves to a provider whose step no preview shows',
      resource('office', { before: DEFAULT, after: providerUrn('default_1_2_3') }),
    ],
    [
      'the engine’s provider of a newer version, which looks the same',
      resource('office', {
        before: providerUrn('default_1_0_0', 'edge-policy'),
        after: providerUrn('default_1_2_0', 'edge-policy'),
      }),
    ],
  ])('is a high finding, and never without effect: %s', (_, step) => {
    const report = review(step);
    expect(newIds(report)).toEqual(['service-changed']);
    expect(report.findings[0]?.severity).toBe('high');
    expect(outcomeOf(report)).toEqual(['findings', true]);
  });

  test.each<[string, object]>([
    ['no setting of it', provider('update', { maxAttempts: '3' }, { maxAttempts: '4' })],
    [
      'another spelling of its address',
      provider('same', { baseUrl: 'https://a.b' }, { baseUrl: 'HTTPS://A.b/' }),
    ],
    ['a key that stays', provider('same', { apiKey: SECRET }, { apiKey: SECRET }, 'edge-policy')],
    ['the provider that the resource had', resource('office', { before: DEFAULT, after: DEFAULT })],
  ])('is not: %s', (_, step) => {
    expect(newIds(review(step))).toEqual([]);
  });

  test('the settings of a stack whose resources were written at another address, without its state', () => {
    const at = (address: string): object => ({ account: `${shortHash(address)}.00000000` });
    const written = (outputs: object, provider: string) => {
      const { oldState, ...same } = resource('office', { before: provider, after: provider });
      return { ...same, oldState: { ...oldState, outputs } };
    };
    const reviewAt = (baseUrl: string | undefined, outputs: object, provider = DEFAULT) => {
      const text = JSON.stringify({
        steps: [written(outputs, provider)],
        config: { 'edge-policy:baseUrl': baseUrl },
      });
      return reviewed(readPreviewDocument(text));
    };
    const [ours, evil] = ['https://a.example', 'https://evil.example'];
    expect(outcomeOf(reviewAt(evil, at(ours)))).toEqual(['findings', true]);
    expect(newIds(reviewAt(evil, at(ours)))).toEqual(['service-changed']);
    for (const report of [
      reviewAt('HTTPS://A.example/', at(ours)),
      reviewAt(undefined, at(ours)),
      reviewAt(evil, {}),
      reviewAt(evil, at(ours), providerUrn('account')),
    ])
      expect(newIds(report)).toEqual([]);
  });

  describe('a new provider with an address of its own, to which the key of the environment would go', () => {
    const made = (inputs: object) => ({
      op: 'create',
      urn: providerUrn('new'),
      newState: { type: 'pulumi:providers:pulumi-nodejs', inputs },
    });
    const office = resource('office', { before: `${DEFAULT}::id`, after: `${DEFAULT}::id` });
    const reviewWith = (config: object, ...steps: object[]) =>
      reviewed(readPreviewDocument(JSON.stringify({ steps, config })));

    test.each([
      { 'edge-policy:baseUrl': 'https://evil.example' },
      { baseUrl: UNKNOWN },
      { proxy: SECRET },
      { pluginDownloadURL: 'https://evil.example' },
    ])('is high, and never without effect: %j', (inputs) => {
      const report = review(office, made(inputs));
      expect(report.findings).toMatchObject([{ id: 'service-changed', severity: 'high' }]);
      expect(outcomeOf(report)).toEqual(['findings', true]);
    });

    test('is not, if the stack has that address, or if only the account is another one', () => {
      const baseUrl = 'https://a.example';
      const config = { 'edge-policy:baseUrl': `${baseUrl}/` };
      expect(newIds(reviewWith(config, office, made({ baseUrl, apiKey: SECRET })))).toEqual([]);
      const other = provider('same', { baseUrl }, { baseUrl });
      expect(newIds(review(office, other, made({ baseUrl })))).toEqual([]);
      expect(newIds(review(office, made({ apiKey: SECRET })))).toEqual([]);
    });

    test('is medium in the first preview of a stack, as there is none without a provider', () => {
      expect(review(made({ baseUrl: 'https://a.example' })).findings).toMatchObject([{ severity: 'medium' }]);
    });
  });

  describe('a provider whose step no preview shows is the stack’s own only if that is proved', () => {
    const created = (provider: string) => {
      const inputs = rule('9.9.9.0/24', 'allow', 'ipp_2');
      const { urn, newState } = resource('new', { inputs });
      return { op: 'create', urn, newState: { ...newState, provider } };
    };
    const same = resource('office', { before: DEFAULT, after: DEFAULT });
    const findings = (steps: object[], state?: StackState) =>
      reviewed(readPreviewDocument(JSON.stringify({ steps })), state && { state }).findings.filter(
        ({ id }) => id === 'service-changed',
      );

    test('by what resources had before', () => {
      expect(findings([same, created(`${DEFAULT}::id-1`)])).toEqual([]);
    });

    test.each([providerUrn('default_1_2_3'), providerUrn('default-mine'), DEFAULT])(
      'not by its name: a new %s is high, with a red verdict',
      (name) => {
        const steps = [same, created(`${name}::${UNKNOWN}`)];
        expect(findings(steps)).toMatchObject([{ severity: 'high' }]);
        expect(review(...steps).verdict).toMatchObject({ outcome: 'findings', affectsAccess: true });
      },
    );

    test('in the first preview of a stack it is medium, as there is none without it', () => {
      expect(findings([created(`${DEFAULT}::${UNKNOWN}`)])).toMatchObject([{ severity: 'medium' }]);
    });

    test('by the state, in which a provider of the program has a parent', () => {
      const { urn, oldState } = same;
      const stateOf = (provider: object) =>
        readStackState(
          JSON.stringify({
            deployment: {
              resources: [
                { urn: DEFAULT, type: 'pulumi:providers:pulumi-nodejs', ...provider },
                { ...oldState, urn },
              ],
            },
          }),
        );
      expect(findings([same], stateOf({ id: 'id-1' }))).toEqual([]);
      expect(findings([same], stateOf({ id: 'id-2' }))).toMatchObject([{ severity: 'high' }]);
      const ofProgram = { id: 'id-1', parent: `${BASE}::pulumi:pulumi:Stack::acme-dev` };
      expect(findings([same], stateOf(ofProgram))).toMatchObject([{ severity: 'high' }]);
    });

    test('is part of the reviewed plan', () => {
      const before = readPreviewDocument(JSON.stringify({ steps: [same] }));
      const after = resource('office', { before: DEFAULT, after: providerUrn('default_1_2_3') });
      const expected = readPlan(renderPlan(reviewed(before).plan.plan), 'plan.json');
      const report = reviewed(readPreviewDocument(JSON.stringify({ steps: [after] })), { expected });
      expect(newIds(report)).toContain('plan-differs');
    });
  });

  test('two services never share a policy', () => {
    const [one, two] = [DEFAULT, providerUrn('account')];
    const steps = [
      resource('a', { before: one, after: one }),
      resource('b', { before: two, after: two, inputs: rule('9.9.9.0/24') }),
    ];
    expect(outcomeOf(review(...steps))).toEqual(UNDECIDED);
    const apart = [
      steps[0] ?? {},
      resource('b', { before: two, after: two, inputs: rule('9.9.9.0/24', 'allow', 'ipp_2') }),
    ];
    expect(review(...apart).verdict.outcome).toBe('clear');
  });

  test.each(['apiKey', 'baseUrl', 'proxy'])('nor do two whose %s is not known yet', (setting) => {
    const [one, two] = [providerUrn('one'), providerUrn('two')];
    const providers = [one, two].map((urn) => ({
      ...provider('update', { [setting]: 'a' }, { [setting]: UNKNOWN }),
      urn,
    }));
    const rules = [
      resource('all', { before: one, after: one, inputs: rule('0.0.0.0/0') }),
      resource('none', { before: two, after: two, inputs: rule('0.0.0.0/0', 'deny') }),
    ];
    expect(outcomeOf(review(...providers, ...rules))).toEqual(UNDECIDED);
  });

  test('is part of the reviewed plan: the settings of the stack', () => {
    const plain = JSON.parse(previewText([kept('office', office)])) as object;
    const at = (config: object) => readPreviewDocument(JSON.stringify({ ...plain, config }));
    const [baseUrl, proxy] = ['edge-policy:baseUrl', 'edge-policy:proxy'];
    const approved = reviewed(at({ [baseUrl]: 'https://a.example' })).plan.plan;
    const expected = readPlan(renderPlan(approved), 'plan.json');
    const outcome = (config: object) => reviewed(at(config), { expected }).verdict.outcome;
    expect(outcome({ [baseUrl]: 'https://a.example', 'other:thing': 'x' })).toBe('clear');
    expect(outcome({ [baseUrl]: 'https://b.example' })).toBe('findings');
    expect(outcome({ [baseUrl]: 'https://a.example', [proxy]: 'http://p' })).toBe('findings');
  });
});
