import type { PreviewDocument } from '../../../review/src';
import { NotAStateError, readPreviewDocument, readStackState } from '../../../review/src';
import { type StackState, stateGaps } from '../../../review/src/preview/stack-state';
import { added, kept, previewOf, previewSteps, removed, stateOf } from './preview-builder';
import { rule } from './inputs';
import { newIds, recorded, reviewed } from './reviewing';
import { ENCRYPTED } from '../../support/state-resource';

const TYPE = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
const ASSERTIONS = 'edge-policy:index:AccessAssertions';
const urnOf = (name: string, type = TYPE): string => `urn:pulumi:dev::acme::${type}::${name}`;

const resource = (name: string, inputs: object, type = TYPE) => ({
  ...{ urn: urnOf(name, type), type, inputs },
  ...(type === TYPE && { id: `id-${name}` }),
});

const preview = previewOf(kept('office', rule('8.8.8.0/24')));
/** The rule of that preview as the state has it. */
const office = resource('office', preview.steps[0]?.old?.inputs ?? {});
const idsWith = (state: StackState, of = preview): string[] => newIds(reviewed(of, { state }));
const idsOf = (state: StackState, ...steps: object[]): string[] =>
  idsWith(state, { ...preview, steps: previewSteps(...steps) });

test('a preview that starts from what the stack has is judged', () => {
  // The order of keys is no difference, and neither are resources of other packages.
  const inputs = Object.fromEntries(Object.entries(office.inputs).reverse());
  const other = { urn: urnOf('bucket', 'aws:s3:Bucket'), type: 'aws:s3:Bucket', inputs: {} };
  expect(idsWith(stateOf({ ...office, inputs }, other))).toEqual([]);
});

test.each<[string, PreviewDocument, StackState]>([
  ['claims another state', preview, stateOf({ ...office, inputs: { ...office.inputs, cidr: '0.0.0.0/0' } })],
  ['makes up what was there', preview, stateOf()],
  ['is of another stack', preview, stateOf({ ...office, urn: urnOf('office').replace(':dev:', ':prod:') })],
  ['leaves out what was there', preview, stateOf(office, resource('block', rule('8.8.8.8/32', 'deny')))],
  ['creates what is there', previewOf(added('office', rule('8.8.8.0/24'))), stateOf(office)],
  ['deletes what is not there', previewOf(removed('office', rule('8.8.8.0/24'))), stateOf()],
  [
    'leaves out assertions that the program made',
    preview,
    stateOf(
      office,
      resource('access', { policies: [{ ipPolicyId: 'ipp_1', mustDeny: ['1.2.3.4'] }] }, ASSERTIONS),
    ),
  ],
])('a preview that %s is not decidable', (_, of, state) => {
  expect(idsWith(state, of)).toEqual(['preview-incomplete']);
});

test('what is taken from a resource of the stack is seen if the state proves it, and no service has more', () => {
  const moved = previewOf(
    removed('office', rule('8.8.8.0/24')),
    added('site', { ...rule('8.8.8.0/24'), overwriteExisting: true }),
  );
  const state = stateOf(office);
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
  const inputs = { ...office.inputs, cidr: ENCRYPTED };
  expect(idsWith(stateOf({ ...office, inputs }), previewOf(kept('office', rule('[secret]'))))).toEqual([]);
});

