import type { SubjectAccess } from '../access/subject-access';
import { isProvedUnchanged } from '../access/subject-access';
import type { ReportedFinding } from '../assertions/waivers';
import type { FailOn } from '../assertions/gate';
import type { Verdict } from './report';
import type { FindingId } from '../findings/catalog';
import { CATALOG } from '../findings/catalog';
import { isAtLeast } from '../findings/severity';

/** What a gate is asked for. */
export interface GateRequest {
  readonly failOn: FailOn;
  /** Whether the change was approved: then it must be what was approved, and its findings are known. */
  readonly isApproved: boolean;
}

/** Stop whatever the threshold: who asks for no new access, not to be locked out, or for what was approved, gets nothing else. */
const STRICT: ReadonlySet<FindingId> = new Set(['new-access', 'plan-differs', 'locked-out']);

/** Stop whatever the threshold, which is one of them, until somebody else has accepted the change of guards. */
const GUARDS: ReadonlySet<FindingId> = new Set([
  'assertion-weakened',
  'gate-weakened',
  'waiver-widened',
  'base-assertions-unread',
  'feed-weakened',
  'base-feeds-unread',
]);

/** Sums findings up. What was there before, and what is waived, stays visible and stops nothing. */
export function verdictOf(
  findings: readonly ReportedFinding[],
  accesses: readonly SubjectAccess[],
  { failOn, isApproved }: GateRequest,
): Verdict {
  const counting = findings.filter((found) => found.isNew && !found.waiver);
  const isUndecidable = counting.some((found) =>
    isApproved ? found.id === 'preview-incomplete' : CATALOG[found.id].about === 'undecidable',
  );
  const isStopped = counting.some(
    (found) =>
      STRICT.has(found.id) ||
      (GUARDS.has(found.id) && !isApproved) ||
      (failOn !== 'never' && isAtLeast(found.severity, failOn)),
  );
  return {
    outcome: isUndecidable ? 'not-decidable' : isStopped ? 'findings' : 'clear',
    failOn,
    affectsAccess:
      // Nothing is "unchanged" unless it is proved.
      !accesses.every(isProvedUnchanged) || findings.some((found) => found.isNew && isAboutAccess(found.id)),
  };
}

/** What the apply itself does on the way, later, or to what cannot be seen. */
const MEANWHILE: ReadonlySet<FindingId> = new Set([
  'replacement-gap',
  'network-handed-over',
  'end-moved',
  'exclusive-set-takes-over',
  'service-changed',
]);

/** Findings that are about access and that the bounds of a subject do not show. */
const isAboutAccess = (id: FindingId): boolean => CATALOG[id].about === 'undecidable' || MEANWHILE.has(id);
