import { isAmbiguous } from '../api/errors';
import { PartialFailure } from '../errors/partial-failure';
import { messageForUser, UserError } from '../errors/user-error';
import { untilRead, type Waiting } from './service-times';

/** A read can find out the outcome, as the values are absolute. */
export interface VerifiableWrite<Wire> extends Waiting {
  readonly write: () => Promise<Wire>;
  readonly read: () => Promise<Wire | undefined>;
  /** The names of the fields in which the live object differs from what was sent. */
  readonly differing: (live: Wire) => readonly string[];
}

/** The result of a write. `live` is the live object, as far as it could be learned. */
export type WriteOutcome<Wire> =
  | { readonly isWritten: true; readonly live: Wire }
  | { readonly isWritten: false; readonly live: Wire | undefined; readonly cause: unknown };

/**
 * If the answer leaves the outcome open, or shows other values than those sent, the live object is read and compared.
 * @throws the write's own error if the service definitely refused it.
 */
export async function writeVerified<Wire>(attempt: VerifiableWrite<Wire>): Promise<WriteOutcome<Wire>> {
  const startedAtMs = attempt.client.clock.monotonicMs();
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
  // Values that were live before a delete or another update may equal those that were sent.
  await untilRead(attempt, startedAtMs);
  const live = await readIfPossible(attempt.read);
  if (live !== undefined && attempt.differing(live).length === 0) return { isWritten: true, live };
  return { isWritten: false, live, cause };
}

/** Names only the fields, as their values may be secret. */
const answeredOtherwise = (fields: readonly string[]): UserError =>
  new UserError(`the service returned values that differ from those sent: ${fields.join(', ')}`);

async function readIfPossible<Wire>(read: () => Promise<Wire | undefined>): Promise<Wire | undefined> {
  try {
    return await read();
  } catch {
    // The caller reports the failure of the write, which is the more useful one.
    return undefined;
  }
}

/** Keeps a resource in state if its write may have happened. */
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
      `${id} may differ from what is declared: ${messageForUser(outcome.cause)}; ${seen}. Run "pulumi up" again: it compares and ` +
        `sends what is left.`,
    ],
  });
}