describe('all of the old side is proved', () => {
  const provider = `${urnOf('explicit', 'pulumi:providers:pulumi-nodejs')}::id`;
  const live = { ...office, outputs: { cidr: '8.8.8.0/24' }, provider };

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
    const state = stateOf({ ...live, ...held });
    const deletion = (old: object) => ({ op: 'delete', urn: live.urn, oldState: { ...live, ...old } });
    expect(idsOf(state, deletion(claimed))).toEqual(['preview-incomplete']);
    expect(idsOf(state, deletion(held))).not.toContain('preview-incomplete');
  });

  test.each([
    ['a rule that is replaced is marked in the preview alone', 'office'],
    ['a renamed rule that is replaced is deleted under its former name', 'bureau'],
  ])('%s', (_fact, name) => {
    const newState = { ...live, urn: urnOf(name), id: undefined };
    const oldState = { ...live, pendingReplacement: true };
    const deletion = { op: 'delete-replaced', urn: live.urn, oldState: live };
    const creation = ['replace', 'create-replacement'].map((op) => ({
      ...{ op, urn: newState.urn, oldState, newState },
    }));
    expect(idsOf(stateOf(live), deletion, ...creation)).not.toContain('preview-incomplete');
    expect(idsOf(stateOf(live), ...creation)).toContain('preview-incomplete');
  });

  test('what an earlier run has replaced is deleted, whatever the preview says of it', () => {
    const step = (op: string) => ({ op, urn: live.urn, oldState: live, newState: live });
    const leftover = stateOf({ ...live, delete: true });
    expect(idsOf(leftover, step('same'))).toEqual(['preview-incomplete']);
    expect(idsOf(leftover, step('delete'))).not.toContain('preview-incomplete');
    expect(idsOf(stateOf(live), step('same'))).toEqual([]);
  });

  test('an earlier run has deleted an object only if the state says so', () => {
    const oldState = { ...live, pendingReplacement: true };
    const step = { op: 'remove-pending-replace', urn: live.urn, oldState };
    for (const state of [stateOf(live), stateOf()])
      expect(idsOf(state, step)).toEqual(['preview-incomplete']);
    expect(idsOf(stateOf(oldState), step)).toEqual([]);
  });

  test('what a refresh has found since is in no state', () => {
    const refresh = { op: 'refresh', urn: live.urn, oldState: live, newState: live };
    const update = (now: object) => ({ ...refresh, op: 'update', oldState: { ...live, ...now } });
    const found = update({ outputs: { cidr: '0.0.0.0/0' } });
    expect(idsOf(stateOf(live), refresh, found)).toContain('preview-incomplete');
    expect(idsOf(stateOf(live), refresh, update({}))).toEqual([]);
  });
});

test('an import whose description differs has no previous state that the state could disagree about', () => {
  const imported = readPreviewDocument(recorded('import-with-update'));
  expect(stateGaps(imported.steps, stateOf())).toEqual([]);
  // Of an object that the state has, the preview may not claim anything by an import.
  const [urn = ''] = imported.steps.filter(({ op }) => op === 'import').map((step) => step.urn.text);
  const held = { ...resource('one', rule('10.0.0.0/8')), urn, type: 'edge-policy:index:IpPolicyRule' };
  expect(stateGaps(imported.steps, stateOf(held))).not.toEqual([]);
});

test('an alias moves a resource: its old URN counts', () => {
  const oldState = { ...office, urn: urnOf('bureau') };
  expect(idsOf(stateOf(oldState), { op: 'same', urn: office.urn, oldState, newState: office })).toEqual([]);
});

test('a stack that was never deployed has nothing', () => {
  const state = readStackState('{"version":3,"deployment":null}');
  expect(idsWith(state, previewOf(added('office', rule('8.8.8.0/24'))))).toEqual(['access-widened']);
});

test('what is no state is refused', () => {
  for (const text of ['', '{}', 'nonsense', '[]', '{"deployment":null}'])
    expect(() => readStackState(text)).toThrow(NotAStateError);
});

test.each<[found: string, fact: string, before: object, after: object]>([
  ['another', 'another base URL', { baseUrl: 'https://a.example' }, { baseUrl: 'https://b.example' }],
  ['another', 'another key in clear', { apiKey: 'one' }, { apiKey: 'two' }],
  ['another', 'a key in clear in place of a secret', { apiKey: ENCRYPTED }, { apiKey: 'two' }],
  ['another', 'a proxy that comes', {}, { proxy: '[secret]' }],
  ['another', 'a proxy that was a secret', { proxy: ENCRYPTED }, { proxy: 'http://evil.example' }],
  ['another', 'a proxy that goes', { proxy: ENCRYPTED }, {}],
  ['the same', 'another spelling', { baseUrl: 'https://a.example' }, { baseUrl: 'HTTPS://A.example:443/' }],
  ['the same', 'a secret proxy', { proxy: ENCRYPTED }, { proxy: '[secret]' }],
  ['the same', 'a secret key', { apiKey: ENCRYPTED }, { apiKey: '[secret]' }],
])('by the settings that only the state knows, it is %s service: %s', (found, _fact, before, after) => {
  const named = (settings: object) =>
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`edge-policy:${name}`, value as string]),
    );
  const state = stateOf(office, resource('default', named(before), 'pulumi:providers:pulumi-nodejs'));
  expect(idsWith(state, { ...preview, settings: named(after) })).toEqual(
    found === 'another' ? ['service-changed'] : [],
  );
});
