import type { Family } from '../../values/address';
import { overlaps } from '../../values/cidr';
import { covers, sizeOf } from '../../values/cidr-set';
import { touching } from '../access/address-space';
import type { IpModel } from '../access/evaluation-model';
import { doAllowsCount } from '../access/evaluation-model';
import type { PolicySide, VisibleRule } from '../access/policy-side';
import { FAMILIES } from '../access/policy-side';
import { isNearlyAll, publicSizes } from '../access/public-space';
import { specialNetworkOf } from '../access/special-networks';
import { addressBits } from '../../values/address';
import type { Assumptions } from '../options';
import { addressCount, familyName, rulesInWords } from '../report/amounts';
import { foreign, list, say, words } from '../report/sentence';
import type { Finding, Where } from './finding';
import { finding } from './finding';
import { groupByResource } from './group-by-resource';
import { redundancyFindings } from './redundancy-findings';

/** What is odd about the rules of one policy at one moment. */
export function policyStateFindings(policyId: string, side: PolicySide, assumptions: Assumptions): Finding[] {
  return [
    ...FAMILIES.flatMap((family) => openFindings(policyId, side, { family, model: assumptions.ipModel })),
    ...oneFamilyOnly(policyId, side),
    ...specialNetworks(policyId, side),
    ...(assumptions.ipModel === 'deny-wins' ? deadAcrossActions(policyId, side) : []),
    ...redundancyFindings(policyId, side),
  ];
}

function openFindings(
  policyId: string,
  side: PolicySide,
  { family, model }: { family: Family; model: IpModel },
): Finding[] {
  const reached = publicSizes(side.letIn).find((size) => size.family === family);
  if (!reached || reached.share < 0.5) return [];
  const total = 1n << BigInt(addressBits(family));
  const size = sizeOf(side.letIn, family);
  const rules = doAllowsCount(model) ? widestAllows(side, family) : [];
  const where: Where = {
    subject: policyId,
    ...(rules[0] && { origin: rules[0].origin, property: rules[0].property }),
  };
  const name = words(familyName(family));
  const cause =
    rules.length === 0 ? words('no rule keeps them out') : say`by ${rulesInWords(rules, 'allow rule')}`;
  const members = [familyName(family)];
  const rest = size === total ? [] : say` but ${addressCount(total - size)}`;
  const who =
    size * 2n < total ? say`Nearly every public ${name} address` : say`Every ${name} address${rest}`;
  const id = isNearlyAll(reached) ? 'open-to-all' : 'open-to-most';
  return [finding(id, { where, reason: say`${who} can get in, ${cause}.`, members })];
}

/** The allow rules that make up most of the access, the widest first. */
const widestAllows = (side: PolicySide, family: Family): VisibleRule[] => {
  const allows = side.rules.filter((rule) => rule.action === 'allow' && rule.cidr.family === family);
  const shortest = Math.min(...allows.map((rule) => rule.cidr.prefixLength));
  return allows
    .filter((rule) => rule.cidr.prefixLength <= shortest + 8)
    .sort((left, right) => left.cidr.prefixLength - right.cidr.prefixLength);
};

function oneFamilyOnly(policyId: string, side: PolicySide): Finding[] {
  if (side.hiddenRules.length > 0) return [];
  const [open, ...others] = FAMILIES.filter((family) => side.letIn[family].length > 0);
  if (open === undefined || others.length > 0) return [];
  const missing = words(familyName(open === 4 ? 6 : 4));
  const reason = say`${foreign(policyId)} lets in ${words(familyName(open))} addresses only; a client that comes by ${missing} is refused.`;
  return [finding('one-family-only', { where: { subject: policyId }, reason, members: [familyName(open)] })];
}

function specialNetworks(policyId: string, side: PolicySide): Finding[] {
  const special = side.rules.filter((rule) => rule.action === 'allow' && specialNetworkOf(rule.cidr));
  return groupByResource(special).map(({ origin, property, rules }) => {
    const uses = [...new Set(rules.map((rule) => specialNetworkOf(rule.cidr)?.use ?? ''))].map((use) =>
      words(use),
    );
    const what = rulesInWords(rules, 'allow rule');
    const reason = say`No visitor from the public internet matches ${what}: set aside for ${list(uses)}.`;
    return finding('special-network-allowed', {
      where: { subject: policyId, origin, property },
      reason,
      members: rules.map(({ cidr }) => cidr.text),
    });
  });
}

/** Allow rules that deny rules cover, alone or together, and deny rules that meet no allow rule. */
function deadAcrossActions(policyId: string, side: PolicySide): Finding[] {
  const allDenies = side.rules.filter((rule) => rule.action === 'deny');
  const contradicted = new Set(allDenies.map((rule) => rule.cidr.text));
  const deadAllows = side.rules.filter(
    (rule) => rule.action === 'allow' && !contradicted.has(rule.cidr.text) && covers(side.denied, rule.cidr),
  );
  const isAllowed = touching(side.allowed);
  const idleDenies = side.hiddenRules.length > 0 ? [] : allDenies.filter((rule) => !isAllowed(rule.cidr));
  return [
    ...groupByResource(deadAllows).map(({ origin, property, rules }) => {
      const what = rulesInWords(rules, 'allow rule');
      const named = rules.slice(0, NAMED);
      const denies = allDenies.filter((rule) => named.some((dead) => overlaps(rule.cidr, dead.cidr)));
      const by = rulesInWords(denies, 'deny rule');
      return finding('allow-without-effect', {
        where: { subject: policyId, origin, property },
        reason: say`Nobody gets in by ${what}, as denied by ${by}.`,
        members: rules.map(({ cidr }) => cidr.text),
      });
    }),
    ...groupByResource(idleDenies).map(({ origin, property, rules }) => {
      const what = rulesInWords(rules, 'deny rule');
      return finding('deny-without-effect', {
        where: { subject: policyId, origin, property },
        reason: say`No allow rule lets in what is kept out by ${what}.`,
        members: rules.map(({ cidr }) => cidr.text),
      });
    }),
  ];
}

/** The covering rules are looked up for as many dead rules as a sentence names. */
const NAMED = 3;
