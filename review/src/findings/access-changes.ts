import { isEmptyCidrSet, union, unionAll } from '../access/cidr-set';
import type { IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { AddressAccess, LaterAccess } from '../access/subject-access';
import { valueOf } from '../model/known';
import { fromThen } from '../text/sentence';
import { addressEffectFindings, openness, shutFromTheStart } from './access';
import type { Assumptions } from './assumptions';
import { causesOf, unplacedCausesOf } from './causes';
import type { Finding } from './finding';
import { isAtLeast, milderOf, severityOfGain, worseOf } from './severity';
import { meanwhileFindings } from './up';

/** What changes through a policy, at the apply, on the way, and at later moments. */
export function policyFindings(policy: PolicyChange, { ipModel }: Assumptions): Finding[] {
  const causes = causesOf(policy, ipModel);
  const findings = [...meanwhileFindings(policy), ...shutFromTheStart(policy)];
  if (isOnlyWidenedElsewhere(policy)) return findings;
  const later = atEachMoment(policy, (access, sofar) => [
    ...addressEffectFindings(access, causes),
    ...openedLater(policy, sofar, ipModel),
  ]);
  return [...addressEffectFindings(policy.access, causes), ...findings, ...later];
}

/** The effect of rules whose policy is hidden. The other rules of that policy are hidden, too. */
export function unplacedFindings(policy: PolicyChange): Finding[] {
  const effectsOf = (access: AddressAccess) => addressEffectFindings(access, unplacedCausesOf(policy));
  return [...effectsOf(policy.access), ...atEachMoment(policy, effectsOf)];
}

/** An allow rule with a hidden policy is reported once; a deny rule, which does nothing by itself, for each policy. */
const isOnlyWidenedElsewhere = ({ changedUrns, access, after, before }: PolicyChange): boolean =>
  changedUrns.size === 0 &&
  before.hiddenRules.length + after.hiddenRules.length === 0 &&
  access.doubts.length > 0 &&
  access.doubts.every(({ property }) => property === 'ipPolicyId') &&
  [...before.doubtfulRules, ...after.doubtfulRules].every(({ action }) => valueOf(action) === 'allow');

/** What begins at each moment. A gain that makes all that the change lets in by then worse is as bad as all of it. */
function atEachMoment(
  { access: { gained }, later }: PolicyChange,
  findingsOf: (access: LaterAccess, sofar: readonly LaterAccess[]) => Finding[],
): Finding[] {
  let all = gained.possibly;
  return later.flatMap((access, index) => {
    const known = severityOfGain(all);
    all = union(all, access.gained.possibly);
    const grown = milderOf('high', severityOfGain(all));
    return findingsOf(access, later.slice(0, index + 1)).map((each): Finding => ({
      ...each,
      ...(each.gained !== undefined &&
        !isAtLeast(known, grown) && { severity: worseOf(grown, each.severity) }),
      reason: fromThen(access.begins, each.reason),
    }));
  });
}

/** What is open from then on and was not until then, graded by all that the change lets in up to that moment. */
function openedLater(policy: PolicyChange, sofar: readonly LaterAccess[], model: IpModel): Finding[] {
  const [now, past = policy.access] = [sofar.at(-1), sofar.at(-2)];
  if (!now || isEmptyCidrSet(now.gained.possibly)) return [];
  const sidesAt = ({ before, after }: PolicyChange['access']) => ({
    before: { ...policy.before, letIn: before.surely },
    after: { ...policy.after, letIn: after.surely },
  });
  const possibly = unionAll([policy.access, ...sofar].map(({ gained }) => gained.possibly));
  const access = { ...now, gained: { ...now.gained, possibly } };
  const known = new Set(openness({ ...policy, ...sidesAt(past), access }, model).map(keyOf));
  return openness({ ...policy, ...sidesAt(now), access }, model).filter((each) => !known.has(keyOf(each)));
}

const keyOf = ({ id, members }: Finding): string => JSON.stringify([id, members]);
