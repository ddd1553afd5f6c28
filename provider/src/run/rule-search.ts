import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/clock';
import { type Clocks, CREATED_AT_MARGIN_MS, LOST_RULE_DELAYS_MS } from '../presence/service-times';
import { isDefinite } from '../api/errors';
import type { EngineCall } from './ownership';
import { isSameInPolicy, type PolicyRule, type ServiceRule } from '../rule/rule';
import { accountRulesOf } from '../presence/account-rules';
import type { RunContext } from './run-record';

export interface Creation {
  readonly context: RunContext;
  readonly call: EngineCall;
  readonly wanted: PolicyRule;
  /** Whether the rule belongs to a set. Such a rule cannot be imported. */
  readonly isOfSet?: boolean;
  readonly deadline: Deadline;
  /** Called when the answer to a POST is lost, and only look-ups follow; again if these show that it has created nothing. */
  readonly onLost?: (isLost: boolean) => void;
}

export interface LostCreate extends Creation {
  /** When the first attempt left, in milliseconds of our own monotonic clock. */
  readonly startedAtMs: number;
}

/** The listed rules that could be the one of a lost answer. */
export interface Found {
  readonly candidates: readonly ServiceRule[];
  /** Identical rules of which the clocks do not show whether they existed before the attempt. */
  readonly doubtful: readonly ServiceRule[];
}

/** While a list may lag, until that many rules are found. Returns fewer if no more appear. */
export async function searchLostRule(lost: LostCreate, count: number): Promise<Found> {
  const { context, deadline } = lost;
  for (const delayMs of LOST_RULE_DELAYS_MS) {
    try {
      const alike = await lookOnce(lost);
      if (alike.candidates.length >= count) return alike;
    } catch (error) {
      // A failed look proves nothing if another look follows.
      if (isDefinite(error) || deadline.isOver) throw error;
    }
    await context.client.clock.sleep(Math.min(delayMs, deadline.remainingMs()));
  }
  return lookOnce(lost);
}

export async function lookOnce(lost: LostCreate): Promise<Found> {
  const { client, record } = lost.context;
  const alike = await listRules(
    lost,
    (rule) => isSameInPolicy(rule, lost.wanted) && record.ownership.mayBeLost(rule.id),
  );
  // Ages are computed only now: the list's own answers show how the service's clock differs from ours.
  const ofAge = (sought: Age): ServiceRule[] =>
    alike.filter((rule) => ageOf(rule, client, lost.startedAtMs) === sought);
  return { candidates: ofAge('since'), doubtful: ofAge('unknown') };
}

export async function listRules(
  { context, wanted, deadline }: Creation,
  isWanted: (rule: ServiceRule) => boolean,
): Promise<ServiceRule[]> {
  const rules = await accountRulesOf(context.client).anew(deadline);
  return rules.ofPolicies([wanted.ipPolicyId]).filter(isWanted);
}

type ClocksSeen = Clocks & Pick<ApiClient, 'createdAtAheadMs'>;

/** Whether a rule was created since an attempt began, as far as the clocks that this run has seen show it. */
export function ageOf(rule: ServiceRule, client: ClocksSeen, startedAtMs: number): Age {
  const offsetMs = client.serverTimeOffsetMs();
  if (offsetMs === undefined) return 'unknown';
  return ageSince(rule.createdAt, startedAtMs + offsetMs, client.createdAtAheadMs);
}

/** The service may truncate its times to whole seconds. */
const GRAIN_MS = 1_000;

/** Whether an object was created at or after a moment, both by the service's clock. False if its time is unreadable. */
export const isCreatedSince = (createdAt: string, momentMs: number): boolean =>
  Date.parse(createdAt) >= wholeGrains(momentMs);

const wholeGrains = (momentMs: number): number => Math.floor(momentMs / GRAIN_MS) * GRAIN_MS;

/** Whether an object was created since a moment, as far as the clocks show it. */
export type Age = 'since' | 'before' | 'unknown';

/**
 * The moment is by the Date header, the time of creation perhaps by another clock: an object that seems a little older may be
 * younger, and one that seems younger may not be, if that clock is known to be ahead.
 */
export function ageSince(createdAt: string, momentMs: number, aheadMs = 0): Age {
  if (isCreatedSince(createdAt, momentMs + aheadMs)) return 'since';
  return Date.parse(createdAt) < wholeGrains(momentMs - CREATED_AT_MARGIN_MS) ? 'before' : 'unknown';
}
