import type { SubjectAccess } from '../access/subject-access';
import { isProvedUnchanged } from '../access/subject-access';
import type { ReportedFinding } from '../assertions/waivers';
import type { FailOn } from '../assertions/gate';
import type { Verdict } from './report';
import type { FindingId } from '../findings/catalog';
import { CATALOG } from '../findings/catalog';
import { isAtLeast } from '../findings/severity';

/** The request for a gate. */
export interface GateRequest {
  readonly failOn: FailOn;
  /** Whether the change was approved: then it must be the approved one, and its findings are known. */
  readonly isApproved: boolean;
}

/** Stop whatever the threshold, as the caller has explicitly excluded them: new access, lock-outs, differences from the approved plan. */
const STRICT: ReadonlySet<FindingId> = new Set(['new-access', 'plan-differs', 'locked-out']);

/** Stop whatever the threshold (which is a guard, too) until another person has accepted the change of guards. */
const GUARDS: ReadonlySet<FindingId> = new Set([
  'assertion-weakened',
  'gate-weakened',
  'waiver-widened',
  'base-assertions-unread',
  'feed-weakened',
  'base-feeds-unread',
]);

/** Sums findings up. Those that existed before or are waived stay visible and stop nothing. */
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

/** Findings about effects during the apply, later, or on hidden objects. */
const MEANWHILE: ReadonlySet<FindingId> = new Set([
  'replacement-gap',
  'network-handed-over',
  'end-moved',
  'exclusive-set-takes-over',
  'service-changed',
]);

/** Findings about access that the bounds of a subject do not show. */
const isAboutAccess = (id: FindingId): boolean => CATALOG[id].about === 'undecidable' || MEANWHILE.has(id);
