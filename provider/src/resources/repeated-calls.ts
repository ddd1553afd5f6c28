import { isPartialFailure, PartialFailure } from '../errors/partial-failure';
import { messageForUser, UserError } from '../errors/user-error';
import { COMMAND_LINE } from '../errors/words';
import type { RunContext } from '../run/run-record';
import type { AnyLifecycle } from './lifecycle';
import type { ResourceType } from './provider-reference';

/**
 * A lifecycle for an engine that repeats calls. For an on-error hook the engine repeats a create or an update with the
 * arguments of the first call, and only the last answer reaches the state. So a repeated call continues from what the failed
 * one has left, and leaves that if it gets no further. Otherwise no state would hold the rules of the first call. CLI 3.274
 * repeats a partly failed create as an update, and forgets the object if that update fails entirely. A create of another resource
 * with the same inputs is no repetition, or two entries of the state would have one id.
 */
export function continuingFailedCalls(
  type: ResourceType,
  lifecycle: AnyLifecycle,
  getContext: () => RunContext,
): AnyLifecycle {
  /** Makes a call, from the start or from what an earlier, partly failed one has left. */
  const during = async <Outcome>(
    key: string,
    work: { readonly start: () => Promise<Outcome>; goOn(left: Left): Promise<Outcome> },
    madeInPart?: Left,
  ): Promise<Outcome> => {
    const { partialFailures } = getContext().record;
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
    create: async (inputs, caller) => {
      const key = JSON.stringify([caller ?? type, inputs]);
      const left = getContext().record.partialFailures.get(key);
      if (left !== undefined && caller === undefined) throw oneOfSeveral(left.id);
      return during(key, {
        start: () => lifecycle.create(inputs, caller),
        goOn: async ({ id, state }) => ({ id, state: await lifecycle.update(id, state, inputs) }),
      });
    },
    update: (id, olds, news) =>
      during(
        JSON.stringify([type, id, olds, news]),
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

/** If the call is a repetition after all, no state holds the object: the message names it. */
const oneOfSeveral = (id: string): UserError =>
  new UserError(
    `This resource was not created: an earlier create of this run with the same inputs failed in part and made ${id}. Several ` +
      `resources of the program have these inputs, so this call may be a repetition by an error hook, or another resource. Remove ` +
      `all of them but one, and run "pulumi up" again. Then "${COMMAND_LINE} drift" shows what no resource manages.`,
  );
