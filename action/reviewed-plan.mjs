// Finds the plan that was reviewed and not stopped for the pushed commit, for the job that applies it. It trusts only GitHub's records
// and the artifacts of the workflow that judges, which GitHub takes from the default branch: a check names the run, and proves nothing.
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkName } from './check-run.mjs';
import { artifactOf, namedStack, Problem, required } from './environment.mjs';
import { gitHubOfStep } from './github.mjs';
import { logForeign } from './run-quietly.mjs';
import { fileInZip } from './zip.mjs';

const LIMIT_BYTES = 64 * 1024 ** 2;
const repository = required('GITHUB_REPOSITORY');
const [sha, ref] = [required('GITHUB_SHA'), required('GITHUB_REF_NAME')];
const stack = namedStack();
const gitHub = gitHubOfStep();

/** The plan of the newest review of the commit, or of the head of a pull request that it merged. */
async function reviewedPlan() {
  const pulls = await gitHub.pullRequestsWith(repository, sha);
  const merged = pulls.filter((pull) => pull.merged_at !== null && pull.base.ref === ref);
  if (merged.length === 0)
    throw new Problem(`no pull request brought ${sha} to ${ref}, so nothing was reviewed`);
  const reasons = [];
  for (const pull of merged)
    // The commit of a merge queue is that of the branch afterwards.
    for (const judged of [sha, pull.head.sha])
      for (const check of await gitHub.checkRuns(repository, judged, checkName(stack, ref))) {
        const [, run] = /\/actions\/runs\/(\d+)$/.exec(check.details_url ?? '') ?? [];
        if (run === undefined || !(await isOfJudge(run))) continue;
        const found = await planIn(run, { judged, number: pull.number });
        if ('plan' in found) return found.plan;
        reasons.push(found.reason);
      }
  throw new Problem(reasons[0] ?? `no run has judged the pull request that brought ${sha} to ${ref}`);
}

/** Anybody may make a check that names a run of a workflow of their own. */
async function isOfJudge(id) {
  const { event, path: workflow = '', head_repository: from } = await gitHub.run(repository, id);
  const file = path.posix.basename(workflow.split('@')[0]);
  return event === 'workflow_run' && from?.full_name === repository && file === required('REVIEW_WORKFLOW');
}

/** @returns {Promise<{ plan: Buffer } | { reason: string }>} */
async function planIn(run, { judged, number }) {
  const artifact = await gitHub.artifact(repository, run, artifactOf('review', stack));
  if (artifact === undefined) return { reason: `the reviewed plan of the run ${run} has expired` };
  const archive = await gitHub.archive(repository, artifact.id, LIMIT_BYTES);
  try {
    const about = JSON.parse(fileInZip(archive, `${number}/judged.json`, LIMIT_BYTES).toString('utf8'));
    if (about.sha !== judged || about.ref !== ref)
      return { reason: `the run ${run} has judged another commit than ${judged}` };
    if (about.outcome !== 'clear') return { reason: `the review of ${judged} stopped the change` };
    return { plan: fileInZip(archive, `${number}/plan.json`, LIMIT_BYTES) };
  } catch (error) {
    logForeign(String(error));
    return { reason: `the run ${run} has left no plan for ${judged}` };
  }
}

try {
  const file = path.join(required('RUNNER_TEMP'), 'reviewed-plan.json');
  writeFileSync(file, await reviewedPlan());
  appendFileSync(required('GITHUB_OUTPUT'), `plan=${file}\n`);
} catch (error) {
  logForeign(String(error.stack ?? error));
  const reason = error instanceof Problem ? error.message : 'GitHub did not return what is needed';
  console.log(`::error::Nothing is applied: ${reason}. docs/review-plan.md has the way on.`);
  process.exitCode = 1;
}
