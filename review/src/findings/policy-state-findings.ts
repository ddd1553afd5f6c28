import type { Family } from 'pulumi-edge-policy/internal/values/address';
import { overlaps } from 'pulumi-edge-policy/internal/values/cidr';
import { covers, sizeOf } from '../access/cidr-set';
import { doAllowsCount, type IpModel } from '../access/evaluation-model';
import type { PolicyChange, PolicySides } from '../access/policy-change';
import { FAMILIES, type PolicySide } from '../access/policy-side';
import type { VisibleRule } from '../model/declarations';
import { isNearlyAll, largestFirst, partIn, publicSizes } from '../access/public-space';
import { redundancyOf } from '../access/redundancy';
import { idleRules, overruled } from '../access/rule-effects';
import type { Assumptions } from './assumptions';
import { addressesInWords, familyName, rulesInWords } from '../text/amounts';
import { say, trusted } from '../text/sentence';
import { causesOf } from './access-change-findings';
import { milderOf, severityOfGain } from './severity';
import { finding, type Finding, markExisting, type Where } from './finding';
import { oddRuleFindings } from './odd-rules';
import { redundancyFindings } from './redundancy-findings';

/** Oddities of one policy's rules after the change; those that existed before are marked as no news. */
export function policyStateFindings(policy: PolicyChange, assumptions: Assumptions): Finding[] {
  const { policyId, before, after } = policy;
  const { ipModel } = assumptions;
  return [
    ...openness(policy, ipModel),
    ...(ipModel === 'deny-wins' ? deadAcrossActions({ policyId, before, after }) : []),
    ...redundancyFindings({ policyId, before, after }),
  ];
}

/** Whether a policy is open after the change, and was before, at one moment. */
export function openness(policy: PolicyChange, model: IpModel): Finding[] {
  const openIn = (side: PolicySide): Finding[] =>
    FAMILIES.flatMap((family) => openFindings(policy.policyId, side, { family, model }));
  const found = openIn(policy.after);
  return found.length === 0
    ? []
    : markExisting(found, openIn(policy.before)).map((each) => becauseOfGrowth(each, policy, model));
}

/** A policy that becomes open, although it may have been nearly open before, is as bad as what it gains, by the rules that change. */
function becauseOfGrowth(found: Finding, policy: PolicyChange, model: IpModel): Finding {
  const { gained } = policy.access;
  if (!found.isNew) return found;
  const networks = largestFirst(gained.possibly);
  const inFamily = networks.filter(({ family }) => found.members?.includes(familyName(family)));
  return {
    ...found,
    where: causesOf(policy, model).ofGain(inFamily.length > 0 ? inFamily : networks),
    severity: milderOf(found.severity, severityOfGain(gained.possibly)),
  };
}

function openFindings(
  policyId: string,
  side: PolicySide,
  { family, model }: { family: Family; model: IpModel },
): Finding[] {
  const reached = publicSizes(side.letIn).find((size) => size.family === family);
  if (!reached || reached.share < 0.5) return [];
  const rules = doAllowsCount(model) ? widestAllows(side, family) : [];
  const where: Where = { subject: policyId, origin: rules[0]?.origin, property: rules[0]?.property };
  const cause =
    rules.length === 0 ? trusted('no rule keeps them out') : say`by ${rulesInWords(rules, 'allow rule')}`;
  const members = [familyName(family)];
  const who = addressesInWords(family, sizeOf(side.letIn, family), reached.share);
  const id = isNearlyAll(reached) ? 'open-to-all' : 'open-to-most';
  return [finding(id, { where, reason: say`${who} can get in, ${cause}.`, members })];
}

/** The allow rules that make up most of the access, the widest first: of IPv4 those for NAT64, too, if they reach more. */
function widestAllows({ byAction: { allow } }: PolicySide, family: Family): VisibleRule[] {
  const byLength: VisibleRule[][] = [];
  for (const rule of redundancyOf(allow.rules).outermost) {
    const reached = partIn(family, rule.cidr);
    if (!reached || (reached !== rule.cidr && covers(allow.networks, reached))) continue;
    (byLength[reached.prefixLength] ??= []).push(rule);
  }
  const shortest = byLength.findIndex((rules: VisibleRule[] | undefined) => rules !== undefined);
  return byLength.slice(0, shortest === 0 ? 1 : shortest + 9).flat();
}

/** With `deny-wins`: allow rules that deny rules cover, alone or together, and deny rules that no allow rule overlaps. */
function deadAcrossActions({ policyId, before, after }: PolicySides): Finding[] {
  const idle = (side: PolicySide): VisibleRule[] =>
    side.hiddenRules.length > 0 ? [] : idleRules(side, 'deny-wins');
  return [
    ...oddRuleFindings({
      id: 'allow-without-effect',
      policyId,
      after: overruled(after, 'deny-wins'),
      before: overruled(before, 'deny-wins'),
      describe: (rules) => {
        const named = rules.slice(0, NAMED);
        const denies = after.byAction.deny.rules.filter((rule) =>
          named.some((dead) => overlaps(rule.cidr, dead.cidr)),
        );
        const [noun, verb] = rules.length === 1 ? ['Allow rule', 'has'] : ['allow rule', 'have'];
        return say`${rulesInWords(rules, noun)} ${trusted(verb)} no effect: denied by ${rulesInWords(denies, 'deny rule')}.`;
      },
    }),
    ...oddRuleFindings({
      id: 'deny-without-effect',
      policyId,
      after: idle(after),
      before: idle(before),
      describe: (rules) =>
        say`No allow rule lets in anything kept out by ${rulesInWords(rules, 'deny rule')}.`,
    }),
  ];
}

/** The covering rules are only looked up for the dead rules that a sentence names. */
const NAMED = 3;
