import { inspect } from 'node:util';
import type { Emulator } from '../../emulator/src/index';
import type { SecretsScan } from './secrets-scan';
import type { Declaration, Entry, Outcome, StandInEngine } from './stand-in-engine';
import { full, heldThings, isSame, liveThings, said, type Thing, thingsDeclared } from './things';

/** The invariants, by their numbers in docs/contributing/reliability.md. */
export const invariants = {
  I1: 'no orphan: every object on the service is in state exactly once after one healthy up',
  I2: 'no duplicate',
  I3: 'no lost update: what is declared is what is live',
  I4: 'one healthy up converges: preview and refresh are then empty',
  I5: 'the state equals the service after a refresh',
  I6: 'nothing is dropped from state by mistake',
  I7: 'neither the API key nor a secret is in any message, warning or error object',
  I8: 'another origin receives no request',
  I9: 'attempts and time are bounded, and no request leaves after the deadline',
  I10: 'no silent success: what is reported as done is done',
  I11: 'one id is never in two state entries',
  I12: 'check and diff send nothing',
  I13: 'no window: nobody gets in on the way, and what is declared alike before and after is live all the time',
  I14: 'no duplicate send: after an ambiguous answer a look-up comes before the same create',
} as const;

export type Invariant = keyof typeof invariants;

/** All objects of the service, except those of other users. */
const liveIn = (emulator: Emulator, foreign: readonly string[]): readonly Thing[] =>
  liveThings(emulator.state()).filter(({ id = '' }) => !foreign.includes(id));

const assert = (holds: boolean, invariant: Invariant, detail: unknown): void => {
  if (!holds)
    throw new Error(`${invariant} (${invariants[invariant]}) is broken: ${inspect(detail, { depth: 6 })}`);
};

/**
 * I11. The engine deletes last: if a rename is interrupted in between, the module, whose id is that of its parents, is in state
 * under both names until the next `up`, which then keeps it.
 */
export function expectUniqueIds(state: readonly Entry[], isSettled = false): void {
  const ids = state
    .filter(({ type }) => isSettled || type === 'IpPolicyRule')
    .map(({ type, id }) => `${type} ${id}`);
  assert(new Set(ids).size === ids.length, 'I11', ids);
}

/** I5, and with it I6 and half of I1: state and service hold the same objects, field by field. */
export function expectStateEqualsService(
  state: readonly Entry[],
  emulator: Emulator,
  foreign: readonly string[] = [],
): void {
  const [live, held] = [liveIn(emulator, foreign), state.flatMap(heldThings)];
  assert(
    live.every(({ id }) => held.some((thing) => thing.id === id)),
    'I1',
    { live, held },
  );
  assert(isSame(held, live, full), 'I5', { live, held });
}

/** I2 and I3: the service has everything that is declared, once, and nothing else. */
export function expectServiceAsDeclared(
  program: readonly Declaration[],
  emulator: Emulator,
  foreign: readonly string[] = [],
): void {
  const [live, declared] = [liveIn(emulator, foreign), program.flatMap(thingsDeclared)];
  const isLive = (thing: Thing): boolean => live.some((one) => said(one) === said(thing));
  assert(declared.every(isLive), 'I3', { live, declared });
  assert(isSame(declared, live), 'I2', { live, declared });
}

/** I7: neither printed output, nor an error in any form, contains a canary. */
export function expectNoSecret(secrets: SecretsScan, { errors }: Outcome, warnings: readonly string[]): void {
  for (const error of errors) {
    secrets.assertClean('a message', error.message);
    secrets.assertClean('an inspected error', inspect(withoutState(error), { depth: 12, showHidden: true }));
    secrets.assertClean('an error as JSON', JSON.stringify(withoutState(error)));
  }
  secrets.assertClean('the warnings', warnings.join('\n'));
}

/** The properties of a partial failure go into state, which the engine encrypts; everything else may be printed. */
function withoutState(error: Error): object {
  return Object.assign({ stack: error.stack }, error, { properties: undefined });
}

/** One healthy `up`, and then I1 to I6, I11 and I12. */
export async function expectConvergence(
  engine: StandInEngine,
  program: readonly Declaration[],
  service: { readonly emulator: Emulator; readonly foreign?: readonly string[] },
): Promise<void> {
  const { emulator, foreign = [] } = service;
  const up = await engine.up(program);
  assert(up.errors.length === 0, 'I4', up.errors);
  expectUniqueIds(engine.state, true);
  expectServiceAsDeclared(program, emulator, foreign);
  expectStateEqualsService(engine.state, emulator, foreign);

  const sent = emulator.journal.length;
  const preview = await engine.preview(program);
  assert(preview.steps.length + preview.errors.length === 0, 'I4', preview);
  assert(emulator.journal.length === sent, 'I12', emulator.journal.slice(sent));

  const before = engine.state;
  const refresh = await engine.refresh();
  assert(refresh.errors.length === 0, 'I4', refresh.errors);
  assert(outputs(engine.state) === outputs(before), 'I4', { before, after: engine.state });
  const again = await engine.preview(program);
  assert(again.steps.length + again.errors.length === 0, 'I4', again);
  expectStateEqualsService(engine.state, emulator, foreign);
}

// A refresh through another address than the last write renews the mark of the account.
const outputs = (state: readonly Entry[]): string =>
  JSON.stringify(state.map(({ id, outputs: held }) => [id, { ...held, account: undefined }]));
