import { inspect } from 'node:util';
import type { SecretsScan } from './secrets-scan';
import type { Entry, Outcome, StandInEngine } from './stand-in-engine';
import { full, isSame, type Thing } from './things';

/** The invariants, by their numbers in docs/contributing/fault-matrix.md. */
export const invariants = {
  I1: 'no orphan: every object on the service is in state exactly once after one healthy up',
  I2: 'no duplicate',
  I3: 'no lost update: the live objects are as declared',
  I4: 'one healthy up converges: preview and refresh are then empty',
  I5: 'the state equals the service after a refresh',
  I6: 'nothing is dropped from state by mistake',
  I7: 'neither the API key nor a secret is in any message, warning or error object',
  I8: 'another origin receives no request',
  I9: 'attempts and time are bounded, and no request leaves after the deadline',
  I10: 'no silent success: an operation that is reported as done is done',
  I11: 'one id is never in two state entries',
  I12: 'check and diff send nothing',
  I13: 'no window: nobody gets in on the way, and a rule that is declared alike before and after stays live',
  I14: 'no duplicate send: after an ambiguous answer a look-up comes before the same create',
} as const;

export type Invariant = keyof typeof invariants;

/** An invariant does not hold. */
export class Broken extends Error {
  constructor(
    readonly invariant: Invariant,
    detail: string,
  ) {
    super(`${invariant} (${invariants[invariant]}) is broken: ${detail}`);
  }
}

export function requireInvariant(holds: boolean, invariant: Invariant, detail: () => string): void {
  if (!holds) throw new Broken(invariant, detail());
}

const show = (things: readonly Thing[]): string => `\n  ${things.map(full).sort().join('\n  ')}`;

/** I2 and I3: the service has everything that is declared, once, and nothing else. */
export function judgeDeclared(declared: readonly Thing[], live: readonly Thing[]): void {
  requireInvariant(isSame(declared, live), 'I3', () => `declared: ${show(declared)}\n live: ${show(live)}`);
}

/** I5, and with it I1 and I6: state and service hold the same objects, field by field. */
export function judgeHeld(held: readonly Thing[], live: readonly Thing[]): void {
  requireInvariant(isSame(held, live, full), 'I5', () => `held: ${show(held)}\n live: ${show(live)}`);
}

/** I11. */
export function judgeIds(ids: readonly unknown[]): void {
  requireInvariant(new Set(ids).size === ids.length, 'I11', () => `held: ${ids.join(', ')}`);
}

/** The ways of a test to refresh, to preview, and to count requests. */
interface Stillness {
  readonly engine: StandInEngine;
  readonly refresh: () => Promise<Outcome>;
  readonly preview: () => Promise<Outcome>;
  readonly sent: () => number;
}

/** I4 and I12: nothing is left to do, before and after a refresh, and a preview sends nothing. */
export async function judgeStillness({ engine, refresh, preview, sent }: Stillness): Promise<void> {
  const before = written(engine.state);
  for (const isRefreshed of [false, true]) {
    if (isRefreshed) judgeSuccess(await refresh(), 'refresh');
    const sentBefore = sent();
    const { steps, errors } = await preview();
    const isEmpty = steps.length + errors.length === 0;
    requireInvariant(isEmpty, 'I4', () => `a preview is not empty: ${steps.join(', ')} ${errors.join()}`);
    requireInvariant(sent() === sentBefore, 'I12', () => 'a preview has sent requests');
  }
  const after = written(engine.state);
  requireInvariant(before === after, 'I4', () => `a refresh changes\n ${before}\n to\n ${after}`);
}

export function judgeSuccess({ errors }: Outcome, command: string): void {
  requireInvariant(errors.length === 0, 'I4', () => `a healthy ${command} fails: ${errors.join(' | ')}`);
}

/** The state as text, whatever the order of its entries and keys. A refresh may renew the mark of the account. */
const written = (state: readonly Entry[]): string =>
  state
    .map(({ name, id, outputs: { account: _, ...rest } }) =>
      JSON.stringify([name, id, Object.entries(rest).sort()]),
    )
    .sort()
    .join('\n');

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
