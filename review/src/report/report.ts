// What for: one report, written as Markdown, text or JSON.
// Must not know: `effects` and `explain`, and how anything is computed.
import type { PolicyChange } from '../access/policy-change';
import { isProvedUnchanged, type SubjectAccess } from '../access/subject-access';
import type { Acceptance } from '../guards/acceptance';
import type { AssertionResult } from '../guards/assertion';
import type { FailOn } from '../guards/gate';
import type { ReportedFinding, WaiverStatus } from '../guards/waivers';
import type { FeedVerdict } from '../findings/feeds';
import type { CheckedPlan } from '../guards/compare-plans';
import type { OtherResources } from '../preview/preview-gaps';
import type { SubjectTraffic } from '../traffic/replay';
import type { RemovedUse } from '../traffic/rule-use';
import type { LogFile } from '../traffic/traffic-log';
import type { Assumptions } from '../findings/assumptions';
import { kindOf } from '../findings/catalog';
import { type FindingKind, isAtLeast } from '../findings/severity';

export type ReviewOutcome = 'clear' | 'findings' | 'not-decidable';

export interface Verdict {
  readonly outcome: ReviewOutcome;
  readonly failOn: FailOn;
  readonly affectsAccess: boolean;
}

/** Everything that a review found out; renderers turn it into text and decide nothing. */
export interface Report {
  readonly stack?: string;
  readonly project?: string;
  readonly verdict: Verdict;
  readonly findings: readonly ReportedFinding[];
  readonly policies: readonly PolicyChange[];
  readonly accesses: readonly SubjectAccess[];
  readonly assertions: readonly AssertionResult[];
  readonly waivers: readonly WaiverStatus[];
  readonly feeds: readonly FeedVerdict[];
  /** What the change means for the clients of the logs, and how much of these could be read; absent without logs. */
  readonly traffic?: {
    readonly subjects: readonly SubjectTraffic[];
    readonly removed: readonly RemovedUse[];
    readonly files: readonly LogFile[];
  };
  /** How another person may accept the change, or has; present if the gate stops it, and they can judge all that does. */
  readonly acceptance?: Acceptance;
  readonly drift?: object;
  readonly assumptions: Assumptions;
  readonly cliVersion?: string;
  /** Whether live rules outside the stack were read and counted. */
  readonly includesLiveRules: boolean;
  readonly lookedUp: readonly string[];
  readonly plan: CheckedPlan;
  /** Whether the preview omits what earlier replacements left to be deleted. */
  readonly hidesReplacementSteps: boolean;
  readonly otherResources: OtherResources;
}

interface GateRequest {
  readonly failOn: FailOn;
  /** Whether the change was approved: then it must be the approved one, and its findings are known. */
  readonly isApproved: boolean;
}

/** What counts: findings that existed before or are waived stay visible and stop nothing. */
export const countingIn = (findings: readonly ReportedFinding[]): ReportedFinding[] =>
  findings.filter((finding) => finding.isNew && !finding.waiver);

export const stoppingIn = (
  findings: readonly ReportedFinding[],
  { failOn, isApproved }: GateRequest,
): ReportedFinding[] =>
  countingIn(findings).filter(
    (finding) =>
      isEvidenceMissing(finding.id, isApproved) ||
      verdictFrom(finding.id) === 'stops' ||
      (verdictFrom(finding.id) === 'stops-review' && !isApproved) ||
      reaches(finding, failOn),
  );

const isEvidenceMissing = (id: string, isApproved: boolean): boolean =>
  isApproved ? id === 'preview-incomplete' : kindOf(id).about === 'evidence';

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
      !accesses.every(isProvedUnchanged) ||
      findings.some((finding) => finding.isNew && isAboutAccess(finding.id)),
  };
}

export function reaches({ severity, threshold }: ReportedFinding, failOn: FailOn): boolean {
  const inForce = threshold ?? failOn;
  return inForce !== 'never' && isAtLeast(severity, inForce);
}

const verdictFrom = (id: string): FindingKind['verdict'] => kindOf(id).verdict;

/** Findings about access that the bounds of a subject do not show. */
const isAboutAccess = (id: string): boolean =>
  kindOf(id).about === 'evidence' || verdictFrom(id) === 'affects-access';
