// What access logs say of the listed rules: who uses them, and which matched nobody.
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { firstOf } from 'pulumi-edge-policy/internal/values/failure';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import {
  type Assumptions,
  daysInLog,
  DEFAULT_ASSUMPTIONS,
  networkOfRule,
  plain,
  type PolicyUse,
  type RuleUse,
  type Sentence,
  type TrafficLog,
  trusted,
  usesByPolicy,
  useToJson,
  whyNotUnused,
  windowInWords,
} from 'pulumi-edge-policy-review';
import { metadataMembers, count, safeText, table } from '../command/text';
import { nameOfUrn } from '../pulumi/deployment';
import type { ListedPolicy, ListedRule } from './listed-rules';

/** A rule, and what the log of its policy says of it; undefined if it is not known what its network matches. */
interface UsedRule {
  readonly rule: ListedRule;
  readonly cidr?: Cidr;
  readonly use?: RuleUse;
  /** Why it is not known whether anybody uses it, if it matched nobody. */
  readonly doubt?: Sentence;
}

/** The rules of a policy with what its log says of them; `of` is absent if there is no log of it. */
export interface UsedPolicy {
  readonly policy: ListedPolicy;
  readonly of?: PolicyUse;
  readonly rules: readonly UsedRule[];
}

export function usedPolicies(
  policies: readonly ListedPolicy[],
  logs: readonly TrafficLog[],
  {
    ipModel: model = DEFAULT_ASSUMPTIONS.ipModel,
    unusedAfter,
  }: Partial<Assumptions> & { readonly unusedAfter?: number },
): UsedPolicy[] {
  return policies.map((policy): UsedPolicy => {
    const read = policy.rules.flatMap((rule) => {
      const cidr = networkOfRule(rule.cidr);
      return cidr ? [{ rule, cidr, action: rule.action }] : [];
    });
    const of = usesByPolicy(policy.id, read, {
      ...{ logs, model, hasOthers: policies.length > 1 },
      hidesRules: read.length < policy.rules.length,
    });
    if (!of) return { policy, rules: policy.rules.map((rule) => ({ rule })) };
    const unread = policy.rules.filter((rule) => read.every((each) => each.rule !== rule));
    return {
      policy,
      of,
      rules: [
        ...read.map(({ rule, cidr, action }, place): UsedRule => {
          const createdAtMs = Date.parse(rule.createdAt);
          const doubt = whyNotUnused({ action, createdAtMs }, of, unusedAfter);
          const use = of.uses[place];
          return { rule, cidr, ...(use && { use }), ...(doubt && { doubt }) };
        }),
        ...unread.map((rule) => ({ rule, doubt: trusted('it is not known what its network matches') })),
      ],
    };
  });
}

/** The same policy with its rules as they are shown, if they are. */
export const withRules = (
  { policy, rules, ...rest }: UsedPolicy,
  shown: (rule: ListedRule) => readonly ListedRule[],
): UsedPolicy => ({
  ...rest,
  policy: { ...policy, rules: policy.rules.flatMap(shown) },
  rules: rules.flatMap((used) => shown(used.rule).map((rule) => ({ ...used, rule }))),
});

const isUndecided = ({ of }: UsedPolicy): boolean => (of?.problems.length ?? 0) > 0;

export const isDecided = (policies: readonly UsedPolicy[]): boolean => !policies.some(isUndecided);

const matchedNobody = ({ use }: UsedRule): boolean => (use?.clients ?? 0) === 0;

/** The rules of a policy that matched nobody, the widest first: those that nobody uses, and those of which that is not known. */
function unusedOf({ of, rules }: UsedPolicy): Readonly<Record<'unused' | 'undecided', UsedRule[]>> {
  const idle = of?.problems.length === 0 ? rules.filter(matchedNobody) : [];
  const widestFirst = idle.sort(
    (one, other) => (one.cidr?.prefixLength ?? 0) - (other.cidr?.prefixLength ?? 0),
  );
  return {
    unused: widestFirst.filter(({ doubt }) => !doubt),
    undecided: widestFirst.filter(({ doubt }) => doubt),
  };
}

