import type { ExclusiveSet, Snapshot } from '../model/declarations';
import { valueOf } from '../model/known';
import type { ResourceChange } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import { isReadable, takeOversOf } from '../model/take-overs';
import type { Retention } from '../preview/fate';
import { foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { finding, type Finding, type Where } from './finding';

/** A set that becomes exclusive deletes foreign rules, which a preview does not show. */
export function exclusiveSetFindings({ before, after }: StackChange, includesLiveRules: boolean): Finding[] {
  if (includesLiveRules) return [];
  const owned = new Set(before.exclusiveSets.map(({ policyId }) => valueOf(policyId)));
  return after.exclusiveSets
    .filter(({ policyId }) => !policyId.isKnown || !owned.has(policyId.value))
    .filter((set) => set.policyId.isKnown || !before.exclusiveSets.some((other) => isSameSet(set, other)))
    .map((set) => {
      const reason = say`${foreign(set.origin.name)} deletes every rule of its policy that is not its own; this preview does not show whether there are any.`;
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
    : isSameSet(left, right);

const isSameSet = (left: ExclusiveSet, right: ExclusiveSet): boolean => left.origin.urn === right.origin.urn;

/** Other rules declared in the policy of an exclusive set: the set deletes them, and the next update creates them again. */
export function contestedRuleFindings(snapshot: Snapshot): Finding[] {
  return snapshot.exclusiveSets.flatMap((set) => {
    const policyId = valueOf(set.policyId);
    const rules = policyId === undefined ? [] : (snapshot.rules.placed.get(policyId) ?? []);
    const others = rules.filter(({ origin: { urn } }) => urn !== set.origin.urn && urn.startsWith('urn:'));
    if (others.length === 0) return [];
    const names = [...new Set(others.map(({ origin }) => origin.name))];
    const reason = say`${foreign(set.origin.name)} owns its policy and deletes the rules of ${list(names.map(foreign))}.`;
    const members = others.map(
      (rule) => `${valueOf(rule.action) ?? ''} ${valueOf(rule.cidr)?.text ?? rule.property}`,
    );
    return [finding('exclusive-set-contested', { where: whereOf(set), reason, members })];
  });
}

const whereOf = ({ origin, policyId }: ExclusiveSet): Where => ({
  subject: valueOf(policyId),
  origin,
  property: 'exclusive',
});

/** A resource that may overwrite starts from what is live, which only the service knows. */
export function takeOverFindings(changes: readonly ResourceChange[], includesLive: boolean): Finding[] {
  return takeOversOf(changes)
    .filter((takeOver) => !includesLive || !isReadable(takeOver))
    .map(({ origin, subject, rules }) => {
      // If a deny rule takes another rule's place, nobody gains access.
      const onlyDenies = rules.length > 0 && rules.every(({ action }) => valueOf(action) === 'deny');
      return finding('overwrite-not-seen', {
        where: { subject: valueOf(subject), origin, property: 'overwriteExisting' },
        reason: say`${foreign(origin.name)} takes over what it finds on the service; this preview does not show whether anything is there, or what it does.`,
        severity: onlyDenies ? 'low' : 'medium',
      });
    });
}

const WHY: Readonly<Partial<Record<Retention, Sentence>>> = {
  get: trusted('stays on the service because the program only looks it up (get)'),
  unknown: trusted('may stay on the service: the preview does not tell'),
};

/** An object that leaves the stack and stays live, or may do so. */
export const leftOnService = ({ changes }: StackChange): Finding[] =>
  changes.flatMap(({ before, retention }) => {
    if (!before || !retention) return [];
    const { origin } = before;
    const why = WHY[retention] ?? say`stays on the service because it has ${trusted(retention)}`;
    const reason = say`An object of ${foreign(origin.name)} leaves the stack and ${why}.`;
    return [finding('left-on-service', { where: { origin }, reason })];
  });
