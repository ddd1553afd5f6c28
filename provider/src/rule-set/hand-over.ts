import { messageForUser, UserError } from '../lifecycle/user-error';
import type { RunContext } from '../settle/context';
import type { Applied } from './apply';
import { listOf } from './failures';
import type { LiveRule } from './rule';
import type { IpPolicyRuleSetInputs } from './set-state';
import { standingOf } from './standing';

/** A set that is worked on. */
export interface SetAtWork {
  readonly context: RunContext;
  readonly id: string;
  readonly inputs: IpPolicyRuleSetInputs;
}

/** A rule that leaves the set, and what becomes of it: another resource takes it, it may be deleted, or it has to stay. */
interface Offer {
  readonly rule: LiveRule;
  readonly outcome: Promise<'taken' | 'free' | Error>;
}

/** The rules that leave a set for other resources of the program. */
export interface HandOver {
  readonly offers: readonly Offer[];
  /** Rules without those that others stand for, or are going to: they are not the set's to change. */
  readonly without: (rules: readonly LiveRule[]) => LiveRule[];
}

/**
 * Offers the rules that leave a set to the resources that are going to create them anew: sets and single rules that the
 * same change gives them to. They stay live meanwhile, and what nobody takes is deleted afterwards.
 *
 * @throws UserError where the set owns the whole policy and another resource stands for one of its rules.
 */
export function offerLeavingRules(
  { context, id, inputs }: SetAtWork,
  leaving: readonly LiveRule[],
): HandOver {
  const { client, ledger, warn } = context;
  const { holdings } = ledger;
  if (leaving.length === 0) return { offers: [], without: (rules) => [...rules] };
  const standings = leaving.map((rule) => ({ rule, standing: standingOf(id, inputs.ipPolicyId, rule) }));
  const held = standings.filter(({ standing }) => holdings.isProtected(standing));
  if (inputs.exclusive && held.length > 0) {
    throw exclusiveBesideOthers(
      inputs.ipPolicyId,
      held.map(({ rule }) => rule),
    );
  }
  const wanted = standings.filter(
    ({ standing }) => !holdings.isProtected(standing) && holdings.isSpokenFor(standing.place),
  );
  const offers = wanted.map(({ rule, standing }) => ({
    rule,
    outcome: holdings.leave(standing, { clock: client.clock, warn }).then(
      (mayGo) => (mayGo ? ('free' as const) : ('taken' as const)),
      (error: unknown) => new UserError(messageForUser(error)),
    ),
  }));
  const others = new Set([...held, ...wanted].map(({ rule }) => rule.id));
  return { offers, without: (rules) => rules.filter((rule) => !others.has(rule.id)) };
}

/** What became of the offers: rules that may be deleted now, and rules that stay, with the reasons. */
export async function settleOffers(
  { ledger }: RunContext,
  { offers }: HandOver,
): Promise<{ readonly free: LiveRule[]; readonly kept: LiveRule[]; readonly failures: string[] }> {
  const settled = await ledger.holdings.waiting(() =>
    Promise.all(offers.map(async ({ rule, outcome }) => ({ rule, outcome: await outcome }))),
  );
  const kept = settled.flatMap(({ rule, outcome }) =>
    outcome instanceof Error ? [{ rule, reason: outcome.message }] : [],
  );
  return {
    free: settled.filter(({ outcome }) => outcome === 'free').map(({ rule }) => rule),
    kept: kept.map(({ rule }) => rule),
    failures: kept.map(({ reason }) => reason),
  };
}

/** Two parts of the work on one set, as one. */
export const together = (first: Applied, second: Applied): Applied => ({
  live: [...first.live, ...second.live],
  failures: [...first.failures, ...second.failures],
  doneCount: first.doneCount + second.doneCount,
  totalCount: first.totalCount + second.totalCount,
  hasCreated: first.hasCreated || second.hasCreated,
  isUnsettled: first.isUnsettled || second.isUnsettled,
  lost: [...first.lost, ...second.lost],
});

/** An exclusive set stands for every rule of its policy, so no other resource may. */
const exclusiveBesideOthers = (ipPolicyId: string, held: readonly LiveRule[]): UserError =>
  new UserError(
    `The set owns the whole policy ${ipPolicyId}, but other resources of this program stand for some of its rules: ` +
      `${listOf(held)}. Declare these rules in the set, or set exclusive: false.`,
  );
