// What for: the watches: each holds some invariants of docs/contributing/reliability.md.
// Must not know: how a life is made: watches see events and states.
import { type Invariant, invariants } from '../../support/invariants';

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
