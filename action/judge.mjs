// What for: judges a preview that code of a pull request made, and runs none of that code.
// Must not know: npm packages: Node's own modules and the review that the action carries are all it has.
//
// It trusts only GitHub and the base revision; the preview and the change's own guards are data that anybody may have written.
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { acceptanceOf, startersOf, wordsFor } from './acceptance.mjs';
import { failed, linesOf, review } from './bundled-review.mjs';
import { checkName, checkRunOf } from './check-run.mjs';
import { keepComment } from './comment.mjs';
import { artifactOf, leftOpen, logForeign, namedStack, Problem, required } from './environment.mjs';
import { gitHubOfStep } from './github.mjs';
import { guardArguments } from './guards.mjs';
import { hashToAccept, isNews, worstOf } from './report.mjs';
import { fileInZip } from './zip.mjs';

const environment = process.env;
const ARCHIVE_LIMIT_BYTES = 64 * 1024 ** 2;
const PREVIEW_LIMIT_BYTES = 128 * 1024 ** 2;

const repository = required('GITHUB_REPOSITORY');
const open = leftOpen();
if (open.length > 0) throw new Error(`the workflow lacks ${open.join('; ')}`);
const stack = namedStack();
const branches = linesOf(required('REVIEW_BRANCHES'));
const folder = path.join(required('RUNNER_TEMP'), 'edge-policy-review', artifactOf('review', stack));
const gitHub = gitHubOfStep();
const approvals = { environment: required('REVIEW_APPROVALS'), run: required('GITHUB_RUN_ID') };
const place = { gitHub, repository, stack, ...approvals };

function previewRun() {
  const { workflow_run: run } = JSON.parse(readFileSync(required('GITHUB_EVENT_PATH'), 'utf8'));
  if (run?.event !== 'pull_request' && run?.event !== 'merge_group')
    throw new Error(
      'this action belongs in a workflow on workflow_run, after one on pull_request or merge_group',
    );
  return run;
}

/** One commit can be the head of several pull requests, each with guards of its own. A merge queue's branch names the one it is for. */
async function pullRequestsOf(run) {
  if (run.event === 'merge_group') {
    const [, ref, number] = /^gh-readonly-queue\/(.+)\/pr-(\d+)-[0-9a-f]+$/.exec(run.head_branch) ?? [];
    const pull = await gitHub.pullRequest(repository, number);
    return pull.base.ref === ref ? [pull] : [];
  }
  const head = run.head_repository;
  const from = { owner: head.owner.login, branch: run.head_branch };
  const pulls = await gitHub.openPullRequests(repository, from);
  return pulls.filter(
    (pull) => pull.head.sha === run.head_sha && pull.head.repo?.full_name === head.full_name,
  );
}

async function previewOf(run) {
  const name = environment.REVIEW_ARTIFACT || 'edge-policy-preview';
  const artifact = await gitHub.artifact(repository, run.id, name);
  if (artifact === undefined) throw new Problem('the preview left no artifact');
  if (artifact.size_in_bytes > ARCHIVE_LIMIT_BYTES)
    throw new Problem('the artifact of the preview is too large');
  const archive = await gitHub.archive(repository, artifact.id, ARCHIVE_LIMIT_BYTES);
  let content;
  try {
    content = fileInZip(archive, 'preview.json', PREVIEW_LIMIT_BYTES);
  } catch (error) {
    logForeign(String(error));
    throw new Problem('the artifact of the preview cannot be read');
  }
  const file = path.join(folder, 'preview.json');
  writeFileSync(file, content);
  return file;
}

/**
 * The newest commit of a base. The job names its branches, as the token of a workflow may not read who can push to one: an author
 * could open a pull request against a branch with guards of their own.
 */
async function tipOf({ base: { ref } }) {
  if (!branches.includes(ref))
    throw new Problem(`this job judges changes of ${branches.join(', ')} only, not those of other branches`);
  // The commit in the pull request is the tip at an earlier time.
  return gitHub.tip(repository, ref);
}

/** Judges a commit of one pull request by the guards of its own base, and once more if somebody has accepted exactly this change. */
async function judge(pull, { tip, preview, run }) {
  const own = path.join(folder, String(pull.number));
  const { REVIEW_FAIL_ON: failOn = '', REVIEW_STATE: state = '' } = environment;
  if (state !== '' && !(existsSync(state) && statSync(state).size > 0))
    throw new Problem('the step before this one exported no state: look at its log, and at its secret');
  const args = [
    preview,
    ...['--stack', stack],
    ...(await guardArguments({ tip, head: run.head_sha }, own, place)),
    ...(failOn === '' ? [] : ['--fail-on', failOn]),
    ...(state === '' ? [] : ['--state', path.resolve(state)]),
    ...pagesOfAction(environment.REVIEW_PAGES),
    ...linesOf(environment.REVIEW_ARGUMENTS),
  ];
  const options = { folder: own, env: reviewEnvironment() };
  const result = review(args, options);
  const hash = hashToAccept(result.report);
  if (hash === undefined) return result;
  const check = checkName(stack, pull.base.ref);
  const judged = { sha: run.head_sha, tip, pull, check, actors: startersOf(run) };
  const approval = await acceptanceOf(judged, hash, place).catch(withoutAcceptance);
  if (approval.acceptedBy === undefined) return { ...result, ...approval };
  const accepted = review([...args, '--accept', hash], options);
  return accepted.outcome === 'clear' ? { ...accepted, ...approval } : accepted;
}

