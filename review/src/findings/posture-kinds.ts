import { CATALOG, FINDING_IDS, type FindingId } from './catalog';
import { type FindingKind, isAtLeast } from './severity';

/** A kind of finding that can be judged without a state before the change: its id, and what docs/findings.md says of it. */
export interface PostureKind extends FindingKind {
  readonly id: FindingId;
  /** Whether one resource decides it, independently of the rest of the stack. */
  readonly isOfOneResource: boolean;
  /** Whether it reports something unknown, as is usual before the first `up`. */
  readonly isOfTheUnknown: boolean;
  /** Whether a review stops at it by default: see `DEFAULT_FAIL_ON`. */
  readonly isSevere: boolean;
}

const OF_ONE_RESOURCE: ReadonlySet<FindingId> = new Set([
  'special-network-allowed',
  'set-too-large',
  'end-required',
  'reason-required',
  'module-off',
  'traffic-policy-unreadable',
  'traffic-phase-mistyped',
  'traffic-rule-unreachable',
  'traffic-rule-name-duplicate',
  'user-agent-pattern-invalid',
  'user-agent-pattern-finds-empty',
  'user-agent-pattern-duplicate',
  'user-agent-allow-only',
]);

const OF_THE_UNKNOWN: ReadonlySet<FindingId> = new Set(['not-decidable', 'assertion-not-checked']);

/** Requirements apply to a state, too. */
const ASKED_FOR: ReadonlySet<FindingId> = new Set(['assertion-failed', 'end-required', 'reason-required']);

/** About a lock, and not a resource. */
const OF_FEEDS: ReadonlySet<FindingId> = new Set(['feed-lock-broken', 'feed-stale']);

/** The kinds that need no state before the change. Those for information only are no reason to look at a stack. */
export function isPosture(id: FindingId): boolean {
  const { about, severity } = CATALOG[id];
  return (about !== 'change' || ASKED_FOR.has(id)) && severity !== 'info' && !OF_FEEDS.has(id);
}

/** All kinds of posture, in the order of the catalog. */
export const POSTURE_KINDS: readonly PostureKind[] = FINDING_IDS.filter(isPosture).map((id) => ({
  id,
  ...CATALOG[id],
  isOfOneResource: OF_ONE_RESOURCE.has(id),
  isOfTheUnknown: OF_THE_UNKNOWN.has(id),
  isSevere: isAtLeast(CATALOG[id].severity, 'high'),
}));
