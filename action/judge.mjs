// The trusted half of a review: it judges a preview that code of a pull request made, and runs none of that code. It trusts only
// GitHub and the base revision; the preview and the change's own guards are data that anybody may have written.
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultFiles, misspelt } from './assertion-files.mjs';
import { sayNewInChange } from './base-assertions.mjs';
import { copyFeeds } from './base-feeds.mjs';
import { keepComment } from './comment.mjs';
import { artifactOf, leftOpen, namedProject, required } from './environment.mjs';
import { gitHubOfStep } from './github.mjs';
import { failed, linesOf, NOT_REVIEWED, review, tellsNews } from './bundled-review.mjs';
import { logForeign } from './run-quietly.mjs';
import { fileInZip } from './zip.mjs';

const environment = process.env;
const ARCHIVE_LIMIT_BYTES = 64 * 1024 ** 2;
const LONGEST_LOCK_BYTES = 16 * 1024 ** 2;
const PREVIEW_LIMIT_BYTES = 128 * 1024 ** 2;

const repository = required('GITHUB_REPOSITORY');
const stack = required('REVIEW_STACK');
const open = leftOpen();
if (open.length > 0) throw new Error(`the workflow lacks ${open.join('; ')}`);
namedProject();
const branches = linesOf(required('REVIEW_BRANCHES'));
const folder = path.join(required('RUNNER_TEMP'), 'edge-policy-review', artifactOf('review', stack));
const gitHub = gitHubOfStep();

/** The run that previewed, according to GitHub. */
function previewRun() {
  const { workflow_run: run } = JSON.parse(readFileSync(required('GITHUB_EVENT_PATH'), 'utf8'));
  if (run?.event !== 'pull_request')
    throw new Error('this action belongs in a workflow on workflow_run, after one on pull_request');
  return run;
}

/**
 * The open pull requests whose head is the previewed commit, whatever the artifact says. One commit can be the head of several,
 * each with guards of its own.
 */
async function pullRequestsOf(run) {
  const head = run.head_repository;
  const pulls = await gitHub.openPullRequests(repository, {
    owner: head.owner.login,
    branch: run.head_branch,
  });
  return pulls.filter(
    (pull) => pull.head.sha === run.head_sha && pull.head.repo?.full_name === head.full_name,
  );
}

