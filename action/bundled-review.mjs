// Runs the review that the action contains. It installs nothing, and ignores whatever the checkout or an .npmrc names.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { logForeign } from './environment.mjs';
import { parseReport } from './report.mjs';

const BUNDLE = path.join(import.meta.dirname, 'dist', 'edge-policy.cjs');

const NO_BUNDLE =
  'this commit of the action does not contain the review; run `npm ci && npm run bundle:action` in a clone of its repository, ' +
  'and call the action by the commit that this prints';

/** Far more than a review takes (ten seconds) and prints, so that no preview can keep a job busy. */
const LIMITS = /** @type {const} */ ({ timeout: 120_000, killSignal: 'SIGKILL', maxBuffer: 1024 ** 3 });

/** The exit codes of a review, and of one that a signal has ended: what that has written is no review. docs/cli.md has all. */
const REVIEWED = [0, 1, 2];
const INTERRUPTED = [130, 143];

/** The arguments of an input with one argument per line. */
export const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * @typedef {{ markdown: string, report?: string, plan?: string }} ReportFiles
 * @typedef {{ outcome: import('./report.mjs').ReviewOutcome, files: ReportFiles }} Result
 */

/**
 * Reviews a preview once, and writes all formats that later steps and jobs read into the given folder.
 *
 * @param {readonly string[]} args
 * @param {{ folder: string, env?: Record<string, string | undefined> }} options
 * @returns {Result & { report?: import('./report.mjs').Report }}
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
  const { status, error, stderr } = spawnSync(
    process.execPath,
    [BUNDLE, 'review', ...writes.flatMap(([format, file]) => ['--write', `${format}=${file}`]), ...args],
    { env, encoding: 'utf8', ...LIMITS },
  );
  // It contains names of the stack.
  if (stderr) logForeign(stderr.trimEnd());
  if (/** @type {NodeJS.ErrnoException | undefined} */ (error)?.code === 'ETIMEDOUT')
    return failed('it took longer than two minutes', files);
  if (error) throw new Error(`the review cannot be run: ${error.message}`);
  if (INTERRUPTED.includes(status ?? 0)) return failed('it was interrupted', files);
  // It writes its files last.
  if (!REVIEWED.includes(status ?? -1) || !Object.values(files).every((file) => existsSync(file)))
    return failed('it ended with an error, which is in the log of the job', files);
  const report = parseReport(readFileSync(files.report, 'utf8'));
  return { outcome: report.verdict.outcome, files, report };
}

/** The result in place of a review that could not be made. @param {string} problem @returns {Result} */
export function failed(problem, files) {
  mkdirSync(path.dirname(files.markdown), { recursive: true });
  writeFileSync(files.markdown, failureText(problem));
  return { outcome: 'not-reviewed', files: { markdown: files.markdown } };
}

/** @param {string} problem In our own words. */
export const failureText = (problem) =>
  `## Access review\n\n🔴 **No review could be made: ${problem}.** The effect of this change is unknown.\n`;
