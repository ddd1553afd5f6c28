import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { PolicySides } from '../access/policy-change';
import type { PolicySide } from '../access/policy-side';
import type { VisibleRule } from '../model/declarations';
import type { Merge, Redundancy } from '../access/redundancy';
import { coversOf, mergesOf, redundancyOf } from '../access/redundancy';
import { apartByNetwork } from '../access/sorted-rules';
import { rulesInWords } from '../text/amounts';
import { count, foreign, list, listOf, say, trusted } from '../text/sentence';
import type { Finding } from './finding';
import { finding } from './finding';
import { oddRuleFindings } from './odd-rules';

/** Repetitions and contradictions among the rules of one policy. */
export function redundancyFindings(policy: PolicySides): Finding[] {
  return [
    ...contradictions(policy),
    ...(['allow', 'deny'] as const).flatMap((action) => {
      const sides = bothSides(policy, action);
      return [...repeated(sides), ...covered(sides), ...tiled(sides), ...mergeable(sides)];
    }),
  ];
}

/** The redundancies of one action on both sides. */
interface Sides {
  readonly policyId: string;
  readonly action: RuleAction;
  readonly after: Redundancy;
  readonly before: Redundancy;
  readonly networks: Readonly<Record<'before' | 'after', CidrSet>>;
}

const bothSides = ({ policyId, before, after }: PolicySides, action: RuleAction): Sides => ({
  policyId,
  action,
  after: redundancyOf(after.byAction[action]),
  before: redundancyOf(before.byAction[action]),
  networks: { before: before.byAction[action].networks, after: after.byAction[action].networks },
});

function contradictions({ policyId, before, after }: PolicySides): Finding[] {
  return oddRuleFindings({
    id: 'rules-contradict',
    policyId,
    after: contradicted(after),
    before: contradicted(before),
    describe: (rules) => {
      const [allow] = rules;
      const deny =
        allow && after.byAction.deny.rules.filter(({ cidr }) => cidr.text === allow.cidr.text).at(-1);
      return deny && rules.length === 1
        ? say`${foreign(allow.cidr.text)} is allowed by ${foreign(allow.origin.name)} and denied by ${foreign(deny.origin.name)}.`
        : say`The networks of ${rulesInWords(rules, 'allow rule')} are denied, too.`;
    },
  });
}

const contradicted = ({ byAction: { allow, deny } }: PolicySide): VisibleRule[] =>
  apartByNetwork(allow.rules, deny.rules).shared;

/** The second rule of a network represents all of them. */
function repeated({ policyId, action, after, before }: Sides): Finding[] {
  const groupOf = new Map(after.repeated.map((group) => [group[1], group]));
  const sizesOf = ({ repeated: groups }: Redundancy) =>
    new Map(groups.map((group) => [group[1], group.length] as const));
  const [sizes, earlierSizes] = [sizesOf(after), sizesOf(before)];
  const seconds = ({ repeated: groups }: Redundancy) => groups.flatMap((group) => group[1] ?? []);
  return oddRuleFindings({
    id: 'cidr-declared-twice',
    policyId,
    after: seconds(after),
    before: seconds(before),
    isAlike: (rule, earlier) => sizes.get(rule) === earlierSizes.get(earlier),
    describe: (rules) => {
      const group = groupOf.get(rules[0]) ?? [];
      const names = list(group.map((rule) => foreign(rule.origin.name)));
      return rules.length === 1
        ? say`The ${trusted(action)} rule for ${foreign(group[0]?.cidr.text ?? '')} is declared by ${names}.`
        : say`More than one resource declares ${rulesInWords(rules, `${action} rule`)}.`;
    },
  });
}

function covered({ policyId, action, after, before }: Sides): Finding[] {
  return oddRuleFindings({
    id: 'rule-covered',
    policyId,
    after: after.covered,
    before: before.covered,
    describe: (rules) => {
      const by = rulesInWords(coversOf(rules, after), 'wider rule');
      return say`Nothing depends on ${rulesInWords(rules, `${action} rule`)}: already covered by ${by}.`;
    },
  });
}

function tiled({ policyId, action, after, before }: Sides): Finding[] {
  const tilesOf = new Map(after.tiled.map(({ rule, tiles }) => [rule, tiles]));
  return oddRuleFindings({
    id: 'rule-covered-by-union',
    policyId,
    after: after.tiled.map(({ rule }) => rule),
    before: before.tiled.map(({ rule }) => rule),
    describe: (rules) => {
      const [first] = rules;
      const parts = rulesInWords(
        rules.flatMap((rule) => tilesOf.get(rule) ?? []),
        'narrower rule',
      );
      return first && rules.length === 1
        ? say`The ${trusted(action)} rule ${foreign(first.cidr.text)} does the same as ${parts} together.`
        : say`Of ${rulesInWords(rules, `${action} rule`)} each does the same as some of ${parts} together.`;
    },
  });
}

function mergeable({ policyId, action, after, before, networks: matched }: Sides): Finding[] {
  const merges = mergesOf(after.outermost, matched.after);
  const rule = merges[0]?.rules[0];
  if (!rule) return [];
  const merged = rulesIn(merges);
  const networks = listOf(merges, ({ network }) => foreign(network.text));
  const reason = say`${count(merged.length, `${action} rule`)} can be written as ${count(merges.length, 'network')}: ${networks}.`;
  const found = finding('rules-mergeable', { where: { subject: policyId, origin: rule.origin }, reason });
  const known = new Set(rulesIn(mergesOf(before.outermost, matched.before)).map(({ cidr }) => cidr.text));
  return [{ ...found, isNew: merged.some(({ cidr }) => !known.has(cidr.text)) }];
}

const rulesIn = (merges: readonly Merge[]): VisibleRule[] => merges.flatMap((merge) => merge.rules);
