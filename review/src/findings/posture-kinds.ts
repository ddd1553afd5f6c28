import { CATALOG, FINDING_IDS, type FindingId } from './catalog';
import { type FindingKind, isAtLeast } from './severity';

/** A kind of finding that can be judged without a state before the change: its id, and what the catalog says of it. */
export interface PostureKind extends FindingKind {
  readonly id: FindingId;
  /** Whether one resource decides it, independently of the rest of the stack. */
  readonly isOfOneResource: boolean;
  /** Whether it reports something unknown, as is usual before the first `up`. */
  readonly isOfTheUnknown: boolean;
  /** Whether a review stops at it by default: see `DEFAULT_FAIL_ON`. */
  readonly isSevere: boolean;
}

/** Whether it needs no state before the change. */
export const isPosture = (id: FindingId): boolean => CATALOG[id].posture !== 'none';

/** All kinds of posture, in the order of the catalog. */
export const POSTURE_KINDS: readonly PostureKind[] = FINDING_IDS.filter(isPosture).map((id) => {
  const kind: FindingKind = CATALOG[id];
  return {
    id,
    ...kind,
    isOfOneResource: kind.posture === 'one-resource',
    isOfTheUnknown: kind.posture === 'unknown',
    isSevere: isAtLeast(kind.severity, 'high'),
  };
});
