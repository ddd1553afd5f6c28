import { editDeployment, type StateResource, withoutEnvelopes } from '../../../cli/src/pulumi/deployment';
import { settledResources } from '../../../cli/src/recover/apply-verdicts';
import { beganAfter } from '../../../cli/src/recover/interrupted-operations';
import type { OperationVerdict, RecoveryVerdict } from '../../../cli/src/recover/recovery-verdict';
import { awaitEnd } from '../../../cli/src/recover/run-recover';
import type { ClientSettings } from '../../../provider/src/api/client-settings';
import { IdleClock } from '../../support/idle-clock';
import { ENCRYPTED, secretOf } from '../../support/state-resource';

const now = '2030-01-01T00:00:00.000Z';
const entry = (more: Partial<StateResource> = {}): StateResource => ({
  ...{ urn: 'urn:a', type: 't', id: 'old', ...more },
});
const judged = (verdict: RecoveryVerdict, resource: Partial<StateResource> = {}): OperationVerdict => ({
  operation: {
    type: 'creating',
    resource: { urn: 'urn:a', type: 't', inputs: { x: 1 }, ...resource },
    inputs: {},
  },
  verdict,
});
const taken: RecoveryVerdict = { kind: 'take', why: '', id: 'new', outputs: { x: 1, y: 2 }, found: [] };
const asTaken = {
  ...{ urn: 'urn:a', id: 'new', inputs: { x: 1 }, outputs: { x: 1, y: 2 }, created: now, modified: now },
};

test('what was created is added behind everything it can depend on, with its options', () => {
  const other = entry({ urn: 'urn:b' });
  expect(settledResources([other], [judged(taken, { protect: true })], now)).toMatchObject([
    other,
    { ...asTaken, protect: true },
  ]);
});

test('a replacement takes the place of what has been deleted already', () => {
  const resources = [entry({ pendingReplacement: true }), entry({ urn: 'urn:b', dependencies: ['urn:a'] })];
  const settled = settledResources(resources, [judged(taken)], now);
  expect(settled).toHaveLength(2);
  expect(settled[0]).toMatchObject(asTaken);
  expect(settled[0]).not.toHaveProperty('pendingReplacement');
});

test('what a replacement has not yet deleted waits for its deletion at the end', () => {
  const settled = settledResources([entry(), entry({ urn: 'urn:b' })], [judged(taken)], now);
  expect(settled).toMatchObject([asTaken, { urn: 'urn:b' }, { urn: 'urn:a', id: 'old', delete: true }]);
});

test('what waits for its deletion is left alone, and cleared operations change nothing', () => {
  const resources = [entry({ delete: true })];
  expect(settledResources(resources, [judged({ kind: 'clear', why: '' })], now)).toEqual(resources);
  expect(settledResources(resources, [judged(taken)], now)).toMatchObject([
    { id: 'old', delete: true },
    asTaken,
  ]);
});

test('outputs are noted beside those that are there', () => {
  const resources = [entry({ outputs: { a: 1, b: 2 } })];
  const verdict: RecoveryVerdict = { kind: 'refresh', why: '', outputs: { b: 3 } };
  expect(settledResources(resources, [judged(verdict)], now)).toMatchObject([{ outputs: { a: 1, b: 3 } }]);
});

test('an edited state keeps everything that was not edited', () => {
  const deployment = {
    manifest: { time: now, magic: 'm' },
    secrets_providers: { type: 'passphrase' },
    resources: [entry()],
  };
  const text = JSON.stringify({ version: 3, deployment });
  const edited = JSON.parse(editDeployment(text, { resources: [], pendingOperations: [] })) as unknown;
  const without = { ...deployment, resources: [], pending_operations: [] };
  expect(edited).toEqual({ version: 3, deployment: without });
});

test('secret envelopes are taken off at every depth, and one that stays encrypted is no value', () => {
  const values = { a: [{ b: secretOf('x') }], c: ENCRYPTED, d: null };
  expect(withoutEnvelopes(values)).toEqual({ a: [{ b: 'x' }], c: undefined, d: null });
});

const stack = entry({ type: 'pulumi:pulumi:Stack', created: '2030-01-01T00:00:00Z' });
const done = (kind: string, result: string, endTime: string) => ({ kind, result, endTime });

const runs = [
  done('update', 'failed', '2030-01-05T00:00:00Z'),
  done('refresh', 'succeeded', '2030-01-04T00:00:00Z'),
  done('update', 'succeeded', '2030-01-03T00:00:00Z'),
  done('update', 'succeeded', '2030-01-02T00:00:00Z'),
];

test.each([
  ['the last run that left nothing undone', runs, [stack], Date.parse('2030-01-03T00:00:00Z')],
  ['the stack, if no run has ended', [], [stack], Date.parse('2030-01-01T00:00:00Z')],
  ['nothing that is known', [], [], NaN],
])('an interrupted operation began after %s', (_what, history, resources, began) => {
  const deployment = { manifest: { time: now }, resources, pendingOperations: [] };
  expect(beganAfter(deployment, history)).toBe(began);
});

test('the wait for the end of a killed run says what for, and how to be sure sooner', async () => {
  const clock = new IdleClock();
  const startedAt = clock.epochMs();
  const settings = [30_000, 60_000].map((requestTimeoutMs) => ({ requestTimeoutMs }) as ClientSettings);
  let said = '';
  await awaitEnd(settings, { clock, note: (text) => (said += text) });
  // The plugin stops within 5 s, a request may take effect for 60 s more, and a list may lag by 10 s.
  expect(clock.epochMs() - startedAt).toBe(75_000);
  expect(said).toMatch(/^Waiting 75 s, [^]*60 s for the effect of a request[^]*--no-wait/);
});
