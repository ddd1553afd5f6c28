import { isPartialFailure, PartialFailure } from '../errors/partial-failure';
import { messageForUser } from '../errors/user-error';
import type { RunContext } from '../run/run-record';
import type { AnyLifecycle } from './lifecycle';
import type { ResourceType } from './provider-reference';

/**
 * A lifecycle for an engine that repeats calls. For an on-error hook the engine repeats a create or an update with the
 * arguments of the first call, and only the last answer reaches the state. So a repeated call continues from what the failed
 * one has left, and leaves that if it gets no further. Otherwise no state would hold the rules of the first call. CLI 3.274
 * repeats a partly failed create as an update, and forgets the object if that update fails entirely.
 */
export function continuingFailedCalls(
  type: ResourceType,
  lifecycle: AnyLifecycle,
  getContext: () => RunContext,
): AnyLifecycle {
  /** Makes a call, from the start or from what an earlier, partly failed one has left. */
  const during = async <Outcome>(
    call: readonly unknown[],
    work: { readonly start: () => Promise<Outcome>; goOn(left: Left): Promise<Outcome> },
    madeInPart?: Left,
  ): Promise<Outcome> => {
    const { partialFailures } = getContext().record;
    const key = JSON.stringify([type, ...call]);
    const left = partialFailures.get(key) ?? madeInPart;
    try {
      const outcome = await (left === undefined ? work.start() : work.goOn(left));
      partialFailures.delete(key);
      return outcome;
    } catch (error) {
      const failure = left === undefined ? error : stillLeft(left, error);
      if (isPartialFailure(failure)) partialFailures.set(key, failure);
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
      during(
        [id, olds, news],
        {
          start: () => lifecycle.update(id, olds, news),
          goOn: ({ state }) => lifecycle.update(id, state, news),
        },
        [...getContext().record.partialFailures.values()].some((failure) => failure.id === id)
          ? { id, state: olds }
          : undefined,
      ),
  };
}

/** What a call that failed in part has left. */
type Left = Pick<PartialFailure, 'id' | 'state'>;

const stillLeft = ({ id, state }: Left, error: unknown): unknown =>
  isPartialFailure(error) ? error : new PartialFailure({ id, state, reasons: [messageForUser(error)] });
