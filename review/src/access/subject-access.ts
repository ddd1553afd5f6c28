// What for: who gets in at one policy, edge or route, and which addresses a policy lets in, surely and possibly.
// Must not know: `findings`, `report`, and the other ways to filter (`traffic-policy`, `user-agents`).
import { MODULE_PARENTS, type ModuleParent } from 'pulumi-edge-policy/internal/resources/module-kind';
import { type Origin, rootOf, type RuleDeclaration } from '../model/declarations';
import { foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { type BoundedChange, isSurelyEmpty } from './bounds';
import { type Hidden, hidden, type Obstacle } from '../model/known';
import type { PolicySide } from './policy-side';

/** Why the bounds of a subject differ: a hidden value, a condition that is not understood, a limit that was hit. */
export interface Doubt {
  /** Part of a sentence, as in `the network of office is secret`. */
  readonly reason: Sentence;
  readonly origin?: Origin;
  readonly property?: string;
  /** Whether a value of the program is hidden, and not only its meaning unknown. */
  readonly isHidden?: boolean;
  /** Whether it is about what is only looked up: most likely as it is shown. */
  readonly isLookUp?: boolean;
}

/** Why it is not decided. */
export const reasonsIn = (
  doubts: readonly Doubt[],
  otherwise: Sentence = trusted('it cannot be decided'),
): Sentence => (doubts.length === 0 ? otherwise : list(doubts.map(({ reason }) => reason)));

export type SubjectKind = 'policy' | ModuleParent;

export const SUBJECT_KINDS: readonly SubjectKind[] = [
  'policy',
  ...(Object.keys(MODULE_PARENTS) as ModuleParent[]),
];

export const titleOfKind = (kind: SubjectKind): string =>
  kind === 'policy' ? 'IP policy' : MODULE_PARENTS[kind].name;

/** A kind in one word, as waivers and stand-ins for hidden identifiers name it. */
export const nounOfKind = (kind: SubjectKind): string =>
  kind === 'policy' ? kind : MODULE_PARENTS[kind].noun;

export const looksAtUserAgents = (kind: SubjectKind): boolean =>
  kind !== 'policy' && MODULE_PARENTS[kind].looksAt === 'user-agents';

export interface AddressAccess extends BoundedChange {
  readonly of: 'addresses';
  readonly kind: SubjectKind;
  /** The identifier of the policy, the edge, or `edge/route`. */
  readonly subject: string;
  readonly doubts: readonly Doubt[];
  /** For a later moment than the apply: what begins then. */
  readonly begins?: Beginning;
}

interface Beginning {
  readonly atMs: number;
  /** The last moment, if these are several together; otherwise the same one. */
  readonly lastMs: number;
}

/** Who gets in by an IP policy at a later moment, and the gains and losses that begin then. */
export interface LaterAccess extends AddressAccess {
  readonly begins: Beginning;
}

export interface UserAgentShift {
  /** `none` is proved; `some` has witnesses; `undecided` has neither. */
  readonly extent: 'none' | 'some' | 'undecided';
  /** Headers that change sides according to the RE2 engine; null is a client without the header. */
  readonly witnesses: readonly (string | null)[];
  /** Whether further clients may change sides, depending on hidden or invalid patterns. */
  readonly mayBeMore: boolean;
}

export interface UserAgentAccess {
  readonly of: 'user-agents';
  readonly kind: ModuleParent;
  /** `edgeId/routeId`. */
  readonly subject: string;
  readonly gained: UserAgentShift;
  readonly lost: UserAgentShift;
  readonly doubts: readonly Doubt[];
}

export type SubjectAccess = AddressAccess | UserAgentAccess;

/** Whether it is proved that nobody's access changes. Nothing else may be called "unchanged". */
export function isProvedUnchanged(access: SubjectAccess): boolean {
  if (access.of === 'user-agents') return access.gained.extent === 'none' && access.lost.extent === 'none';
  return isSurelyEmpty(access.gained) && isSurelyEmpty(access.lost);
}

/** Whether somebody may get in who could not before: what `--no-new-access` refuses. */
export const mayGainAccess = (access: SubjectAccess): boolean =>
  access.of === 'user-agents' ? access.gained.extent !== 'none' : !isSurelyEmpty(access.gained);

export const OBSTACLES: Readonly<Record<Obstacle, Sentence>> = {
  unknown: trusted('is known only after the update'),
  secret: trusted('is secret'),
  unreadable: trusted('cannot be read'),
  ambiguous: trusted('can be read in more than one way'),
  fate: trusted('depends on whether the run deletes it or leaves it on the service'),
  'look-up': trusted('depends on what it is by now: it is only looked up (get)'),
  unsettled: trusted('depends on whether its last write, which has got no answer, was carried out'),
};

const OF_OBJECTS: readonly Obstacle[] = ['fate', 'look-up', 'unsettled'];

export function hiddenDoubt(origin: Origin, property: string, { obstacle }: Hidden): Doubt {
  const isValue = !OF_OBJECTS.includes(obstacle);
  return {
    ...{ origin, property, isHidden: isValue && obstacle !== 'ambiguous', isLookUp: obstacle === 'look-up' },
    reason: say`the ${isValue ? foreign(property) : trusted('effect')} of ${foreign(origin.name)} ${OBSTACLES[obstacle]}`,
  };
}

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
