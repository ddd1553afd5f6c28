import { isPartialFailure, PartialFailure } from '../errors/partial-failure';
import { messageForUser } from '../errors/user-error';
import type { RunContext } from '../run/ledger';
import type { AnyLifecycle } from './lifecycle';
import type { ResourceType } from './provider-reference';

/**
 * A lifecycle for an engine that repeats calls. For an on-error hook it repeats a create or an update with the arguments of the
 * first call, and only the last answer reaches the state. So a repeated call goes on from what the failed one has left, and
 * leaves that if it gets no further. Otherwise rules of the first call would be in no state.
 */
export function goingOn(
  type: ResourceType,
  lifecycle: AnyLifecycle,
  getContext: () => RunContext,
): AnyLifecycle {
  /** Does a call, from the start or, if it has failed in part before, from what that has left. */
  const during = async <Outcome>(
    call: readonly unknown[],
    work: { readonly start: () => Promise<Outcome>; goOn(left: PartialFailure): Promise<Outcome> },
  ): Promise<Outcome> => {
    const { leftOpen } = getContext().ledger;
    const key = JSON.stringify([type, ...call]);
    const left = leftOpen.get(key);
    try {
      const outcome = await (isPartialFailure(left) ? work.goOn(left) : work.start());
      leftOpen.delete(key);
      return outcome;
    } catch (error) {
      const failure = isPartialFailure(left) ? stillLeft(left, error) : error;
      if (isPartialFailure(failure)) leftOpen.set(key, failure);
      throw failure;
    }
  };
  return {
    ...lifecycle,
    create: (inputs) =>
      during([inputs], {
        start: () => lifecycle.create(inputs),
        goOn: async ({ id, state }) => ({ id, state: await lifecycle.update(id, state, inputs) }),
      }),
    update: (id, olds, news) =>
      during([id, olds, news], {
        start: () => lifecycle.update(id, olds, news),
        goOn: ({ state }) => lifecycle.update(id, state, news),
      }),
  };
}

const stillLeft = ({ id, state }: PartialFailure, error: unknown): unknown =>
  isPartialFailure(error) ? error : new PartialFailure({ id, state, reasons: [messageForUser(error)] });
