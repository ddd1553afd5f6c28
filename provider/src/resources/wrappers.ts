import { fieldsOf, type Properties, SERVICE_KEY, withoutAbsent, withoutService } from '../fields/field';
import { isPartialFailure, isSettled, PartialFailure } from '../errors/partial-failure';
import { messageForUser, UserError } from '../errors/user-error';
import type { RunContext } from '../run/run-record';
import { type Marked, noObject, ofUnknownAccounts, whyUnknown } from './known-account';
import type { AnyLifecycle } from './lifecycle';
import { isModuleType, type ResourceType } from './provider-reference';
import { COMMAND_LINE } from '../errors/words';

/**
 * State written with another key needs proof: its resource counts as gone only if the service shows this key another object of the
 * account. A new key of the same account cannot be told from one of another. Every returned state gets the mark of the settings
 * in use.
 */
export function withinAccount(
  type: ResourceType,
  lifecycle: AnyLifecycle,
  getContext: () => RunContext,
): AnyLifecycle {
  const marked = <State extends object>(state: State): State => withMark(state, getContext().account.mark);
  const marking = async <Outcome>(work: Promise<Outcome>): Promise<Outcome> => {
    try {
      return await work;
    } catch (error) {
      if (!isPartialFailure(error)) throw error;
      const { id, state, reasons } = error;
      throw new PartialFailure({ id, state: marked(state), reasons });
    }
  };
  /** Whether the service shows the resource, or else its account. */
  const isKnown = async (id: string, state: Marked, live: Marked | undefined): Promise<boolean> => {
    if (isShown(live)) return true;
    const { account, client } = getContext();
    return (await ofUnknownAccounts([{ type, id, state }], { client, mark: account.mark })).length === 0;
  };
  const lookFirst = async (id: string, olds: Marked): Promise<void> => {
    if (olds.account === getContext().account.mark) return;
    const live = await lifecycle.read(id, olds);
    if (!(await isKnown(id, olds, live?.state))) throw new UserError(whyUnknown([{ id }]));
  };
  return {
    check(olds, news) {
      // With ignoreChanges, the engine passes in what the inputs in state have.
      const { inputs, failures, warnings } = lifecycle.check(withoutService(olds), withoutService(news));
      const { shownAddress, wrongSettings } = getContext().account;
      return {
        inputs: withoutAbsent({ ...inputs, [SERVICE_KEY]: shownAddress }),
        // An operation would fail. On the dynamic host nothing else shows that at a preview.
        failures: [...failures, ...wrongSettings],
        warnings,
      };
    },
    diff(id, olds, news, isDeclared) {
      const { account: mark } = olds as Marked;
      const { account, warn } = getContext();
      if (isDeclared && mark !== undefined && mark !== account.mark && account.isKnown) warn(OTHER_KEY);
      // With the dynamic host, the engine does not ask whether a provider with another address means other resources.
      if (!isDeclared || mark === undefined || !account.isElsewhere(mark))
        return lifecycle.diff(id, olds, news, isDeclared);
      return { changes: true, replaces: ['baseUrl'], deleteBeforeReplace: true };
    },
    async create(inputs, caller) {
      const { id, state } = await marking(lifecycle.create(withoutService(inputs), caller));
      return { id, state: marked(state) };
    },
    async read(id, prior) {
      const live = await lifecycle.read(id, prior);
      // A look-up has no state that could be lost. The engine would take an empty answer of the dynamic host for an object.
      const isLookUp = Object.keys(prior).length === 0;
      if (isLookUp && live === undefined) throw new UserError(`${noObject(type, id)}.`);
      if (isLookUp || (await isKnown(id, prior, live?.state)))
        return live && { ...live, state: marked(live.state) };
      // An empty set loses nothing, and stays of the account whose mark it has.
      if (!isEmpty(prior)) throw new UserError(whyUnknown([{ id }]));
      return live && { ...live, state: withMark(live.state, (prior as Marked).account) };
    },
    async update(id, olds, news) {
      await lookFirst(id, olds);
      return marked(await marking(lifecycle.update(id, olds, withoutService(news))));
    },
    async delete(id, olds) {
      if (!isEmpty(olds) || !isSettled(olds)) await lookFirst(id, olds);
      await lifecycle.delete(id, olds);
    },
  };
}

const withMark = <State extends object>(state: State, account: string | undefined): State => ({
  ...state,
  ...(account !== undefined && { account }),
});

/** Whether what the service shows proves the account. A set without rules does not: an account that has none also reads it. */
const isShown = (live: Marked | undefined): boolean => live !== undefined && !isEmpty(live);

const isEmpty = ({ ruleIdList }: Marked): boolean => ruleIdList === '';

/** One line for all: after a key rotation, every state has the mark of the old key. */
const OTHER_KEY =
  'Resources in the state were last written or read with a key or at an address that differs from those of this provider. ' +
  'Unchanged ones were not looked up: if the key belongs to another account, their objects are not there. Run "pulumi refresh" ' +
  'after the update: it fails for every object that the key cannot find; if it succeeds, this warning goes away; see ' +
  'docs/rotate-keys.md ' +
  'in the package pulumi-edge-policy.';

/**
 * A lifecycle whose diff refuses the state of another type, which the engine hands over if an alias names such a resource: an
 * update would leave the live objects behind, in no state. A state of its own has the required properties, or only those that
 * identify it, as that of a module whose create got no answer.
 */
export const refusingOtherTypes = (
  type: ResourceType,
  fields: () => object,
  lifecycle: AnyLifecycle,
): AnyLifecycle => ({
  ...lifecycle,
  diff(id, olds, news, isDeclared) {
    const isWhole = isSettled(olds) || !isModuleType(type);
    const isOfOther = fieldsOf(fields()).some(
      ([name, { isRequired, identifies }]) =>
        isRequired === true &&
        (isWhole || identifies !== undefined) &&
        (olds as Properties)[name] === undefined,
    );
    if (isDeclared && isOfOther) throw otherType(type, id);
    return lifecycle.diff(id, olds, news, isDeclared);
  },
});

const otherType = (type: ResourceType, id: string): UserError =>
  new UserError(
    `An alias makes ${id}, a resource of another type, a resource of the type ${type}, which would leave its live objects in no ` +
      `state. Remove the alias. If the new resource declares the rules of the old one, also set overwriteExisting: true: it takes ` +
      `them over, and the delete of the old resource keeps them.`,
  );

/**
 * For an on-error hook the engine repeats a create or an update with the first arguments, and only the last answer reaches the
 * state. So a repeated call continues from what the failed one has left, or no state would hold the rules of the first call.
 * CLI 3.274 repeats a partly failed create as an update, and forgets the object if that fails entirely. A create of another
 * resource with the same inputs is no repetition, or two entries of the state would have one id.
 */
export function continuingFailedCalls(
  type: ResourceType,
  lifecycle: AnyLifecycle,
  getContext: () => RunContext,
): AnyLifecycle {
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
