import { isAmbiguous, isCalledOff } from '../api/errors';
import { messageForUser, UserError } from '../errors/user-error';
import type { Claim } from './holdings';
import type { IsLeaving } from './presence';
import type { RunContext } from './ledger';

/** What became of an object whose resource gave it up. */
export type GivenUp = 'deleted' | 'kept';

type Remove = (isLeaving: IsLeaving) => Promise<void>;

/**
 * Deletes a live object, unless another resource of this run stands for it, or takes it over.
 *
 * @throws UserError where the resource that was to take the object over failed.
 */
export async function giveUp(context: RunContext, claim: Claim, remove: Remove): Promise<GivenUp> {
  const { holdings } = context.ledger;
  const mayGo = await holdings.activity.waiting(() =>
    holdings.leave(claim, { clock: context.client.clock, warn: context.warn }),
  );
  if (!mayGo) return 'kept';
  try {
    return await deleteUnlessHeld(context, claim, remove);
  } catch (error) {
    throw isAmbiguous(error) ? mayStillGo(claim.id, error) : error;
  }
}

/**
 * Deletes a live object, unless another resource stands for it: asked when everything else that is done to the object has
 * ended, and again before each attempt until one may have had its effect: from then on a diff is told that it comes too late.
 */
export function deleteUnlessHeld({ ledger }: RunContext, claim: Claim, remove: Remove): Promise<GivenUp> {
  const isLeaving = (): boolean => !ledger.holdings.isProtected(claim);
  return ledger.oneAtATime(claim.id, async () => {
    if (!isLeaving()) return 'kept';
    try {
      await remove(() => {
        const maySend = isLeaving();
        ledger.holdings.noteGoing(claim.id, maySend);
        return maySend;
      });
    } catch (error) {
      if (isCalledOff(error)) return 'kept';
      throw error;
    } finally {
      ledger.holdings.noteGoing(claim.id, false);
    }
    ledger.holdings.release(claim);
    return 'deleted';
  });
}

/** State keeps the resource, and nothing marks there that its object may be gone: the next `up` would not look. */
const mayStillGo = (id: string, error: unknown): UserError =>
  new UserError(
    `${id} may or may not be deleted, as the answer was lost: ${messageForUser(error)}. Before a change that declares it ` +
      `again, run "pulumi refresh".`,
  );
