import { type Properties, withoutAbsent } from '../fields/field';

/**
 * The resource exists, or may exist, but is not as declared. The engine keeps the id and these properties in state, and the
 * next `up` runs update even if nothing differs. No other error has an `id`: the host takes any truthy one for "created".
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

export const isPartialFailure = (error: unknown): error is PartialFailure =>
  error instanceof Error && error.name === 'PartialFailure' && 'state' in error;

/** The mark of a state after a write with an open outcome: the object is as the other properties say, or as was sent. */
export interface Settleable {
  /** Since then (RFC 3339) the live object may differ. An update compares and clears this; so does a refresh, but of a set. */
  readonly unsettledSince?: string;
  /** The inputs that were sent. Those that are secret, or not known, are left out. */
  readonly unsettledInputs?: Properties;
}

export const isSettled = ({ unsettledSince }: Settleable): boolean => unsettledSince === undefined;

export const unsettled = <State extends object>(
  state: State,
  { sinceMs, sent }: { readonly sinceMs: number; readonly sent: Properties },
): State & Settleable => ({
  ...state,
  unsettledSince: new Date(sinceMs).toISOString(),
  unsettledInputs: sent,
});
