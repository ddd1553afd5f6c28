// The rule about accounts: a resource whose state was written with another key, or at another address, counts as gone only if the
// service proves that it knows the account. A new key of the same account cannot be told from a key of another one, in which
// every object is missing.
import { UserError } from '../errors/user-error';
import { idsIn } from '../ownership/object-key';
import type { RunContext } from '../settle/ledger';
import type * as sharedListModule from '../settle/shared-list';
import type { AnyLifecycle } from './lifecycle';

/** The part of a state that the rule needs. */
interface Marked {
  /** A mark of the key and address with which it was written; see `settings/account.ts`. */
  readonly account?: string;
  readonly ipPolicyId?: string;
  readonly ruleIdList?: string;
}

/** A lifecycle that follows the rule. Every state that it returns gets the mark of the settings that were used. */
export function withinAccount(lifecycle: AnyLifecycle, getContext: () => RunContext): AnyLifecycle {
  const marked = <State extends object>(state: State): State => {
    const { account } = getContext();
    return account === undefined ? state : { ...state, account: account.mark };
  };
  const isForeign = ({ account: mark }: Marked): boolean => {
    const { account } = getContext();
    return mark !== undefined && account !== undefined && mark !== account.mark;
  };
  const lookFirst = async (id: string, olds: object): Promise<void> => {
    await requireProof(getContext(), { id, olds, found: (await lifecycle.read(id, olds))?.state });
  };
  return {
    check: (olds, news) => lifecycle.check(olds, news),
    diff(id, olds, news, isDeclared) {
      const { account: mark } = olds as Marked;
      const { account, warn } = getContext();
      if (isDeclared && isForeign(olds) && account?.isKnown === true) warn(OTHER_KEY);
      // With the dynamic host, the engine does not ask whether a provider with another address means other resources.
      if (!isDeclared || mark === undefined || account?.isElsewhere(mark) !== true)
        return lifecycle.diff(id, olds, news, isDeclared);
      return { changes: true, replaces: ['baseUrl'], deleteBeforeReplace: true };
    },
    async create(inputs) {
      const { id, state } = await lifecycle.create(inputs);
      return { id, state: marked(state) };
    },
    async read(id, prior) {
      const found = await lifecycle.read(id, prior);
      if (isForeign(prior)) await requireProof(getContext(), { id, olds: prior, found: found?.state });
      return found && { ...found, state: marked(found.state) };
    },
    async update(id, olds, news) {
      if (isForeign(olds)) await lookFirst(id, olds);
      return marked(await lifecycle.update(id, olds, news));
    },
    async delete(id, olds) {
      if (isForeign(olds)) await lookFirst(id, olds);
      await lifecycle.delete(id, olds);
    },
  };
}

/** One line for all resources of a provider: after a key was rotated, every state has the mark of the old one. */
const OTHER_KEY =
  'Resources in the state were last written or read with another key, or at another address, than this provider has now. ' +
  'An unchanged one was not looked up: if the key belongs to another account, its object is not there. Run "pulumi refresh" ' +
  'after the up: it fails for each object that the key does not find, and otherwise this warning ends; see docs/rotate-keys.md ' +
  'in the package pulumi-edge-policy.';

interface Sought {
  readonly id: string;
  readonly olds: Marked;
  /** The state of a live resource; a set is live even if it has lost all of its rules. */
  readonly found: Marked | undefined;
}

/** @throws UserError if nothing proves that the service knows the account of the state. */
async function requireProof({ client }: RunContext, { id, olds, found }: Sought): Promise<void> {
  const ids = idsIn(olds.ruleIdList ?? '');
  const live = new Set(idsIn(found?.ruleIdList ?? ''));
  if (found !== undefined && (ids.length === 0 || ids.some((rule) => live.has(rule)))) return;
  if (olds.ipPolicyId !== undefined) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- seldom needed
    const { sharedListOf } = require('../settle/shared-list') as typeof sharedListModule;
    const { rules } = await sharedListOf(client).whole(client.startOperation());
    // A policy belongs to one account.
    if ([...rules.values()].some(({ ipPolicyId }) => ipPolicyId === olds.ipPolicyId)) return;
  }
  throw new UserError(
    `The service shows nothing of ${id}, and the provider's key or address is not the one that the state was written with. ` +
      `It does not count as gone, as the key may be one of another account. Set a key of the account that holds it, or, if it is ` +
      `gone, remove it from the state ("pulumi state delete"); see docs/rotate-keys.md in the package pulumi-edge-policy.`,
  );
}
