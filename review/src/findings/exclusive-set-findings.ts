import type { ExclusiveSet, Snapshot } from '../model/declarations';
import { valueOf } from '../model/known';
import type { StackChange } from '../model/snapshot';
import { foreign, list, say } from '../text/sentence';
import type { Finding, Where } from './finding';
import { finding } from './finding';

/** A set that becomes exclusive deletes foreign rules, which a preview does not show. */
export function exclusiveSetFindings({ before, after }: StackChange, includesLiveRules: boolean): Finding[] {
  if (includesLiveRules) return [];
  const owned = new Set(before.exclusiveSets.map(({ policyId }) => valueOf(policyId)));
  return after.exclusiveSets
    .filter(({ policyId }) => !policyId.isKnown || !owned.has(policyId.value))
    .filter(({ urn, policyId }) => policyId.isKnown || !before.exclusiveSets.some((set) => set.urn === urn))
    .map((set) => {
      const reason = say`${foreign(set.origin.name)} deletes every rule of its policy that is not its own; whether there are any cannot be seen here.`;
      return finding('exclusive-set-takes-over', { where: whereOf(set), reason });
    });
}

/** A set that owns its policy keeps foreign rules out of it. Without one, anyone with a key may add some, and no `up` removes them. */
export function releasedPolicyFindings({ before, after }: StackChange): Finding[] {
  const isOwned = (set: ExclusiveSet): boolean =>
    after.exclusiveSets.some((other) => (other.isSure || !set.isSure) && ownsAlike(set, other));
  return before.exclusiveSets
    .filter((set) => !isOwned(set))
    .map((set) => {
      const reason = say`${foreign(set.origin.name)} no longer owns its policy: rules that others add to it stay.`;
      return finding('exclusive-set-released', { where: whereOf(set), reason });
    });
}

/** A hidden policy is taken for what it was if the set is the same one. */
const ownsAlike = (left: ExclusiveSet, right: ExclusiveSet): boolean =>
  left.policyId.isKnown && right.policyId.isKnown
    ? left.policyId.value === right.policyId.value
    : left.urn === right.urn;

/** Other rules declared in the policy of an exclusive set: the set deletes them, and the next update creates them again. */
export function contestedRuleFindings(snapshot: Snapshot): Finding[] {
  return snapshot.exclusiveSets.flatMap((set) => {
    const policyId = valueOf(set.policyId);
    const rules = policyId === undefined ? [] : (snapshot.rules.placed.get(policyId) ?? []);
    const others = rules.filter(({ origin: { urn } }) => urn !== set.urn && urn.startsWith('urn:'));
    if (others.length === 0) return [];
    const names = [...new Set(others.map(({ origin }) => origin.name))];
    const reason = say`${foreign(set.origin.name)} owns its policy and deletes the rules of ${list(names.map(foreign))}.`;
    const members = others.map(
      (rule) => `${valueOf(rule.action) ?? ''} ${valueOf(rule.cidr)?.text ?? rule.property}`,
    );
    return [finding('exclusive-set-contested', { where: whereOf(set), reason, members })];
  });
}

function whereOf({ origin, policyId }: ExclusiveSet): Where {
  const subject = valueOf(policyId);
  return { ...(subject !== undefined && { subject }), origin, property: 'exclusive' };
}
