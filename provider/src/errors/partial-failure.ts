import { type Properties, withoutAbsent } from '../fields/field';

/**
 * The resource exists, or may exist, but is not as declared. The engine then keeps the id and these properties in state, and
 * the next `up` runs update even if nothing differs. No other error has an `id`: the host takes a truthy one on any error for
 * "created".
 */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';
  readonly id: string;
  readonly state: object;
  readonly reasons: readonly string[];

  constructor(failure: { id: string; state: object; reasons: readonly string[] }) {
    super(failure.reasons.join('\n'));
    this.id = failure.id;
    this.state = withoutAbsent(failure.state);
    this.reasons = failure.reasons;
  }
}

/** Whether an error says that the resource exists but is not as declared. */
export const isPartialFailure = (error: unknown): error is PartialFailure =>
  error instanceof Error && error.name === 'PartialFailure' && 'state' in error;

/**
 * The mark of a state after a write that may have had another effect than the state shows. The other properties hold what was known
 * to be live, the mark what was sent: the object is the one or the other.
 */
export interface Settleable {
  /**
   * Since then (RFC 3339, by the clock of the service) the live object may differ from state. The next update compares the two, even
   * if it changes nothing, and clears this. So does a refresh, except of a set.
   */
  readonly unsettledSince?: string;
  /** The inputs that were sent. Those that are secret, or not known, are left out. */
  readonly unsettledInputs?: Properties;
}

/** Whether state is known to say what is live: all failures that it records have been dealt with. */
export const isSettled = ({ unsettledSince }: Settleable): boolean => unsettledSince === undefined;

/** A state with the mark. */
export const unsettled = <State extends object>(
  state: State,
  { sinceMs, sent }: { readonly sinceMs: number; readonly sent: Properties },
): State & Settleable => ({
  ...state,
  unsettledSince: new Date(sinceMs).toISOString(),
  unsettledInputs: sent,
});
