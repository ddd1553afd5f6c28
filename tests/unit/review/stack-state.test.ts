import { NotAStateError, readStackState } from '../../../review/src';
import { added, kept, previewOf, previewSteps, removed, rule } from './preview-builder';
import { newIds, reviewed } from './reviewing';

const TYPE = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
const ASSERTIONS = 'edge-policy:index:AccessAssertions';
const urnOf = (name: string, type = TYPE): string => `urn:pulumi:dev::acme::${type}::${name}`;

const resource = (name: string, inputs: object, type = TYPE) => ({
  ...{ urn: urnOf(name, type), type, inputs },
  ...(type === TYPE && { id: `id-${name}` }),
});
const stateOf = (...resources: object[]) =>
  readStackState(JSON.stringify({ version: 3, deployment: { resources } }));
const SECRET = {
  '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
  ciphertext: 'AAAA',
};

const preview = previewOf(kept('office', rule('8.8.8.0/24')));
const idsWith = (state: ReturnType<typeof stateOf>, of = preview): string[] =>
  newIds(reviewed(of, { state }));

test('a preview that starts from what the stack has is judged', () => {
  // The order of keys is no difference, and neither are resources of other packages.
  const { cidr, ipPolicyId, action } = rule('8.8.8.0/24');
  const other = { urn: urnOf('bucket', 'aws:s3:Bucket'), type: 'aws:s3:Bucket', inputs: {} };
  const { __provider: code } = preview.steps[0]?.old?.inputs ?? {};
  const inputs = { ipPolicyId, cidr, action, ...(code !== undefined && { __provider: code }) };
  expect(idsWith(stateOf(resource('office', inputs), other))).toEqual([]);
});

test.each<[string, ReturnType<typeof stateOf>]>([
  ['says that something else was there', stateOf(resource('office', rule('0.0.0.0/0')))],
  ['makes up what was there', stateOf()],
  [
    'is of another stack',
    stateOf({ ...resource('office', rule('8.8.8.0/24')), urn: urnOf('office').replace(':dev:', ':prod:') }),
  ],
  [
    'leaves out what was there',
    stateOf(resource('office', rule('8.8.8.0/24')), resource('block', rule('8.8.8.8/32', 'deny'))),
  ],
  [
    'leaves out assertions that the program made',
    stateOf(
      resource('office', rule('8.8.8.0/24')),
      resource('access', { policies: [{ ipPolicyId: 'ipp_1', mustDeny: ['1.2.3.4'] }] }, ASSERTIONS),
    ),
  ],
])('a preview that %s is not decidable', (_, state) => {
  expect(idsWith(state)).toEqual(['preview-incomplete']);
});

test('a preview that creates what the stack has, or deletes what it has not, is not decidable', () => {
  const office = rule('8.8.8.0/24');
  expect(idsWith(stateOf(resource('office', office)), previewOf(added('office', office)))).toEqual([
    'preview-incomplete',
  ]);
  expect(idsWith(stateOf(), previewOf(removed('office', office)))).toEqual(['preview-incomplete']);
});

test('what is taken from a resource of the stack is seen if the state proves it, and no service has more', () => {
  const moved = previewOf(
    removed('office', rule('8.8.8.0/24')),
    added('site', { ...rule('8.8.8.0/24'), overwriteExisting: true }),
  );
  const { inputs = {} } = moved.steps[0]?.old ?? {};
  const state = stateOf(resource('office', inputs));
  const accepted = { assumptions: { duplicateNetworks: 'accepted' } } as const;
  expect([newIds(reviewed(moved)), idsWith(state, moved)]).toEqual([['overwrite-not-seen'], []]);
  expect(newIds(reviewed(moved, { state, ...accepted }))).toEqual(['overwrite-not-seen']);
  const other = previewOf(
    kept('office', rule('8.8.8.0/24')),
    added('b', { ...rule('9.9.9.0/24'), overwriteExisting: true }),
  );
  expect(idsWith(state, other)).toEqual(['access-widened', 'overwrite-not-seen']);
});

test('a secret of the state is what the CLI prints in its place', () => {
  const secret = previewOf(kept('office', rule('[secret]')));
  const { inputs = {} } = secret.steps[0]?.old ?? {};
  expect(idsWith(stateOf(resource('office', { ...inputs, cidr: SECRET })), secret)).toEqual([]);
});

