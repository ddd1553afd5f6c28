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

/** The first statement of a report. */
export interface Verdict {
  readonly outcome: ReviewOutcome;
  readonly failOn: FailOn;
  /** Whether the change affects who gets in, or may do so. */
  readonly affectsAccess: boolean;
}

/** Everything that a review found out; renderers turn it into text and decide nothing. */
export interface Report {
  readonly stack?: string;
  readonly project?: string;
  readonly verdict: Verdict;
  /** The worst first. */
  readonly findings: readonly ReportedFinding[];
  readonly policies: readonly PolicyChange[];
  /** Who definitely and who possibly gets in by every policy, edge and route, before and after. */
  readonly accesses: readonly SubjectAccess[];
  readonly assertions: readonly AssertionResult[];
  readonly waivers: readonly WaiverStatus[];
  /** The feeds that change, and whether their publishers confirm it. */
  readonly feeds: readonly FeedVerdict[];
  /** What the change means for the clients of the logs, and how much of these could be read; absent without logs. */
  readonly traffic?: {
    readonly subjects: readonly SubjectTraffic[];
    readonly removed: readonly RemovedUse[];
    readonly files: readonly LogFile[];
  };
  /** How another person may accept the change, or has; present if the gate stops it, and they can judge all that does. */
  readonly acceptance?: Acceptance;
  /** Present if the report is about drift. */
  readonly drift?: object;
  readonly assumptions: Assumptions;
  /** The CLI that made the preview or wrote the state, as far as is known. */
  readonly cliVersion?: string;
  /** Whether live rules outside the stack were read and counted. */
  readonly includesLiveRules: boolean;
  /** The names of what the program only looks up. */
  readonly lookedUp: readonly string[];
  /** The content of the review as a plan, and how it compares with an approved one. */
  readonly plan: CheckedPlan;
  /** Whether the preview omits what earlier replacements left to be deleted. */
  readonly hidesReplacementSteps: boolean;
  /** What was not reviewed, as it belongs to other packages. */
  readonly otherResources: OtherResources;
}

interface GateRequest {
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
