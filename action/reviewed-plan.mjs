// Finds the plan that was reviewed and not stopped for the pushed commit, for the job that applies it. It trusts only GitHub's records
// and the artifacts of the workflow that judges, which GitHub takes from the default branch: a check names the run, and proves nothing.
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkName, runsOf } from './check-run.mjs';
import { artifactOf, logForeign, namedStack, Problem, required } from './environment.mjs';
import { gitHubOfStep } from './github.mjs';
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
  for (const pull of merged)
    // The commit of a merge queue is that of the branch afterwards.
    for (const judged of [sha, pull.head.sha]) {
      const plan = await planOf({ judged, number: pull.number });
      if (plan !== undefined) return plan;
    }
  throw new Problem(`no run has judged the pull request that brought ${sha} to ${ref}`);
}

/** The runs of the workflow that judges which the checks of a commit name. */
async function runsAbout(judged) {
  const checks = await gitHub.checkRuns(repository, judged, checkName(stack, ref));
  const isOwn = await Promise.all(
    [...new Set(runsOf(checks))].map(async (run) => ((await isOfJudge(run)) ? [run] : [])),
  );
  return isOwn.flat();
}

/** Anybody may make a check that names a run of a workflow of their own. */
async function isOfJudge(id) {
  const { event, path: workflow = '', head_repository: from } = await gitHub.run(repository, id);
  const file = path.posix.basename(workflow.split('@')[0]);
  return event === 'workflow_run' && from?.full_name === repository && file === required('REVIEW_WORKFLOW');
}

/** The newest review counts. Checks do not tell which it is: anybody can make one that names an older run. Artifacts are numbered. */
async function planOf({ judged, number }) {
  const runs = await runsAbout(judged);
  const name = artifactOf('review', stack);
  const newest = await Promise.all(runs.map((run) => gitHub.artifact(repository, run, name)));
  const artifacts = newest.filter((each) => each !== undefined).sort((left, right) => right.id - left.id);
  if (runs.length > 0 && artifacts.length === 0)
    throw new Problem(`the reviewed plan of ${judged} has expired`);
  for (const { id } of artifacts) {
    const archive = await gitHub.archive(repository, id, LIMIT_BYTES);
    const read = (file) => fileInZip(archive, `${number}/${file}`, LIMIT_BYTES);
    const about = JSON.parse(read('judged.json').toString('utf8'));
    // A check may name a run about another commit.
    if (about.sha !== judged || about.ref !== ref) continue;
    if (about.outcome !== 'clear') throw new Problem(`the review of ${judged} stopped the change`);
    return read('plan.json');
  }
  return undefined;
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