describe('all of the old side is proved', () => {
  const [step] = preview.steps;
  const provider = `${urnOf('explicit', 'pulumi:providers:pulumi-nodejs')}::id`;
  const office = {
    ...resource('office', step?.old?.inputs ?? {}),
    outputs: { cidr: '8.8.8.0/24' },
    provider,
  };

  test.each<[string, object, object]>([
    ['another id', {}, { id: 'other' }],
    ['outputs, which are what is live', {}, { outputs: { cidr: '0.0.0.0/0' } }],
    ['retainOnDelete', {}, { retainOnDelete: true }],
    ['no retainOnDelete', { retainOnDelete: true }, {}],
    ['a look-up', {}, { external: true }],
    ['deletedWith', {}, { deletedWith: urnOf('site') }],
    ['another provider', {}, { provider: `${provider}2` }],
    ['no protection', { protect: true }, {}],
    ['an import of another object', {}, { importID: 'other' }],
  ])('a preview that claims %s', (_, held, claimed) => {
    const steps = (old: object) =>
      previewSteps({ op: 'delete', urn: office.urn, oldState: { ...office, ...old } });
    const state = stateOf({ ...office, ...held });
    expect(idsWith(state, { ...preview, steps: steps(claimed) })).toEqual(['preview-incomplete']);
    expect(idsWith(state, { ...preview, steps: steps(held) })).not.toContain('preview-incomplete');
  });

  test.each([
    ['a rule that is replaced is marked in the preview alone', 'office'],
    ['a renamed rule that is replaced is deleted under its former name', 'bureau'],
  ])('%s', (_fact, name) => {
    const marked = { ...office, pendingReplacement: true };
    const newState = { ...office, urn: urnOf(name), id: undefined };
    const steps = previewSteps(
      { op: 'delete-replaced', urn: office.urn, oldState: office },
      { op: 'replace', urn: newState.urn, oldState: marked, newState },
      { op: 'create-replacement', urn: newState.urn, oldState: marked, newState },
    );
    expect(idsWith(stateOf(office), { ...preview, steps })).not.toContain('preview-incomplete');
    expect(idsWith(stateOf(office), { ...preview, steps: steps.slice(1) })).toContain('preview-incomplete');
  });

  test('what an earlier run has replaced is deleted, whatever the preview says of it', () => {
    const steps = (op: string) => previewSteps({ op, urn: office.urn, oldState: office, newState: office });
    const [state, leftover] = [stateOf(office), stateOf({ ...office, delete: true })];
    expect(idsWith(leftover, { ...preview, steps: steps('same') })).toEqual(['preview-incomplete']);
    expect(idsWith(leftover, { ...preview, steps: steps('delete') })).not.toContain('preview-incomplete');
    expect(idsWith(state, { ...preview, steps: steps('same') })).toEqual([]);
  });

  test('an earlier run has deleted an object only if the state says so', () => {
    const oldState = { ...office, pendingReplacement: true };
    const steps = previewSteps({ op: 'remove-pending-replace', urn: office.urn, oldState });
    for (const state of [stateOf(office), stateOf()])
      expect(idsWith(state, { ...preview, steps })).toEqual(['preview-incomplete']);
    expect(idsWith(stateOf(oldState), { ...preview, steps })).toEqual([]);
  });
});

test('what a refresh has found since is in no state', () => {
  const [{ old } = {}] = preview.steps;
  const office = { ...resource('office', old?.inputs ?? {}), outputs: { cidr: '8.8.8.0/24' } };
  const found = { ...office, outputs: { cidr: '0.0.0.0/0' } };
  const refreshed = (now: object) =>
    previewSteps(
      { op: 'refresh', urn: office.urn, oldState: office, newState: office },
      { op: 'update', urn: office.urn, oldState: now, newState: office },
    );
  expect(idsWith(stateOf(office), { ...preview, steps: refreshed(found) })).toContain('preview-incomplete');
  expect(idsWith(stateOf(office), { ...preview, steps: refreshed(office) })).toEqual([]);
});

test('an alias moves a resource: its old URN counts', () => {
  const steps = previewSteps({
    op: 'same',
    urn: urnOf('office'),
    oldState: resource('bureau', rule('8.8.8.0/24')),
    newState: resource('office', rule('8.8.8.0/24')),
  });
  const moved = { ...preview, steps };
  expect(idsWith(stateOf(resource('bureau', rule('8.8.8.0/24'))), moved)).toEqual([]);
});

test('what is no state is refused', () => {
  for (const text of ['', '{}', 'nonsense', '[]']) expect(() => readStackState(text)).toThrow(NotAStateError);
});

describe('the settings of the stack, of which only the state knows what they were', () => {
  const PROVIDER = 'pulumi:providers:pulumi-nodejs';
  const ids = (before: object, after: object): string[] => {
    const { steps } = previewOf(kept('office', rule('8.8.8.0/24')));
    const office = resource('office', steps[0]?.old?.inputs ?? {});
    const state = stateOf(office, resource('default', before, PROVIDER));
    return idsWith(state, { ...preview, settings: after as NonNullable<typeof preview.settings> });
  };

  test.each<[string, object, object]>([
    ['another base URL', { baseUrl: 'https://a.example' }, { baseUrl: 'https://b.example' }],
    ['a base URL that comes', {}, { baseUrl: 'https://b.example' }],
    ['a base URL that goes', { baseUrl: 'https://a.example' }, {}],
    ['another key in clear', { apiKey: 'one' }, { apiKey: 'two' }],
    ['a key in clear in place of a secret', { apiKey: SECRET }, { apiKey: 'two' }],
    ['a proxy that comes', {}, { proxy: '[secret]' }],
    ['a proxy that was a secret and is in clear', { proxy: SECRET }, { proxy: 'http://evil.example' }],
    ['a proxy that goes', { proxy: SECRET }, {}],
  ])('%s is another service', (_, before, after) => {
    const named = (settings: object) =>
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [`edge-policy:${name}`, value]));
    expect(ids(named(before), named(after))).toEqual(['service-changed']);
  });

  test('what is as it was is not, nor is another spelling of the address', () => {
    const settings = { 'edge-policy:baseUrl': 'https://a.example' };
    expect(ids(settings, { 'edge-policy:baseUrl': 'HTTPS://A.example:443/' })).toEqual([]);
    expect(
      ids({ ...settings, 'edge-policy:proxy': SECRET }, { ...settings, 'edge-policy:proxy': '[secret]' }),
    ).toEqual([]);
    expect(ids({ 'edge-policy:apiKey': SECRET }, { 'edge-policy:apiKey': '[secret]' })).toEqual([]);
    expect(ids({ 'edge-policy:apiKey': 'one' }, { 'edge-policy:apiKey': 'one' })).toEqual([]);
  });
});
