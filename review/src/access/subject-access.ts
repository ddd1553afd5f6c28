// What for: who gets in at one policy, edge or route, and which addresses a policy lets in, surely and possibly.
// Must not know: `findings`, `report`, and the other ways to filter (`traffic-policy`, `user-agents`).
import { MODULE_PARENTS, type ModuleParent } from 'pulumi-edge-policy/internal/resources/module-kind';
import type { Origin } from '../model/declarations';
import type { Sentence } from '../text/sentence';
import { type BoundedChange, isSurelyEmpty } from './bounds';

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

/** What people get access by: an IP policy, or an object that modules are attached to. */
export type SubjectKind = 'policy' | ModuleParent;

/** All of them, policies first. */
export const SUBJECT_KINDS: readonly SubjectKind[] = [
  'policy',
  ...(Object.keys(MODULE_PARENTS) as ModuleParent[]),
];

/** The name of a kind, as in a heading. */
export const titleOfKind = (kind: SubjectKind): string =>
  kind === 'policy' ? 'IP policy' : MODULE_PARENTS[kind].name;

/** A kind in one word, as waivers and stand-ins for hidden identifiers name it. */
export const nounOfKind = (kind: SubjectKind): string =>
  kind === 'policy' ? kind : MODULE_PARENTS[kind].noun;

/** Whether subjects of a kind decide by the user agent, and not by the address. */
export const looksAtUserAgents = (kind: SubjectKind): boolean =>
  kind !== 'policy' && MODULE_PARENTS[kind].looksAt === 'user-agents';

/** Who gets in by an IP policy, or by modules that look at the client's address. */
export interface AddressAccess extends BoundedChange {
  readonly of: 'addresses';
  readonly kind: SubjectKind;
  /** The identifier of the policy, the edge, or `edge/route`. */
  readonly subject: string;
  readonly doubts: readonly Doubt[];
  /** For a later moment than the apply: what begins then. */
  readonly begins?: Beginning;
}

/** When a gain or loss of access begins, as rules end. */
export interface Beginning {
  readonly atMs: number;
  /** The last moment, if these are several together; otherwise the same one. */
  readonly lastMs: number;
}

/** Who gets in by an IP policy at a later moment, and the gains and losses that begin then. */
export interface LaterAccess extends AddressAccess {
  readonly begins: Beginning;
}

/** Which user agents change sides in one direction, and how sure that is. */
export interface UserAgentShift {
  /** `none` is proved; `some` has witnesses; `undecided` has neither. */
  readonly extent: 'none' | 'some' | 'undecided';
  /** Headers that change sides according to the RE2 engine; null is a client without the header. */
  readonly witnesses: readonly (string | null)[];
  /** Whether further clients may change sides, depending on hidden or invalid patterns. */
  readonly mayBeMore: boolean;
}

/** Who gets in by the user agent. */
export interface UserAgentAccess {
  readonly of: 'user-agents';
  readonly kind: ModuleParent;
  /** `edgeId/routeId`. */
  readonly subject: string;
  readonly gained: UserAgentShift;
  readonly lost: UserAgentShift;
  readonly doubts: readonly Doubt[];
}

/** One policy, edge or route before and after the change. */
export type SubjectAccess = AddressAccess | UserAgentAccess;

/** Whether it is proved that nobody's access changes. Nothing else may be called "unchanged". */
export function isProvedUnchanged(access: SubjectAccess): boolean {
  if (access.of === 'user-agents') return access.gained.extent === 'none' && access.lost.extent === 'none';
  return isSurelyEmpty(access.gained) && isSurelyEmpty(access.lost);
}

/** Whether somebody may get in who could not before: what `--no-new-access` refuses. */
export function mayGainAccess(access: SubjectAccess): boolean {
  return access.of === 'user-agents' ? access.gained.extent !== 'none' : !isSurelyEmpty(access.gained);
}