const HEAD = ' |network|id|resource|clients|requests|needed|first seen|last seen|description'.split('|');

/** A policy with the columns of the log or, of those that matched nobody, the candidates and what the log leaves open. */
export function describeUse(policy: UsedPolicy, isUnused: boolean): string {
  const { of, rules } = policy;
  if (!of) return '  there is no log of this policy\n';
  const unread = of.unread.map((file) => `  ${plain(file)}\n`).join('');
  const problems = of.problems.map((problem) => `  not decided: ${plain(problem)}\n`);
  if (problems.length > 0) return problems.join('') + unread;
  if (isUnused) return unread + describeUnused(policy, of);
  const note = '  clients of all policies: for those of this one, give its log as policy:ipp_…=FILE\n';
  return unread + (of.isShared ? note : '') + table([HEAD, ...rules.map((each) => rowOf(each, of))], '  ');
}

function rowOf({ rule, use }: UsedRule, of: PolicyUse): string[] {
  const shown = use && useToJson(use, of);
  return [
    ...[rule.action, safeText(rule.cidr), rule.id, resourceOf(rule)],
    ...[shown?.clients, shown?.requests, shown?.needed].map((number) => String(number ?? '?')),
    ...[shown?.firstSeen ?? '', shown?.lastSeen ?? '', safeText(rule.description ?? '')],
  ];
}

function resourceOf({ managedBy, source }: ListedRule): string {
  if (typeof managedBy !== 'string') return managedBy === null ? '-' : '';
  return safeText(source === undefined ? nameOfUrn(managedBy) : `${nameOfUrn(managedBy)} (${source})`);
}

const MOST_NAMED = 10;

function describeUnused(policy: UsedPolicy, of: PolicyUse): string {
  const { unused, undecided } = unusedOf(policy);
  const open = [...grouped(undecided, ({ doubt = [] }) => plain(doubt))].map(([because, own]) => {
    const named = own.map(({ rule }) => `${rule.action} ${safeText(rule.cidr)}${silence(rule, of, ', ')}`);
    return `  not decided for ${count(own.length, 'rule')}, as ${because}: ${firstOf(named, MOST_NAMED)}\n`;
  });
  const ageless = '  the log has no times, so it does not decide about a rule that is younger than the log\n';
  return [
    `  ${unused.length} of ${count(policy.rules.length, 'rule')} matched nobody in ${plain(windowInWords(of))}\n`,
    table(
      unused.map((each) => candidateOf(each, of)),
      '    ',
    ),
    of.firstMs < 0 ? ageless : '',
    ...open,
  ].join('');
}

function silence({ action, createdAt }: ListedRule, of: PolicyUse, before: string): string {
  const days = action === 'deny' ? undefined : daysInLog({ createdAtMs: Date.parse(createdAt) }, of);
  return days === undefined ? '' : `${before}silent for ${count(days, 'day')}`;
}

function candidateOf({ rule }: UsedRule, of: PolicyUse): string[] {
  return [
    ...[rule.action, safeText(rule.cidr), rule.id, resourceOf(rule)],
    `created ${rule.createdAt.slice(0, 10)}${silence(rule, of, ', ')}`,
    ...[safeText(metadataMembers(rule.metadata).get('owner') ?? ''), safeText(rule.description ?? '')],
  ];
}

/** A policy as JSON; with `isUnused`, only the rules that matched nobody. */
export function useOfPolicyToJson(used: UsedPolicy, isUnused: boolean) {
  const { policy, of } = used;
  if (!of) return { ...policy, ...(isUnused && { rules: [] }) };
  const { unused, undecided } = unusedOf(used);
  const shown = isUnused ? unused : used.rules;
  return {
    ...policy,
    rules: shown.map(({ rule, use }) => ({
      ...rule,
      ...(use && !isUndecided(used) && { traffic: useToJson(use, of) }),
    })),
    traffic: {
      isOfAllPolicies: of.isShared,
      notDecided: of.problems.map(plain),
      unread: of.unread.map(plain),
      ...(isUnused && {
        rulesNotDecided: undecided.map(({ rule: { id }, doubt = [] }) => ({ id, because: plain(doubt) })),
      }),
    },
  };
}
