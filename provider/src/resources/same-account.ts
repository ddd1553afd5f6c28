// The rule about accounts at each step of a resource. State written with another key than the one in use needs proof: its
// resource counts as gone only if the key has shown that it knows the account. A new key of the same account cannot be told
// from a key of another one.
import { SERVICE_KEY, withoutAbsent, withoutService } from '../fields/field';
import { isPartialFailure, PartialFailure } from '../errors/partial-failure';
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
  const marked = <State extends object>(state: State): State => ({
    ...state,
    account: getContext().account.mark,
  });
  const marking = async <Outcome>(work: Promise<Outcome>): Promise<Outcome> => {
    try {
      return await work;
    } catch (error) {
      if (!isPartialFailure(error)) throw error;
      const { id, state, reasons } = error;
      throw new PartialFailure({ id, state: marked(state), reasons });
    }
  };
  /** @throws UserError if the service shows neither the resource nor its account. */
  const requireKnown = async (id: string, state: Marked, found: Marked | undefined): Promise<void> => {
    if (isShown(state, found)) return;
    const { account, client } = getContext();
    const unknown = await ofUnknownAccounts([{ type, id, state }], { client, mark: account.mark });
    if (unknown.length > 0) throw new UserError(whyUnknown(unknown));
  };
  const lookFirst = async (id: string, olds: Marked): Promise<void> => {
    if (olds.account === getContext().account.mark) return;
    await requireKnown(id, olds, (await lifecycle.read(id, olds))?.state);
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
      if (Object.keys(prior).length > 0) await requireKnown(id, prior, found?.state);
      // A look-up has no state that could be lost. The engine would take an empty answer of the dynamic host for an object.
      else if (found === undefined) throw new UserError(`${noObject(type, id)}.`);
      return found && { ...found, state: marked(found.state) };
    },
    async update(id, olds, news) {
      await lookFirst(id, olds);
      return marked(await marking(lifecycle.update(id, olds, withoutService(news))));
    },
    async delete(id, olds) {
      await lookFirst(id, olds);
      await lifecycle.delete(id, olds);
    },
  };
}

/** Whether a live resource proves its account. A set without its rules does not: an account that has none also reads it. */
const isShown = (olds: Marked, found: Marked | undefined): boolean =>
  found !== undefined && (found.ruleIdList !== '' || olds.ruleIdList === '');

/** One line for all resources of a provider: after a key rotation, every state has the mark of the old key. */
const OTHER_KEY =
  'Resources in the state were last written or read with a key or at an address that differs from those of this provider. ' +
  'Unchanged ones were not looked up: if the key belongs to another account, their objects are not there. Run "pulumi refresh" ' +
  'after the update: it fails for every object that the key cannot find; if it succeeds, this warning goes away; see ' +
  'docs/rotate-keys.md ' +
  'in the package pulumi-edge-policy.';
