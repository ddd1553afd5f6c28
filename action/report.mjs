// Reads the reports of the review (`review/schemas/review-1.json`): no other file of the action knows a member of one.
import path from 'node:path';

/**
 * The members that the action needs.
 *
 * @typedef {'critical' | 'high' | 'medium' | 'low' | 'info'} Severity
 * @typedef {{ file: string, line: number }} Source relative to the folder of the project
 * @typedef {{ severity: Severity, title: string, reason: string, isNew: boolean, waivedUntil?: string, where: { source?: Source } }} Finding
 * @typedef {{ outcome: Exclude<ReviewOutcome, 'not-reviewed'>, affectsAccess: boolean }} Verdict
 * @typedef {{ formatVersion: 1, verdict: Verdict, findings: readonly Finding[], acceptance?: { hash: string, isAccepted: boolean } }} Report
 */

/** @typedef {'clear' | 'findings' | 'not-decidable' | 'not-reviewed'} ReviewOutcome */

/** How a review can end, the best first. */
const OUTCOMES = /** @type {const} */ (['clear', 'findings', 'not-decidable', 'not-reviewed']);

/** @type {readonly Severity[]} the worst first */
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];

/** One file holds no more for a check run. */
const MOST_ANNOTATIONS = 50;
const LONGEST_TITLE = 255;

/** @param {string} text @returns {Report} */
export function parseReport(text) {
  const report = JSON.parse(text);
  if (report.formatVersion !== 1) throw new Error('the report has another format than the action reads');
  return report;
}

/**
 * The result with the worst outcome, of at least one.
 *
 * @template {{ outcome: ReviewOutcome }} T
 * @param {readonly T[]} results
 */
export const worstOf = (results) =>
  results.reduce((one, other) =>
    OUTCOMES.indexOf(other.outcome) > OUTCOMES.indexOf(one.outcome) ? other : one,
  );

/** Orders reports, the worst first: none, then by outcome and by the worst new finding. @param {Report | undefined} report */
export function rankOf(report) {
  if (report === undefined) return -Infinity;
  const worst = report.findings.filter(counts).map(({ severity }) => SEVERITIES.indexOf(severity));
  const rank = Math.min(...worst, SEVERITIES.length);
  return rank - SEVERITIES.length * 2 * OUTCOMES.indexOf(report.verdict.outcome);
}

/** Whether reviewers have to be told; without a report, too. @param {Report | undefined} report */
export const isNews = (report) =>
  report === undefined ||
  report.verdict.affectsAccess ||
  report.verdict.outcome !== 'clear' ||
  report.findings.filter(counts).some(({ severity }) => ['critical', 'high', 'medium'].includes(severity));

/** Whether a finding is new, and nobody has accepted it. @param {Finding} finding */
const counts = ({ isNew, waivedUntil }) => isNew && waivedUntil === undefined;

/** The hash by which a person may accept a change that is stopped; undefined if nobody can judge it, or somebody has. */
export const hashToAccept = (/** @type {Report | undefined} */ report) =>
  report?.acceptance?.isAccepted === false ? report.acceptance.hash : undefined;

/**
 * The new findings on their lines, as a check run takes them. GitHub refuses one with a path outside of the repository.
 *
 * @param {Report} report
 * @param {string} folder of the project, from the root of the repository
 */
export const annotationsOf = ({ findings }, folder) =>
  findings
    .filter(counts)
    .filter(({ severity }) => severity !== 'info')
    .flatMap(({ severity, title, reason, where: { source } }) => {
      if (source === undefined) return [];
      const file = path.posix.join(folder, source.file);
      if (path.posix.isAbsolute(source.file) || file.startsWith('..')) return [];
      return {
        ...{ path: file, start_line: source.line, end_line: source.line, annotation_level: 'warning' },
        ...{ title: `${severity}: ${title}`.slice(0, LONGEST_TITLE), message: reason },
      };
    })
    .slice(0, MOST_ANNOTATIONS);
