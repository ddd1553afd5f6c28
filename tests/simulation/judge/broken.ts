// What for: the judges: each watches some invariants of docs/contributing/reliability.md.
// Must not know: how a life is made: judges see events and states.
/** The invariants, by their numbers in docs/contributing/reliability.md. */
export const invariants = {
  I1: 'no orphan: every object on the service is in state exactly once after one healthy up',
  I2: 'no duplicate',
  I3: 'no lost update: what is declared is what is live',
  I4: 'one healthy up converges: preview and refresh are then empty',
  I5: 'the state equals the service after a refresh',
  I6: 'nothing is dropped from state by mistake, and what others made is left alone',
  I9: 'attempts and time are bounded: a run that nothing hinders succeeds',
  I10: 'no silent success: what is reported as done is done',
  I11: 'one id is never in two state entries',
  I12: 'check and diff send nothing',
  I13: 'no window: nobody gets in on the way, and what is declared alike before and after is live all the time',
  I14: 'no duplicate send: after an ambiguous answer a look-up comes before the same create',
} as const;

export type Invariant = keyof typeof invariants;

/** An invariant does not hold. */
export class Broken extends Error {
  constructor(
    readonly invariant: Invariant,
    readonly detail: string,
  ) {
    super(`${invariant} (${invariants[invariant]}) is broken: ${detail}`);
  }
}

export function requireInvariant(holds: boolean, invariant: Invariant, detail: () => string): void {
  if (!holds) throw new Broken(invariant, detail());
}