async function previewOf(run) {
  const artifact = await gitHub.artifact(
    repository,
    run.id,
    environment.REVIEW_ARTIFACT || 'edge-policy-preview',
  );
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

/** Why there is no review, in words that may appear in a comment. */
class Problem extends Error {}

/** The folder of the project in the repository. */
function directoryOf() {
  const directory = path.posix.normalize(environment.REVIEW_DIRECTORY || '.').replace(/\/$/, '');
  if (path.posix.isAbsolute(directory) || directory.startsWith('..'))
    throw new Problem('the working directory must be in the repository');
  return directory;
}

/** The guards of a commit as files: the arguments that name them, and which of them exist; undefined for a commit that cannot be read. */
async function guardsAt(sha, option, place) {
  const args = [];
  const present = [];
  const own = defaultFiles(stack);
  const names = new Set([...own, ...linesOf(environment.REVIEW_ASSERTIONS).map(path.posix.normalize)]);
  await gitHub.commit(repository, sha);
  // The change can correct a name of its own, and none of the base.
  const there = option === '--assertions' ? await gitHub.namesIn(repository, sha, directoryOf()) : [];
  if (misspelt(own, there) !== undefined)
    throw new Problem(`the name of an assertion file differs only in case from ${own.join(' or ')}`);
  for (const [index, name] of [...names].entries()) {
    const file = path.posix.join(directoryOf(), name);
    if (path.posix.isAbsolute(name) || file.startsWith('..'))
      throw new Problem('an assertion file must be in the repository');
    const copy = path.join(place, `${option.slice(2)}-${index}.json`);
    const content = await gitHub.fileAt(repository, sha, file);
    if (content !== undefined) present.push(name);
    writeFileSync(copy, content ?? '{}');
    args.push(option, copy);
  }
  return { args, present };
}

/**
 * The newest commit of a base. The job names the branches that it judges for, as nobody but it can: a token of a workflow may not
 * read who can push to a branch, and authors can open a pull request against a branch of their own, with guards of their own.
 */
async function tipOf({ base: { ref } }) {
  if (!branches.includes(ref))
    throw new Problem(`this job judges changes of ${branches.join(', ')} only, not those of other branches`);
  // The commit in the pull request is the tip at an earlier time.
  return gitHub.tip(repository, ref);
}

/** A directory that is misspelt has no guards, and would weaken none. */
async function checkDirectory(commits) {
  for (const sha of commits) {
    const names = await gitHub.namesIn(repository, sha, directoryOf());
    if (names.some((name) => /^Pulumi\.(?:ya?ml|json)$/.test(name))) return;
  }
  throw new Problem('the `working-directory` of the workflow has no Pulumi.yaml');
}

/** The guards of a pull request and of its base. */
async function guardsOf(pull, { tip, place }) {
  const base = await guardsAt(tip, '--base-assertions', place);
  const change = await guardsAt(pull.head.sha, '--assertions', place);
  if (base.present.length === 0) await checkDirectory([tip, pull.head.sha]);
  for (const name of change.present) if (!base.present.includes(name)) sayNewInChange(name);
  return [...base.args, ...change.args];
}

/** The published networks of a commit as files; the change's own may contain anything, and decide nothing that is checked. */
async function feedsAt(sha, option, place) {
  const target = path.join(place, option.slice(2));
  await copyFeeds(directoryOf(), target, (file) => gitHub.fileAt(repository, sha, file, LONGEST_LOCK_BYTES));
  return [option, target];
}

/** Judges one pull request by the guards of its own base. */
async function judge(pull, { tip, preview }) {
  const place = path.join(folder, String(pull.number));
  mkdirSync(place, { recursive: true });
  const {
    REVIEW_FAIL_ON: failOn = '',
    REVIEW_STATE: state = '',
    REVIEW_ACCEPT_GUARDS: accepted = '',
  } = environment;
  if (state !== '' && !(existsSync(state) && statSync(state).size > 0))
    throw new Problem('the step before this one exported no state: look at its log, and at its secret');
  const args = [
    preview,
    ...['--stack', stack],
    ...(await guardsOf(pull, { tip, place })),
    ...(await feedsAt(tip, '--base-feeds', place)),
    ...(await feedsAt(pull.head.sha, '--feeds', place)),
    '--confirm-feeds',
    ...(failOn === '' ? [] : ['--fail-on', failOn]),
    ...(state === '' ? [] : ['--state', path.resolve(state)]),
    ...(accepted === '' ? [] : ['--accept-guards', await acceptedGuards(accepted)]),
    ...linesOf(environment.REVIEW_ARGUMENTS),
  ];
  return review(args, { folder: place, env: reviewEnvironment() });
}

/**
 * An environment without protection is created by the first job that names it, and would accept everything. So it must have
 * required reviewers, and none may approve their own run.
 */
async function acceptedGuards(hash) {
  const name = environment.REVIEW_GUARDS_ENVIRONMENT;
  if (!name) throw new Problem('accepting guards needs a protected environment, but none is named');
  const { protection_rules: rules = [] } = /** @type {any} */ (await gitHub.environment(repository, name));
  const reviewers = rules.find(({ type }) => type === 'required_reviewers');
  if (reviewers?.prevent_self_review !== true)
    throw new Problem('the environment for accepting guards lets authors accept their own changes');
  return hash;
}

/** The review needs no token of the workflow, and gets none. */
function reviewEnvironment() {
  const names = Object.keys(environment).filter((name) =>
    /^(?:PATH|HOME|TMPDIR|TZ|NODE_EXTRA_CA_CERTS|EDGE_POLICY_.*)$/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

/** @returns {Promise<ReturnType<typeof review> & { against?: string }>} */
async function judgeOrSayWhy(pull, preview) {
  try {
    const tip = await tipOf(pull);
    if (preview instanceof Error) throw preview;
    return { ...(await judge(pull, { tip, preview })), against: `${pull.base.ref} at ${tip.slice(0, 12)}` };
  } catch (error) {
    logForeign(String(error.stack ?? error));
    const problem =
      error instanceof Problem ? error.message : 'GitHub did not return what is needed to make one';
    return failed(problem, { markdown: path.join(folder, String(pull.number), 'report.md') });
  }
}

const STATUSES = [
  { state: 'success', description: 'Nothing stops this change.' },
  { state: 'failure', description: 'Look closely: the comment says what this change does.' },
  { state: 'failure', description: 'Not decidable: the comment says why.' },
  { state: 'error', description: 'No review could be made.' },
];

const statusOf = ({ exitCode, against }) => {
  const { state, description } = STATUSES[exitCode];
  return { state, description: against === undefined ? description : `${description} Guards: ${against}.` };
};

const worstOf = (results) => results.reduce((one, other) => (other.exitCode > one.exitCode ? other : one));

const output = (name, value) => appendFileSync(required('GITHUB_OUTPUT'), `${name}=${value}\n`);

/** Judges, comments, and gives the results to later steps. */
async function report(pull, preview) {
  const { exitCode, files, against } = await judgeOrSayWhy(pull, preview);
  const markdown = readFileSync(files.markdown, 'utf8');
  appendFileSync(required('GITHUB_STEP_SUMMARY'), markdown);
  const place = { repository, pullRequest: pull.number };
  const commit = against === undefined ? pull.head.sha : `${pull.head.sha}, against ${against}`;
  if (environment.REVIEW_COMMENT !== 'false')
    await keepComment(gitHub, place, { stack, commit, markdown, isNews: tellsNews(files) });
  for (const [name, file] of Object.entries(files)) output(name, file);
  return { exitCode, against, guards: files.report === undefined ? '' : guardsToAccept(files.report) };
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
  for (const pull of pulls) results.push({ ref: pull.base.ref, ...(await report(pull, preview)) });
  // A status belongs to a commit, and the base of a pull request can be changed: so it names the branch that it holds for.
  for (const ref of new Set(results.map((result) => result.ref)))
    await gitHub.createStatus(repository, run.head_sha, {
      ...statusOf(worstOf(results.filter((result) => result.ref === ref))),
      context: `access review: ${stack} into ${ref}`,
      target_url: `${environment.GITHUB_SERVER_URL}/${repository}/actions/runs/${environment.GITHUB_RUN_ID}`,
    });
  const { exitCode } = worstOf(results);
  const guards = results.map((result) => result.guards).find((hash) => hash !== '') ?? '';
  output('exit-code', exitCode);
  output('guards', guards);
  output('pull-requests', pulls.map(({ number }) => number).join(' '));
  output('folder', folder);
  output('review-name', artifactOf('review', stack));
  if (exitCode === NOT_REVIEWED) process.exitCode = 1;
}

/** The hash of a change of guards that has not been accepted yet. */
function guardsToAccept(report) {
  const { guards } = JSON.parse(readFileSync(report, 'utf8'));
  return guards === undefined || guards.isAccepted ? '' : guards.hash;
}

await main();
