// The rule about accounts at each step of a resource. State written with another key than the one in use needs proof: its
// resource counts as gone only if the key has shown that it knows the account. A new key of the same account cannot be told
// from a key of another one.
import { SERVICE_KEY, withoutAbsent, withoutService } from '../fields/field';
import { isPartialFailure, isSettled, PartialFailure } from '../errors/partial-failure';
import { UserError } from '../errors/user-error';
import type { RunContext } from '../run/run-record';
import { type Marked, noObject, ofUnknownAccounts, whyUnknown } from './known-account';
import type { AnyLifecycle } from './lifecycle';
import type { ResourceType } from './provider-reference';

/** A lifecycle that follows the rule. Every state that it returns gets the mark of the settings that were used. */
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
  const isKnown = async (id: string, state: Marked, found: Marked | undefined): Promise<boolean> => {
    if (isShown(found)) return true;
    const { account, client } = getContext();
    return (await ofUnknownAccounts([{ type, id, state }], { client, mark: account.mark })).length === 0;
  };
  const lookFirst = async (id: string, olds: Marked): Promise<void> => {
    if (olds.account === getContext().account.mark) return;
    const found = await lifecycle.read(id, olds);
    if (!(await isKnown(id, olds, found?.state))) throw new UserError(whyUnknown([{ id }]));
  };
  return {
    check(olds, news) {
      // With ignoreChanges, the engine passes in what the inputs in state have.
      const { inputs, failures, warnings } = lifecycle.check(withoutService(olds), withoutService(news));
      const { shownAddress, wrongSettings } = getContext().account;
      return {
        inputs: withoutAbsent({ ...inputs, [SERVICE_KEY]: shownAddress }),
        // An operation would fail. On the dynamic host nothing else says so at a preview.
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
      const found = await lifecycle.read(id, prior);
      // A look-up has no state that could be lost. The engine would take an empty answer of the dynamic host for an object.
      const isLookUp = Object.keys(prior).length === 0;
      if (isLookUp && found === undefined) throw new UserError(`${noObject(type, id)}.`);
      if (isLookUp || (await isKnown(id, prior, found?.state)))
        return found && { ...found, state: marked(found.state) };
      // An empty set loses nothing, and stays of the account whose mark it has.
      if (!isEmpty(prior)) throw new UserError(whyUnknown([{ id }]));
      return found && { ...found, state: withMark(found.state, (prior as Marked).account) };
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
const isShown = (found: Marked | undefined): boolean => found !== undefined && !isEmpty(found);

const isEmpty = ({ ruleIdList }: Marked): boolean => ruleIdList === '';

/** One line for all resources of a provider: after a key rotation, every state has the mark of the old key. */
const OTHER_KEY =
  'Resources in the state were last written or read with a key or at an address that differs from those of this provider. ' +
  'Unchanged ones were not looked up: if the key belongs to another account, their objects are not there. Run "pulumi refresh" ' +
  'after the update: it fails for every object that the key cannot find; if it succeeds, this warning goes away; see ' +
  'docs/rotate-keys.md ' +
  'in the package pulumi-edge-policy.';
