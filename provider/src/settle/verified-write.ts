import { isAmbiguous } from '../api/errors';
import { PartialFailure } from '../errors/partial-failure';
import { messageForUser, UserError } from '../errors/user-error';

/** A write of absolute values whose outcome a read can tell. */
export interface VerifiableWrite<Wire> {
  readonly write: () => Promise<Wire>;
  readonly read: () => Promise<Wire | undefined>;
  /** The names of the fields in which the live object is not what the write sent. */
  readonly differing: (live: Wire) => readonly string[];
}

/** How a write ended: `live` is what the service holds as far as it could be learned. */
export type WriteOutcome<Wire> =
  | { readonly isWritten: true; readonly live: Wire }
  | { readonly isWritten: false; readonly live: Wire | undefined; readonly cause: unknown };

/**
 * Writes, and where the answer leaves the outcome open, or shows something else than was sent, reads and compares.
 *
 * @throws the write's own error where the service definitely refused it.
 */
export async function writeVerified<Wire>(attempt: VerifiableWrite<Wire>): Promise<WriteOutcome<Wire>> {
  let cause: unknown;
  try {
    const answered = await attempt.write();
    const differing = attempt.differing(answered);
    if (differing.length === 0) return { isWritten: true, live: answered };
    cause = answeredOtherwise(differing);
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    cause = error;
  }
  const live = await readIfPossible(attempt.read);
  if (live !== undefined && attempt.differing(live).length === 0) return { isWritten: true, live };
  return { isWritten: false, live, cause };
}

/** Names the fields only: what was sent may be secret. */
const answeredOtherwise = (fields: readonly string[]): UserError =>
  new UserError(`the service answered with values other than those sent for: ${fields.join(', ')}`);

async function readIfPossible<Wire>(read: () => Promise<Wire | undefined>): Promise<Wire | undefined> {
  try {
    return await read();
  } catch {
    // The write's own failure is the one to report: it says more than that the read failed too.
    return undefined;
  }
}

/** The failure that keeps a resource in state whose write may have happened or not. */
export function notAsDeclared<Wire>(failed: {
  readonly id: string;
  readonly state: object;
  readonly outcome: WriteOutcome<Wire> & { readonly isWritten: false };
}): PartialFailure {
  const { id, state, outcome } = failed;
  const seen =
    outcome.live === undefined
      ? 'the live values could not be read'
      : 'the live values differ from those sent';
  return new PartialFailure({
    id,
    state,
    reasons: [
      `${id} may differ from what is declared: ${messageForUser(outcome.cause)}; ${seen}. Run "pulumi up" again: it compares and writes what is left.`,
    ],
  });
}
