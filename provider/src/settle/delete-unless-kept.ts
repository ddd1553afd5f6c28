import { isAmbiguous, isCalledOff } from '../api/errors';
import { messageForUser, UserError } from '../errors/user-error';
import type { Ownership } from '../ownership/ownership';
import { Blocked } from '../ownership/patience';
import type { RunContext } from './ledger';
import type { IsLeaving } from './presence';

/** What became of an object whose resource gave it up. */
export type GivenUp = 'deleted' | 'kept';

interface Owned {
  /** What the ledger knows the object by. */
  readonly key: string;
  /** The set that gives it up; without it, a resource that owns nothing else. */
  readonly set?: string;
}

/**
 * Deletes a live object, unless another resource owns it: asked when everything else that is done to the object has ended, and
 * again before each attempt, until one may have had its effect.
 */
export function deleteUnlessKept(
  { ledger }: Pick<RunContext, 'ledger'>,
  { key, set }: Owned,
  remove: (isLeaving: IsLeaving) => Promise<void>,
): Promise<GivenUp> {
  const { ownership } = ledger;
  return ledger.oneAtATime(key, async () => {
    if (!ownership.beginDelete(key, set)) return 'kept';
    try {
      await remove(() => ownership.beginDelete(key, set));
    } catch (error) {
      ownership.endDelete(key);
      if (isCalledOff(error)) return 'kept';
      throw error;
    }
    ownership.noteGone(key);
    return 'deleted';
  });
}

/**
 * Asked before an object is changed.
 *
 * @throws Blocked where the process of another provider has taken it over, or may still delete it: an entry of state that a former
 * run has left owns it, too.
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

/** State keeps a resource whose delete failed, and nothing marks there that its object may be gone: the next `up` would not look. */
export const mayStillGo = (id: string, error: unknown): unknown =>
  isAmbiguous(error)
    ? new UserError(
        `${id} may or may not be deleted, as the answer was lost: ${messageForUser(error)}. Before a change that declares it ` +
          `again, run "pulumi refresh".`,
      )
    : error;
