// The verdict as a check run of the commit: nobody with write access can edit it, and it shows findings on the changed lines.
import { annotationsOf, worstOf } from './report.mjs';

/** @type {Record<import('./report.mjs').ReviewOutcome, { conclusion: string, title: string }>} */
const VERDICTS = {
  clear: { conclusion: 'success', title: 'Nothing stops this change.' },
  findings: { conclusion: 'failure', title: 'The gate stops this change: the summary has the reasons.' },
  'not-decidable': { conclusion: 'failure', title: 'Not decidable: the summary has the reasons.' },
  'not-reviewed': { conclusion: 'failure', title: 'No review could be made.' },
};

/** A check run belongs to a commit, and the base of a pull request can be changed: so it names the branch that it holds for. */
export const checkName = (stack, ref) => `access review: ${stack} into ${ref}`;

/** The runs that made some checks. Anybody may name a run there: it proves nothing by itself. @returns {string[]} */
export const runsOf = (checks) =>
  checks.flatMap(({ details_url: url }) => /\/actions\/runs\/(\d+)$/.exec(url ?? '')?.[1] ?? []);

/**
 * The check run about all pull requests of a commit into one branch: that of the worst verdict.
 *
 * @param {{ stack: string, ref: string, sha: string, directory: string, run: string }} of
 * @param {readonly Judged[]} results
 */
export function checkRunOf({ stack, ref, sha, directory, run }, results) {
  const { outcome, against, markdown, report, acceptedBy } = worstOf(results);
  const { conclusion, title } = VERDICTS[outcome];
  return {
    name: checkName(stack, ref),
    head_sha: sha,
    status: 'completed',
    conclusion,
    details_url: run,
    output: {
      title: [
        acceptedBy === undefined ? title : `Accepted by ${acceptedBy}.`,
        ...(against === undefined ? [] : [`Guards: ${against}.`]),
      ].join(' '),
      summary: `${markdown}\n[The run that judged](${run})\n`,
      annotations: report === undefined ? [] : annotationsOf(report, directory),
    },
  };
}

/**
 * @typedef {object} Judged
 * @property {import('./report.mjs').ReviewOutcome} outcome
 * @property {string} [against] the branch and the commit whose guards counted
 * @property {string} markdown
 * @property {import('./report.mjs').Report} [report]
 * @property {string} [acceptedBy]
 */
