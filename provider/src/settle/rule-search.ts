import type { Deadline } from '../api/deadline';
import { isSameInPolicy, type PolicyRule, type ServiceRule } from '../rule/rule';
import type { RuleClient, RunContext } from './ledger';
import { isCreatedSince, LOST_RULE_DELAYS_MS } from './service-times';

/** One rule to be created, and when the attempt to create it left whose answer was lost. */
export interface Creation {
  readonly context: RunContext<RuleClient>;
  readonly wanted: PolicyRule;
  /** How sentences call the rule where its network may be secret; otherwise they say what it does. */
  readonly name?: string;
  readonly deadline: Deadline;
  /** Milliseconds of our own monotonic clock. */
  startedAtMs: number;
}

/** What the list holds that could be the rule of a lost answer. */
export interface Found {
  /** Created since the attempt began. */
  readonly candidates: readonly ServiceRule[];
  /** Alike in everything, but the clocks do not tell whether they were there before. */
  readonly doubtful: readonly ServiceRule[];
}

/** Looks with growing delays until something is found; empty if nothing appears. Throws what the list throws. */
export const searchLostRule = (creation: Creation): Promise<Found> =>
  lookUntil(
    creation,
    () => lookOnce(creation),
    ({ candidates }) => candidates.length > 0,
  );

/** Looks at once and then with growing delays, as long as a list may lag, until enough is found. Answers the last look. */
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
  // Only now, as the list's own answers are what tells how the service's clock differs from ours.
  const ages = alike
    .filter(({ id }) => !creation.context.ledger.knowsRule(id))
    .map((rule) => ({ rule, age: ageOf(rule, creation) }));
  const ofAge = (sought: Age): ServiceRule[] =>
    ages.filter(({ age }) => age === sought).map(({ rule }) => rule);
  return { candidates: ofAge('since the attempt'), doubtful: ofAge('unknown') };
}

/** The rules of all pages that are wanted; one that moves between two pages while they are read counts once. */
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
