import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { getsIn, type IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import { count, foreign, list, momentInWords, say, type Sentence, trusted } from '../text/sentence';
import { cidrSetOf } from '../access/cidr-set';
import { clientsWithin } from './client-moves';
import { problemsOf, tallyOf } from './replay';
import { type LogClients, logFor, type TrafficLog, unreadFiles } from './traffic-log';

export interface RuleUse {
  readonly clients: number;
  readonly requests: number;
  /** Those that only this rule lets in, or that only this one keeps out. */
  readonly needed: number;
  /** In milliseconds since the epoch; -1 if the log does not say. */
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** What a log says of the rules of a policy, in their order; undefined if there is no log of it. */
export interface PolicyUse {
  readonly uses: readonly RuleUse[];
  /** Why none of it can be relied on. */
  readonly problems: readonly Sentence[];
  readonly unread: readonly Sentence[];
  /** Whether the log may hold the clients of other policies. */
  readonly isShared: boolean;
  /** Whether a rule of the policy is hidden: then nobody knows for whom one rule alone decides. */
  readonly hidesRules: boolean;
  /** When the first and the last request of the log was; -1 if it has no times. */
  readonly firstMs: number;
  readonly lastMs: number;
}

type UsedRule = { readonly cidr: Cidr; readonly action: RuleAction };

interface Asked {
  readonly logs: readonly TrafficLog[];
  readonly model: IpModel;
  /** Whether other policies have rules, so that a log without a subject may hold their clients. */
  readonly hasOthers: boolean;
  readonly hidesRules?: boolean;
}

export function usesByPolicy(
  policyId: string,
  rules: readonly UsedRule[],
  { logs, model, hasOthers, hidesRules = false }: Asked,
): PolicyUse | undefined {
  const log = logFor({ kind: 'policy', subject: policyId }, logs);
  if (!log) return undefined;
  const { firstSeenMs, lastSeenMs } = log.clients;
  return {
    uses: ruleUses(rules, log.clients, model),
    problems: problemsOf(log, 'policy'),
    unread: unreadFiles(log),
    isShared: hasOthers && !log.subject,
    hidesRules,
    firstMs: firstSeenMs.reduce(earlier, -1),
    lastMs: lastSeenMs.reduce((one, other) => Math.max(one, other), -1),
  };
}

export function ruleUses(rules: readonly UsedRule[], clients: LogClients, model: IpModel): RuleUse[] {
  const matched = rules.map(({ cidr }) => clientsWithin(clients, cidrSetOf([cidr])));
  const matching = {
    allow: new Uint32Array(clients.networks.length),
    deny: new Uint32Array(clients.networks.length),
  };
  rules.forEach(({ action }, place) => {
    for (const client of matched[place] ?? []) matching[action][client] = (matching[action][client] ?? 0) + 1;
  });
  const isIn = (client: number, without?: RuleAction): boolean => {
    const hasMore = (action: RuleAction) => (matching[action][client] ?? 0) > (action === without ? 1 : 0);
    return getsIn(hasMore('allow'), hasMore('deny'), model);
  };
  return rules.map(({ action }, place) => {
    const matching = matched[place] ?? [];
    const { firstSeenMs, lastSeenMs } = clients;
    return {
      ...tallyOf(clients, matching),
      needed: matching.filter((client) => isIn(client) !== isIn(client, action)).length,
      firstSeenMs: matching.reduce((first, client) => earlier(first, firstSeenMs[client] ?? -1), -1),
      lastSeenMs: matching.reduce((last, client) => Math.max(last, lastSeenMs[client] ?? -1), -1),
    };
  });
}

const earlier = (one: number, other: number): number =>
  one < 0 || (other >= 0 && other < one) ? other : one;

/** So many days a rule must have been silent in the log, if it is younger than that. */
export const LEAST_SILENT_DAYS = 30;

/** For how many whole days of the log there has been a rule; undefined if the log has no times, or the rule none that can be read. */
export const daysInLog = (
  { createdAtMs = NaN }: { readonly createdAtMs?: number },
  { firstMs, lastMs }: PolicyUse,
): number | undefined =>
  firstMs < 0 || Number.isNaN(createdAtMs)
    ? undefined
    : Math.max(0, Math.floor((lastMs - Math.max(firstMs, createdAtMs)) / DAY_MS));

/** Why somebody may need a rule although a whole log has no client of it; a younger rule is judged by its part of the log. */
export function whyNotUnused(
  rule: { readonly action: RuleAction; readonly createdAtMs?: number },
  of: PolicyUse,
  leastDays = LEAST_SILENT_DAYS,
): Sentence | undefined {
  const { action, createdAtMs } = rule;
  if (of.isShared)
    return trusted('the log may lack the clients of this policy: give its own as policy:ipp_…=FILE');
  if (action === 'deny') return trusted('a log may lack the requests that were refused');
  if (createdAtMs === undefined || of.firstMs < 0 || createdAtMs <= of.firstMs) return undefined;
  if (Number.isNaN(createdAtMs)) return trusted('its time of creation cannot be read');
  if ((daysInLog(rule, of) ?? 0) >= leastDays) return undefined;
  return say`the rule is younger than the log and than ${count(leastDays, 'day')} of it`;
}

/** What the log says of a rule, as in "nobody in 41 days of log". */
function useInWords({ clients, needed }: RuleUse, of: PolicyUse): Sentence {
  const window = windowInWords(of);
  return clients === 0
    ? say`nobody in ${window}`
    : say`${count(clients, 'client')} in ${window}${of.hidesRules ? trusted('') : say`, of whom ${needed} only through this rule`}`;
}

/** How long the log is, and whose. */
export function windowInWords({ firstMs, lastMs, isShared }: PolicyUse): Sentence {
  const days = Math.floor((lastMs - firstMs) / DAY_MS);
  const length = days < 1 ? trusted('less than a day') : count(days, 'day');
  const window = firstMs < 0 ? trusted('the log') : say`${length} of log`;
  return isShared ? say`${window} of all policies` : window;
}

const DAY_MS = 86_400_000;

export interface RemovedUse {
  readonly policyId: string;
  readonly rule: PolicyChange['removed'][number];
  readonly use: RuleUse;
  readonly of: PolicyUse;
}

export const removedUses = (
  policies: readonly PolicyChange[],
  logs: readonly TrafficLog[],
  model: IpModel,
): RemovedUse[] =>
  policies.flatMap(({ policyId, before, removed }): RemovedUse[] => {
    if (removed.length === 0) return [];
    const of = usesByPolicy(policyId, before.rules, {
      ...{ logs, model, hasOthers: policies.length > 1 },
      hidesRules: hidesRules(before),
    });
    return removed.flatMap((rule): RemovedUse[] => {
      const use = of?.uses[before.rules.indexOf(rule)];
      return of && use ? [{ policyId, rule, use, of }] : [];
    });
  });

/** Whether the rules of a policy that are visible may not be all. */
export const hidesRules = ({ hiddenRules, doubtfulRules }: PolicyChange['before']): boolean =>
  hiddenRules.length + doubtfulRules.length > 0;

export function removalInWords({ rule, use, of }: RemovedUse): Sentence {
  const what = say`${foreign(rule.cidr.text)} ${trusted(rule.action)} of ${foreign(rule.origin.name)}, which goes`;
  if (of.problems.length > 0) return say`${what}: not decided, as ${list(of.problems, of.problems.length)}.`;
  const doubt = use.clients === 0 ? whyNotUnused(rule, of) : undefined;
  return doubt ? say`${what}: ${useInWords(use, of)}; ${doubt}.` : say`${what}: ${useInWords(use, of)}.`;
}

export const useToJson = (
  { clients, requests, needed, firstSeenMs, lastSeenMs }: RuleUse,
  of: PolicyUse,
) => ({
  ...{ clients, requests },
  ...(!of.hidesRules && { needed }),
  ...(firstSeenMs >= 0 && { firstSeen: momentInWords(firstSeenMs) }),
  ...(lastSeenMs >= 0 && { lastSeen: momentInWords(lastSeenMs) }),
});
