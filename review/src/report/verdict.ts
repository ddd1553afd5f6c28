import { isProvedUnchanged, type SubjectAccess } from '../access/subject-access';
import type { ReportedFinding } from '../guards/waivers';
import type { FailOn } from '../guards/gate';
import type { Verdict } from './report';
import { CATALOG, type FindingId } from '../findings/catalog';
import { type FindingKind, isAtLeast } from '../findings/severity';

export interface GateRequest {
  readonly failOn: FailOn;
  /** Whether the change was approved: then it must be the approved one, and its findings are known. */
  readonly isApproved: boolean;
}

/** Sums findings up. Those that existed before or are waived stay visible and stop nothing. */
export function verdictOf(
  findings: readonly ReportedFinding[],
  accesses: readonly SubjectAccess[],
  { failOn, isApproved }: GateRequest,
): Verdict {
  const counting = findings.filter((found) => found.isNew && !found.waiver);
  const isNotDecidable = counting.some((found) =>
    isApproved ? found.id === 'preview-incomplete' : CATALOG[found.id].about === 'evidence',
  );
  const isStopped = counting.some(
    (found) =>
      verdictFrom(found.id) === 'stops' ||
      (verdictFrom(found.id) === 'stops-until-accepted' && !isApproved) ||
      reaches(found, failOn),
  );
  return {
    outcome: isNotDecidable ? 'not-decidable' : isStopped ? 'findings' : 'clear',
    failOn,
    affectsAccess:
      // Nothing is "unchanged" unless it is proved.
      !accesses.every(isProvedUnchanged) || findings.some((found) => found.isNew && isAboutAccess(found.id)),
  };
}

/** Whether a finding is as bad as the threshold that it is compared with. */
export function reaches({ severity, threshold }: ReportedFinding, failOn: FailOn): boolean {
  const own = threshold ?? failOn;
  return own !== 'never' && isAtLeast(severity, own);
}

const verdictFrom = (id: FindingId): FindingKind['verdict'] => CATALOG[id].verdict;

/** Findings about access that the bounds of a subject do not show. */
const isAboutAccess = (id: FindingId): boolean =>
  CATALOG[id].about === 'evidence' || verdictFrom(id) === 'affects-access';
