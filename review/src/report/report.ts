// What for: one report, written as Markdown, text or JSON.
// Must not know: `effects` and `explain`, and how anything is computed.
import type { PolicyChange } from '../access/policy-change';
import type { SubjectAccess } from '../access/subject-access';
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
