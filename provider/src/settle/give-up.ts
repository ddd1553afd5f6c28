import { isCalledOff } from '../api/errors';
import type { Standing } from './holdings';
import type { IsLeaving } from './presence';
import type { Tools } from './tools';

/** What became of an object whose resource gave it up. */
export type GivenUp = 'deleted' | 'kept';

type Remove = (isLeaving: IsLeaving) => Promise<void>;

/**
 * Deletes a live object, unless another resource of this run stands for it, or takes it over.
 *
 * @throws UserError where the resource that was to take the object over failed.
 */
export async function giveUp(tools: Tools, standing: Standing, remove: Remove): Promise<GivenUp> {
  const { holdings } = tools.ledger;
  const mayGo = await holdings.waiting(() =>
    holdings.leave(standing, { clock: tools.client.clock, warn: tools.warn }),
  );
  return mayGo ? deleteUnlessHeld(tools, standing, remove) : 'kept';
}

/**
 * Deletes a live object, unless another resource stands for it: asked when everything else that is done to the object has
 * ended, and again before each attempt.
 */
export function deleteUnlessHeld({ ledger }: Tools, standing: Standing, remove: Remove): Promise<GivenUp> {
  const isLeaving = (): boolean => !ledger.holdings.isProtected(standing);
  return ledger.oneAtATime(standing.id, async () => {
    if (!isLeaving()) return 'kept';
    try {
      await remove(isLeaving);
    } catch (error) {
      if (isCalledOff(error)) return 'kept';
      throw error;
    }
    ledger.holdings.release(standing);
    return 'deleted';
  });
}