/** The documentation at the commit of the action; a runner that does not tell the repository of an action gets no links. */
const pagesOfAction = (url = '') =>
  /^https:\/\/[^/]+\/[\w.-]+\/[\w.-]+\/blob\/[\w.-]+\/docs$/.test(url) ? ['--pages', url] : [];

/** Whatever is not known of an approval accepts nothing. @returns {{ acceptedBy?: string, refusal?: string }} */
function withoutAcceptance(error) {
  logForeign(String(error.stack ?? error));
  return { refusal: error instanceof Problem ? error.message : 'GitHub did not return who has approved it' };
}

/** The review needs no token of the workflow, and gets none. */
function reviewEnvironment() {
  const names = Object.keys(environment).filter((name) =>
    /^(?:PATH|HOME|TMPDIR|TZ|NODE_EXTRA_CA_CERTS|EDGE_POLICY_.*)$/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

/** @returns {Promise<ReturnType<typeof review> & { against?: string, acceptedBy?: string, refusal?: string }>} */
async function judgeOrSayWhy(pull, { preview, run }) {
  try {
    const tip = await tipOf(pull);
    if (preview instanceof Error) throw preview;
    const against = `${pull.base.ref} at ${tip.slice(0, 12)}`;
    return { ...(await judge(pull, { tip, preview, run })), against };
  } catch (error) {
    logForeign(String(error.stack ?? error));
    const problem =
      error instanceof Problem ? error.message : 'GitHub did not return what is needed to make one';
    return failed(problem, { markdown: path.join(folder, String(pull.number), 'report.md') });
  }
}

const output = (name, value) => appendFileSync(required('GITHUB_OUTPUT'), `${name}=${value}\n`);

async function report(pull, of) {
  const { files, refusal, ...judged } = await judgeOrSayWhy(pull, of);
  const text = readFileSync(files.markdown, 'utf8');
  const hash = hashToAccept(judged.report);
  const { acceptedBy } = judged;
  const by = acceptedBy === undefined ? '' : `\nAccepted by ${acceptedBy}.\n`;
  const markdown = `${text}${hash === undefined ? by : howToAccept(wordsFor(hash, pull.number, of.run.head_sha), refusal)}`;
  appendFileSync(required('GITHUB_STEP_SUMMARY'), markdown);
  // The comment belongs to the pull request, and not to a commit of the queue.
  if (environment.REVIEW_COMMENT !== 'false' && of.run.event === 'pull_request')
    await comment(pull, { ...judged, markdown: `${text}${hash === undefined ? by : WHERE_TO_ACCEPT}` });
  for (const [name, file] of Object.entries(files)) output(name, file);
  const about = { sha: of.run.head_sha, ref: pull.base.ref, outcome: judged.outcome };
  writeFileSync(path.join(path.dirname(files.markdown), 'judged.json'), JSON.stringify(about));
  return { ref: pull.base.ref, ...judged, markdown };
}

const RUN = `${environment.GITHUB_SERVER_URL}/${repository}/actions/runs/${environment.GITHUB_RUN_ID}`;

/** Anyone with write access can edit a comment, so it does not hold the words. */
const WHERE_TO_ACCEPT = `\nTo accept it, read the summary of [the run that judged](${RUN}): anyone with write access can edit this comment.\n`;

const howToAccept = (words, refusal) => `
To accept exactly this change, somebody who wrote no part of it approves the job that waits in [the run](${RUN}), with this comment:

    ${words}
${refusal === undefined ? '' : `\nAn approval does not count: ${refusal}.\n`}`;

/** Verdict and summary do not depend on it. @param {any} pull @param {import('./check-run.mjs').Judged} judged */
async function comment(pull, { against, markdown, report }) {
  const thread = { repository, pullRequest: pull.number };
  const commit = against === undefined ? pull.head.sha : `${pull.head.sha}, against ${against}`;
  try {
    await keepComment(gitHub, thread, { stack, commit, markdown, isNews: isNews(report) });
  } catch (error) {
    const reason = String(error.message).replaceAll(/[\r\n]+/g, ' ');
    console.log(`::warning::The review could not be posted as a comment: ${reason}`);
  }
}

async function main() {
  const run = previewRun();
  const pulls = await pullRequestsOf(run);
  if (pulls.length === 0) {
    console.log('No open pull request has this commit as its head: there is nothing to judge.');
    return;
  }
  mkdirSync(folder, { recursive: true });
  const preview = await previewOf(run).catch((error) => error);
  const results = [];
  for (const pull of pulls) results.push(await report(pull, { preview, run }));
  const directory = path.posix.normalize(environment.REVIEW_DIRECTORY || '.');
  const about = { stack, sha: run.head_sha, directory, run: RUN };
  for (const ref of new Set(results.map((result) => result.ref))) {
    const ofBranch = results.filter((result) => result.ref === ref);
    await gitHub.createCheckRun(repository, checkRunOf({ ...about, ref }, ofBranch));
  }
  const { outcome } = worstOf(results);
  output('outcome', outcome);
  const canBeAccepted = results.some(({ report }) => hashToAccept(report) !== undefined);
  output('can-be-accepted', canBeAccepted);
  output('pull-requests', pulls.map(({ number }) => number).join(' '));
  output('folder', folder);
  output('review-name', artifactOf('review', stack));
  if (outcome === 'not-reviewed') process.exitCode = 1;
}

await main();
