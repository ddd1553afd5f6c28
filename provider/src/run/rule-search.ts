import type { Deadline } from '../api/deadline';
import type { Owner } from './ownership';
import { isSameInPolicy, type PolicyRule, type ServiceRule } from '../rule/rule';
import type { RuleClient, RunContext } from './ledger';
import { isCreatedSince, LOST_RULE_DELAYS_MS } from './service-times';

/** A rule that is being created, and when the attempt whose answer was lost left. */
export interface Creation {
  readonly context: RunContext<RuleClient>;
  /** The call that will own the rule. */
  readonly owner: Owner;
  readonly wanted: PolicyRule;
  /** How sentences name the rule if its network may be secret; without it, by action and network. */
  readonly name?: string;
  readonly deadline: Deadline;
  /** Milliseconds of our own monotonic clock. */
  startedAtMs: number;
}

/** The rules on the list that could be the one of a lost answer. */
export interface Found {
  /** Created since the attempt began. */
  readonly candidates: readonly ServiceRule[];
  /** Alike in everything, but the clocks do not show whether they existed before. */
  readonly doubtful: readonly ServiceRule[];
}

/** Looks with growing delays until something is found; empty if nothing appears. Throws the errors of the list. */
export const searchLostRule = (creation: Creation): Promise<Found> =>
  lookUntil(
    creation,
    () => lookOnce(creation),
    ({ candidates }) => candidates.length > 0,
  );

/** Looks at once and then with growing delays, as long as a list may lag, until enough is found. Returns the last look. */
export async function lookUntil<T>(
  { context, deadline }: Pick<Creation, 'context' | 'deadline'>,
  look: () => Promise<T>,
  isEnough: (found: T) => boolean,
): Promise<T> {
  const [, ...delaysMs] = LOST_RULE_DELAYS_MS;
  let found = await look();
  for (const delayMs of delaysMs) {
    if (isEnough(found)) break;
    await context.client.clock.sleep(Math.min(delayMs, deadline.remainingMs()));
    found = await look();
  }
  return found;
}

/** One look at all pages of the list. */
export async function lookOnce(creation: Creation): Promise<Found> {
  const alike = await listRules(creation, (rule) => isSameInPolicy(rule, creation.wanted));
  // Only now, as the list's own answers show how the service's clock differs from ours.
  const ages = alike
    .filter(({ id }) => !creation.context.ledger.knowsRule(id))
    .map((rule) => ({ rule, age: ageOf(rule, creation) }));
  const ofAge = (sought: Age): ServiceRule[] =>
    ages.filter(({ age }) => age === sought).map(({ rule }) => rule);
  return { candidates: ofAge('since the attempt'), doubtful: ofAge('unknown') };
}

/** The wanted rules of all pages. One that moves between two pages while they are read counts once. */
export async function listRules(
  { context, deadline }: Pick<Creation, 'context' | 'deadline'>,
  isWanted: (rule: ServiceRule) => boolean,
): Promise<ServiceRule[]> {
  const found = new Map<string, ServiceRule>();
  for await (const page of (context.lookUps ?? context.client).listIpPolicyRules(deadline)) {
    for (const rule of page.rules) if (isWanted(rule)) found.set(rule.id, rule);
  }
  return [...found.values()];
}

type Age = 'since the attempt' | 'before the attempt' | 'unknown';

/** Whether a rule was created since the attempt began, by the clock of the service. */
export function ageOf(rule: ServiceRule, { context, startedAtMs }: Creation): Age {
  const offsetMs = context.client.serverTimeOffsetMs();
  if (offsetMs === undefined || Number.isNaN(Date.parse(rule.createdAt))) return 'unknown';
  return isCreatedSince(rule.createdAt, startedAtMs + offsetMs) ? 'since the attempt' : 'before the attempt';
}
