import type { FamilyChange, PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../access/policy-side';
import { touching } from '../access/address-space';
import type { Family } from '../../values/address';
import type { Cidr } from '../../values/cidr';
import { addressBits } from '../../values/address';
import { overlaps } from '../../values/cidr';
import { cidrSetOf, covers, isEmptyCidrSet } from '../../values/cidr-set';
import { familyName, networksWithSize, rulesInWords, sizeOfCidrs } from '../report/amounts';
import type { Sentence } from '../report/sentence';
import { foreign, say, words } from '../report/sentence';
import type { Finding, Where } from './finding';
import { finding } from './finding';
import { groupByResource } from './group-by-resource';
import type { Severity } from './severity';

/** What the change does to who gets in by one policy. */
export function accessChangeFindings(policy: PolicyChange): Finding[] {
  return [
    ...policy.families.flatMap((family) => [
      ...widened(policy, family),
      ...narrowed(policy, family),
      ...gaps(policy, family),
    ]),
    ...removedDenies(policy),
    ...lockedOut(policy),
  ];
}

/** Where a rule is hidden, what the others do is not what becomes of anybody. */
const scopeOf = ({ isDecidable }: PolicyChange, family: Family): Sentence =>
  words(`${isDecidable ? 'In' : 'By the rules that can be seen, in'} ${familyName(family)}`);

function widened(policy: PolicyChange, { family, gained }: FamilyChange): Finding[] {
  if (gained.length === 0) return [];
  const reason = say`${scopeOf(policy, family)}, ${networksWithSize(gained)} can get in and could not before.`;
  return [
    finding('access-widened', {
      reason,
      where: causeOf(policy, gained, 'allow'),
      severity: wideningSeverity(family, gained),
    }),
  ];
}

/** As many addresses as an IPv4 /16 or an IPv6 /32 are no longer one site or one provider's customer. */
const wideningSeverity = (family: Family, gained: readonly Cidr[]): Severity =>
  sizeOfCidrs(gained) >= 1n << BigInt(addressBits(family) - (family === 4 ? 16 : 32)) ? 'high' : 'medium';

function narrowed(policy: PolicyChange, { family, lost }: FamilyChange): Finding[] {
  if (lost.length === 0) return [];
  const reason = say`${scopeOf(policy, family)}, ${networksWithSize(lost)} could get in before and cannot any more.`;
  return [finding('access-narrowed', { reason, where: causeOf(policy, lost, 'deny') })];
}

/** The changed rule that most likely brings the change about: one that matches the largest of the networks. */
function causeOf(policy: PolicyChange, networks: readonly Cidr[], action: VisibleRule['action']): Where {
  const [largest] = networks;
  const matches = (rule: VisibleRule) =>
    policy.changedUrns.has(rule.origin.urn) && largest !== undefined && overlaps(rule.cidr, largest);
  const rule =
    policy.after.rules.find((candidate) => candidate.action === action && matches(candidate)) ??
    policy.before.rules.find((candidate) => candidate.action !== action && matches(candidate)) ??
    policy.after.rules.find((candidate) => policy.changedUrns.has(candidate.origin.urn));
  return { subject: policy.policyId, ...(rule && { origin: rule.origin, property: rule.property }) };
}

function gaps(policy: PolicyChange, { family, gapGained, gapLost }: FamilyChange): Finding[] {
  const name = words(familyName(family));
  const found: Finding[] = [];
  if (gapGained.length > 0) {
    const reason = say`While rules are replaced, ${networksWithSize(gapGained)} can get in for a moment (${name}).`;
    found.push(
      finding('replacement-gap', { reason, where: causeOf(policy, gapGained, 'deny'), severity: 'medium' }),
    );
  }
  if (gapLost.length > 0) {
    const reason = say`While rules are replaced, ${networksWithSize(gapLost)} cannot get in for a moment (${name}).`;
    found.push(finding('replacement-gap', { reason, where: causeOf(policy, gapLost, 'allow') }));
  }
  return found;
}

function removedDenies(policy: PolicyChange): Finding[] {
  const removed = policy.before.rules.filter(
    (rule) => rule.action === 'deny' && !covers(policy.after.denied, rule.cidr),
  );
  const isGained = touching(cidrSetOf(policy.families.flatMap((family) => family.gained)));
  return groupByResource(removed).map((group) => {
    const opens = group.rules.some((rule) => isGained(rule.cidr));
    const what = rulesInWords(group.rules, 'deny rule');
    const effect = words(effectOfRemoval(opens, policy.isDecidable));
    return finding('deny-removed', {
      reason: say`The change takes away or narrows ${what}; ${effect}.`,
      where: { subject: policy.policyId, origin: group.origin, property: group.property },
      ...(opens && { severity: 'high' }),
    });
  });
}

const effectOfRemoval = (opens: boolean, isDecidable: boolean): string => {
  if (opens) return isDecidable ? 'what it kept out can get in now' : 'what it kept out may get in now';
  return isDecidable ? 'nobody gets in through it' : 'whether somebody gets in through it cannot be told';
};

/** A policy that lets nobody in: after having let somebody in it locks them out. */
function lockedOut(policy: PolicyChange): Finding[] {
  if (!isEmptyCidrSet(policy.after.letIn) || policy.after.hiddenRules.length > 0) return [];
  const wasShut = isEmptyCidrSet(policy.before.letIn);
  const hadRules = policy.before.rules.length > 0;
  if (wasShut && policy.after.rules.length === 0) return [];
  const where = causeOf(
    policy,
    policy.families.flatMap((family) => family.lost),
    'deny',
  );
  const reason = wasShut
    ? say`The rules of ${foreign(policy.policyId)} let nobody in.`
    : say`Everybody whom ${foreign(policy.policyId)} let in is locked out.`;
  const found = finding('nobody-let-in', { reason, where, severity: wasShut ? 'high' : 'critical' });
  return [{ ...found, isNew: !(wasShut && hadRules) }];
}
