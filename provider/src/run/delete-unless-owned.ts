import { isAmbiguous, isCalledOff } from '../api/errors';
import { messageForUser, UserError } from '../errors/user-error';
import type { Owner, Ownership } from './ownership';
import { Blocked } from './patience';
import type { RunContext } from './ledger';
import type { IsLeaving } from './presence';

/** `kept`: another resource owns the object, so nothing was sent. */
export type DeleteOutcome = 'deleted' | 'kept';

interface ToDelete {
  /** The key of the object. */
  readonly key: string;
  /** The call that gives the object up. */
  readonly owner: Owner;
}

/**
 * Deletes a live object unless another resource owns it. Ownership is checked when all other work on the object has ended, and
 * again before each attempt, until an attempt may have had its effect.
 */
export function deleteUnlessOwned(
  { ledger }: Pick<RunContext, 'ledger'>,
  { key, owner }: ToDelete,
  remove: (isLeaving: IsLeaving) => Promise<void>,
): Promise<DeleteOutcome> {
  const { ownership } = ledger;
  return ledger.oneAtATime(key, async () => {
    if (!ownership.beginDelete(key, owner)) return 'kept';
    try {
      await remove(() => ownership.beginDelete(key, owner));
    } catch (error) {
      if (!isCalledOff(error)) {
        ownership.failDelete(key);
        throw error;
      }
      ownership.callOffDelete(key);
      return 'kept';
    }
    ownership.noteGone(key);
    return 'deleted';
  });
}

/**
 * Checks before a change that the object stays.
 *
 * @throws Blocked if another process of the run has taken it over or may still delete it, as a second entry of state, left by an
 * earlier run, owns it, too.
 */
export function requireStaying(
  ownership: Pick<Ownership, 'isClaimedElsewhere'>,
  { key, name }: { readonly key: string; readonly name: string },
): void {
  if (!ownership.isClaimedElsewhere(key)) return;
  throw new Blocked(() =>
    Promise.resolve(
      new UserError(
        `The ${name} was not changed, as a resource of another provider takes it over or deletes it in this run. Run "pulumi ` +
          `refresh", then "pulumi up".`,
      ),
    ),
  );
}

/** A resource whose delete failed stays in state, and nothing there says that its object may be gone: the next `up` would not look. */
export const mayStillGo = (id: string, error: unknown): unknown =>
  isAmbiguous(error)
    ? new UserError(
        `${id} may or may not be deleted, as the answer was lost: ${messageForUser(error)}. Before a change that declares it ` +
          `again, run "pulumi refresh".`,
      )
    : error;
