import type { Origin } from '../model/declarations';
import type { Sentence } from '../text/sentence';
import type { BoundedChange } from './bounds';
import { isSurelyEmpty } from './bounds';

/** Why the bounds of a subject differ: a hidden value, a condition that is not understood, a limit that was hit. */
export interface Doubt {
  /** Part of a sentence, as in `the network of office is secret`. */
  readonly reason: Sentence;
  readonly origin?: Origin;
  readonly property?: string;
  /** Whether a value of the program is hidden, and not only its meaning unknown. */
  readonly isHidden?: boolean;
}

/** Who gets in by an IP policy, or through a TCP edge. */
export interface AddressAccess extends BoundedChange {
  readonly kind: 'policy' | 'tcp-edge';
  /** The identifier of the policy or edge. */
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

/** Who gets in on a route of an HTTPS edge, by the user agent. */
export interface UserAgentAccess {
  readonly kind: 'route';
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
  if (access.kind === 'route') return access.gained.extent === 'none' && access.lost.extent === 'none';
  return isSurelyEmpty(access.gained) && isSurelyEmpty(access.lost);
}

/** Whether somebody may get in who could not before: what `--no-new-access` refuses. */
export function mayGainAccess(access: SubjectAccess): boolean {
  return access.kind === 'route' ? access.gained.extent !== 'none' : !isSurelyEmpty(access.gained);
}
