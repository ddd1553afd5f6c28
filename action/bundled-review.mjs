// Runs the review that the action contains. It installs nothing, and ignores whatever the checkout or an .npmrc names.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './run-quietly.mjs';

const BUNDLE = path.join(import.meta.dirname, 'dist', 'edge-policy.cjs');

const NO_BUNDLE =
  'this commit of the action carries no review; run `npm ci && npm run bundle:action` in a clone of its repository, ' +
  'and call the action by the commit that this prints';

/** Far more than a review takes (ten seconds), so that no preview can keep a job busy. */
const REVIEW_LIMIT_MS = 120_000;

/** The exit code of a review that could not be made. */
export const NOT_REVIEWED = 3;

/** The arguments of an input with one argument per line. */
export const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** @typedef {{ markdown: string, report?: string, plan?: string }} ReportFiles */

/**
 * Reviews a preview once, and writes all formats that later steps and jobs read into the given folder.
 *
 * @param {readonly string[]} args
 * @param {{ folder: string, env?: Record<string, string | undefined> }} options
 * @returns {{ exitCode: number, files: ReportFiles, problem?: string }}
 */
export function review(args, { folder, env }) {
  mkdirSync(folder, { recursive: true });
  const files = {
    report: path.join(folder, 'report.json'),
    markdown: path.join(folder, 'report.md'),
    plan: path.join(folder, 'plan.json'),
  };
  for (const file of Object.values(files)) rmSync(file, { force: true });
  if (!existsSync(BUNDLE)) return failed(NO_BUNDLE, files);
  const writes = Object.entries({ ...files, json: files.report }).filter(([format]) => format !== 'report');
  const { status, isOutOfTime } = runQuietly(
    process.execPath,
    [BUNDLE, 'review', ...writes.flatMap(([format, file]) => ['--write', `${format}=${file}`]), ...args],
    { env, timeoutMs: REVIEW_LIMIT_MS },
  );
  if (isOutOfTime) return failed('it took longer than two minutes', files);
  if (![0, 1, 2].includes(status))
    return failed('it ended with an error, which is in the log of the job', files);
  return { exitCode: status, files };
}

/** The options of a review that the page must have as well, to decide alike. */
const ASSUMPTION = /^--(?:ip-model|user-agent-model|terminal-actions|phases)(?:=|$)/;

/**
 * Writes the page that shows who gets in before and after. A preview that does not show the whole change has none.
 *
 * @param {string} preview
 * @param {{ folder: string, args: readonly string[], env?: Record<string, string | undefined> }} options
 * @returns {string | undefined} its file
 */
export function writePage(preview, { folder, args, env }) {
  const file = path.join(folder, 'access.html');
  rmSync(file, { force: true });
  if (!existsSync(BUNDLE)) return undefined;
  const assumptions = args.flatMap((argument, at) =>
    ASSUMPTION.test(argument) ? args.slice(at, at + (argument.includes('=') ? 1 : 2)) : [],
  );
  const command = [
    BUNDLE,
    'page',
    '--preview',
    path.resolve(preview),
    '--out',
    path.resolve(file),
    ...assumptions,
  ];
  const { status } = runQuietly(process.execPath, command, { env, timeoutMs: REVIEW_LIMIT_MS });
  return status === 0 ? file : undefined;
}

/**
 * The result in place of a review that could not be made.
 *
 * @param {string} problem
 * @param {ReportFiles} files
 * @returns {{ exitCode: number, files: ReportFiles, problem?: string }}
 */
export function failed(problem, files) {
  mkdirSync(path.dirname(files.markdown), { recursive: true });
  writeFileSync(files.markdown, failureText(problem));
  return { exitCode: NOT_REVIEWED, files: { markdown: files.markdown }, problem };
}

/** @param {string} problem In our own words. */
export const failureText = (problem) =>
  `## Access review\n\n🔴 **No review could be made: ${problem}.** Nothing is known about what this change does.\n`;

/**
 * Whether reviewers have to be told.
 *
 * @param {{ report?: string }} files
 */
export const tellsNews = ({ report }) =>
  report === undefined || isNews(JSON.parse(readFileSync(report, 'utf8')));

/** Whether access changes, the gate stops the change, or something new is worse than low. */
export const isNews = (/** @type {any} */ { verdict, findings }) =>
  verdict.affectsAccess ||
  verdict.outcome !== 'clear' ||
  findings.filter(counts).some(({ severity }) => ['critical', 'high', 'medium'].includes(severity));

/** Whether a finding of a report is new, and nobody has accepted it. */
export const counts = (/** @type {any} */ { isNew, waivedUntil }) => isNew && waivedUntil === undefined;
