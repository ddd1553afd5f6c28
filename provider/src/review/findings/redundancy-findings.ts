import type { RuleAction } from '../../api/wire';
import type { PolicySide, VisibleRule } from '../access/policy-side';
import type { Redundancy } from '../access/redundancy';
import { mergesOf, redundancyOf, rulesOf } from '../access/redundancy';
import { rulesInWords } from '../report/amounts';
import { count, foreign, list, say, words } from '../report/sentence';
import type { Finding } from './finding';
import { finding } from './finding';
import { groupByResource } from './group-by-resource';

/** What the rules of one policy say more than once, or against each other. */
export function redundancyFindings(policyId: string, side: PolicySide): Finding[] {
  const byAction = {
    allow: redundancyOf(rulesOf(side.rules, 'allow')),
    deny: redundancyOf(rulesOf(side.rules, 'deny')),
  };
  return [
    ...contradictions(policyId, side.rules),
    ...(['allow', 'deny'] as const).flatMap((action) => {
      const subject = { policyId, action };
      return [
        ...repeated(subject, byAction[action]),
        ...covered(subject, byAction[action]),
        ...tiled(subject, byAction[action]),
        ...mergeable(subject, byAction[action]),
      ];
    }),
  ];
}

interface Subject {
  readonly policyId: string;
  readonly action: RuleAction;
}

function contradictions(policyId: string, rules: readonly VisibleRule[]): Finding[] {
  const denies = new Map(rulesOf(rules, 'deny').map((rule) => [rule.cidr.text, rule]));
  return rulesOf(rules, 'allow').flatMap((allow) => {
    const deny = denies.get(allow.cidr.text);
    if (!deny) return [];
    const reason = say`${foreign(allow.cidr.text)} is allowed by ${foreign(allow.origin.name)} and denied by ${foreign(deny.origin.name)}.`;
    return [
      finding('rules-contradict', {
        where: { subject: policyId, origin: allow.origin, property: allow.property },
        reason,
        members: [allow.cidr.text],
      }),
    ];
  });
}

function repeated({ policyId, action }: Subject, { repeated: groups }: Redundancy): Finding[] {
  return groups.map((group) => {
    const again = group[1] ?? group[0];
    const names = list(group.map((rule) => foreign(rule.origin.name)));
    return finding('cidr-declared-twice', {
      where: { subject: policyId, ...(again && { origin: again.origin, property: again.property }) },
      reason: say`The ${words(action)} rule for ${foreign(group[0]?.cidr.text ?? '')} is declared by ${names}.`,
      members: [`${action} ${group[0]?.cidr.text ?? ''} ${group.length}`],
    });
  });
}

function covered({ policyId, action }: Subject, { covered: found }: Redundancy): Finding[] {
  const coverOf = new Map(found.map(({ rule, coveredBy }) => [rule, coveredBy]));
  return groupByResource(found.map(({ rule }) => rule)).map(({ origin, property, rules }) => {
    const what = rulesInWords(rules, `${action} rule`);
    const covers = [...new Set(rules.flatMap((rule) => coverOf.get(rule) ?? []))];
    const reason = say`Nothing depends on ${what}, as covered by ${rulesInWords(covers, 'wider rule')}.`;
    return finding('rule-covered', {
      where: { subject: policyId, origin, property },
      reason,
      members: rules.map((rule) => `${action} ${rule.cidr.text}`),
    });
  });
}

function tiled({ policyId, action }: Subject, { tiled: found }: Redundancy): Finding[] {
  return found.map(({ rule, tiles }) => {
    const parts = rulesInWords(tiles, 'narrower rule');
    const reason = say`The ${words(action)} rule ${foreign(rule.cidr.text)} says what ${parts} say together.`;
    return finding('rule-covered-by-union', {
      where: { subject: policyId, origin: rule.origin, property: rule.property },
      reason,
      members: [`${action} ${rule.cidr.text}`],
    });
  });
}

function mergeable({ policyId, action }: Subject, { outermost }: Redundancy): Finding[] {
  const merges = mergesOf(outermost);
  const rule = merges[0]?.rules[0];
  if (!rule) return [];
  const merged = merges.flatMap((merge) => merge.rules).length;
  const networks = list(merges.map((merge) => foreign(merge.network.text)));
  const reason = say`${count(merged, `${action} rule`)} can be written as ${count(merges.length, 'network')}: ${networks}.`;
  const members = merges.flatMap((merge) => merge.rules).map(({ cidr }) => `${action} ${cidr.text}`);
  return [finding('rules-mergeable', { where: { subject: policyId, origin: rule.origin }, reason, members })];
}
