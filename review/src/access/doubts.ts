import { type Origin, rootOf, type RuleDeclaration } from '../model/declarations';
import { type Hidden, hidden, type Obstacle } from '../model/known';
import { foreign, say, type Sentence, trusted } from '../text/sentence';
import type { PolicySide } from './policy-side';
import type { Doubt } from './subject-access';

/** Why a value cannot be judged, as the end of a sentence. */
export const OBSTACLES: Readonly<Record<Obstacle, Sentence>> = {
  unknown: trusted('is known only after the update'),
  secret: trusted('is secret'),
  unreadable: trusted('cannot be read'),
  ambiguous: trusted('can be read in more than one way'),
  fate: trusted('depends on whether the run deletes it or leaves it on the service'),
  'look-up': trusted('depends on what it is by now: it is only looked up (get)'),
  unsettled: trusted('depends on whether its last write, which has got no answer, was carried out'),
};

/** The obstacles that are those of a whole object. */
const OF_OBJECTS: readonly Obstacle[] = ['fate', 'look-up', 'unsettled'];

/** The doubt about a hidden property, or about a whole object. */
export function hiddenDoubt(origin: Origin, property: string, { obstacle }: Hidden): Doubt {
  const isValue = !OF_OBJECTS.includes(obstacle);
  return {
    ...{ origin, property, isHidden: isValue && obstacle !== 'ambiguous', isLookUp: obstacle === 'look-up' },
    reason: say`the ${isValue ? foreign(property) : trusted('effect')} of ${foreign(origin.name)} ${OBSTACLES[obstacle]}`,
  };
}

/** The hidden properties that leave open who gets in by a policy, each property of a resource once. */
export function doubtsOf(sides: readonly PolicySide[]): Doubt[] {
  const doubts = new Map<string, Doubt>();
  for (const side of sides) {
    for (const rule of [...side.hiddenRules, ...side.doubtfulRules]) {
      const doubt = doubtOf(rule);
      doubts.set(JSON.stringify([rule.origin.urn, doubt.property]), doubt);
    }
  }
  return [...doubts.values()];
}

function doubtOf({ origin, property, policyId, cidr, action, until, doubt }: RuleDeclaration): Doubt {
  // All hidden entries of a set are one doubt.
  const root = rootOf(property);
  if (doubt)
    return { ...hiddenDoubt(origin, root, hidden(doubt)), isHidden: !policyId.isKnown || !cidr.isKnown };
  if (!policyId.isKnown) return hiddenDoubt(origin, 'ipPolicyId', policyId);
  if (!cidr.isKnown) return hiddenDoubt(origin, root, cidr);
  if (!action.isKnown) return hiddenDoubt(origin, origin.type === 'IpPolicyRule' ? 'action' : root, action);
  if (until?.isKnown === false) return hiddenDoubt(origin, 'until', until);
  const reason = say`an exclusive set removes the rules of ${foreign(origin.name)}, if they share their policy`;
  return { origin, property: root, reason };
}
