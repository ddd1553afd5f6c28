import { messageForUser, UserError } from '../errors/user-error';
import type { LiveRule } from '../rule/rule';
import type { RunContext } from '../settle/ledger';
import type { Applied } from './apply';
import { listOf } from './failures';
import { NetworkIndex } from './network-index';
import type { IpPolicyRuleSetInputs } from './set-state';
import { claimOf } from './claims';

/** A set that is worked on. */
export interface SetAtWork {
  readonly context: RunContext;
  readonly id: string;
  readonly inputs: IpPolicyRuleSetInputs;
  /** When the set last created a rule (RFC 3339), if state knows of one: of a young rule neither a 404 nor a list proves much. */
  readonly changedAt: string | undefined;
}

/** A rule that leaves the set, and what becomes of it: another resource takes it, it may be deleted, or it has to stay. */
interface Offer {
  readonly rule: LiveRule;
  readonly outcome: Promise<'taken' | 'free' | Error>;
}

/** The rules that leave a set for other resources of the program. */
export interface HandOver {
  readonly offers: readonly Offer[];
  /** Denies that leave the set and lie over an offered allow: they stay until it is known what becomes of that one. */
  readonly waiting: readonly LiveRule[];
  /** Rules without those that others stand for, or are going to, and those that wait: they are not the set's to change yet. */
  readonly without: (rules: readonly LiveRule[]) => LiveRule[];
}

/**
 * Offers the rules that leave a set to the resources that are going to create them anew: sets and single rules that the
 * same change gives them to. They stay live meanwhile, and what nobody takes is deleted afterwards.
 *
 * @throws UserError where the set owns the whole policy and another resource stands for one of its rules.
 */
export function offerLeavingRules(set: SetAtWork, leaving: readonly LiveRule[]): HandOver {
  const { ipPolicyId, exclusive } = set.inputs;
  const { holdings } = set.context.ledger;
  if (leaving.length === 0) return { offers: [], waiting: [], without: (rules) => [...rules] };
  const claims = leaving.map((rule) => ({ rule, claim: claimOf(set.id, ipPolicyId, rule) }));
  const held = claims.filter(({ claim }) => holdings.isProtected(claim)).map(({ rule }) => rule);
  if (exclusive && held.length > 0) throw exclusiveBesideOthers(ipPolicyId, held);
  const wanted = claims
    .filter(({ claim }) => !holdings.isProtected(claim) && holdings.wants.isSpokenFor(claim.place))
    .map(({ rule }) => rule);
  const others = new Set([...held, ...wanted]);
  const free = leaving.filter((rule) => !others.has(rule));
  const waiting = deniesOver(wanted, free);
  const ids = new Set([...others, ...waiting].map(({ id }) => id));
  return {
    offers: wanted.map((rule) => offer(set, rule)),
    waiting,
    without: (rules) => rules.filter(({ id }) => !ids.has(id)),
  };
}

function offer({ context, id, inputs }: SetAtWork, rule: LiveRule): Offer {
  const { client, ledger, warn } = context;
  const claim = claimOf(id, inputs.ipPolicyId, rule);
  const outcome = ledger.holdings.leave(claim, { clock: client.clock, warn }).then(
    (mayGo) => (mayGo ? ('free' as const) : ('taken' as const)),
    (error: unknown) => new UserError(messageForUser(error)),
  );
  return { rule, outcome };
}

/** The denies that keep addresses out which one of the allows lets in. */
function deniesOver(allows: readonly LiveRule[], rules: readonly LiveRule[]): LiveRule[] {
  const index = new NetworkIndex(allows.filter(({ action }) => action === 'allow'));
  return rules.filter(({ action, cidr }) => action === 'deny' && index.overlapping(cidr, 1).length > 0);
}

/** What became of the offers: rules that may be deleted now, and rules that stay, with the reasons. */
interface Settled {
  readonly free: readonly LiveRule[];
  readonly kept: readonly LiveRule[];
  readonly failures: readonly string[];
}

/** What becomes of all that leaves a set, once it is known. The denies that wait are offered too: somebody may want them by now. */
export async function settleOffers(set: SetAtWork, { offers, waiting }: HandOver): Promise<Settled> {
  const first = await outcomeOf(set.context, offers);
  const staying = new Set(deniesOver(first.kept, waiting));
  const late = waiting.filter((rule) => !staying.has(rule)).map((rule) => offer(set, rule));
  const second = await outcomeOf(set.context, late);
  return {
    free: [...first.free, ...second.free],
    kept: [...first.kept, ...staying, ...second.kept],
    failures: [...first.failures, ...second.failures],
  };
}

async function outcomeOf({ ledger }: RunContext, offers: readonly Offer[]): Promise<Settled> {
  const settled = await ledger.holdings.activity.waiting(() =>
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
    `The set owns the whole policy ${ipPolicyId}, but other resources of this program manage some of its rules: ` +
      `${listOf(held)}. Declare these rules in the set, or set exclusive: false.`,
  );
