import { isProvedUnchanged, type SubjectAccess } from '../access/subject-access';
import type { ReportedFinding } from '../guards/waivers';
import type { FailOn } from '../guards/gate';
import type { Verdict } from './report';
import { kindOf } from '../findings/catalog';
import { type FindingKind, isAtLeast } from '../findings/severity';

export interface GateRequest {
  readonly failOn: FailOn;
  /** Whether the change was approved: then it must be the approved one, and its findings are known. */
  readonly isApproved: boolean;
}

/** What counts: findings that existed before or are waived stay visible and stop nothing. */
export const countingIn = (findings: readonly ReportedFinding[]): ReportedFinding[] =>
  findings.filter((found) => found.isNew && !found.waiver);

/** The findings for which the gate stops a change. */
export const stoppingIn = (
  findings: readonly ReportedFinding[],
  { failOn, isApproved }: GateRequest,
): ReportedFinding[] =>
  countingIn(findings).filter(
    (found) =>
      isEvidenceMissing(found.id, isApproved) ||
      verdictFrom(found.id) === 'stops' ||
      (verdictFrom(found.id) === 'stops-review' && !isApproved) ||
      reaches(found, failOn),
  );

const isEvidenceMissing = (id: string, isApproved: boolean): boolean =>
  isApproved ? id === 'preview-incomplete' : kindOf(id).about === 'evidence';

/** Sums findings up. */
export function verdictOf(
  findings: readonly ReportedFinding[],
  accesses: readonly SubjectAccess[],
  request: GateRequest & { readonly isAccepted: boolean },
): Verdict {
  const stopping = stoppingIn(findings, request);
  const isStopped = stopping.length > 0 && !request.isAccepted;
  const isNotDecidable = stopping.some(({ id }) => isEvidenceMissing(id, request.isApproved));
  return {
    outcome: !isStopped ? 'clear' : isNotDecidable ? 'not-decidable' : 'findings',
    failOn: request.failOn,
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

const verdictFrom = (id: string): FindingKind['verdict'] => kindOf(id).verdict;

/** Findings about access that the bounds of a subject do not show. */
const isAboutAccess = (id: string): boolean =>
  kindOf(id).about === 'evidence' || verdictFrom(id) === 'affects-access';
