// What for: the review as a GitHub action: it previews, reviews, comments and gates.
// Must not know: npm packages: Node's own modules and the review that the action carries are all it has.
//
// This script previews and reviews. Comment and gate are later steps: this one runs code of the pull request, so it gets no
// token, and the results are uploaded before the job fails.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { annotationsOf } from './annotations.mjs';
import { defaultFiles } from './assertion-files.mjs';
import { baseAssertions, baseOf, namedFiles, without } from './base-assertions.mjs';
import { baseFeeds } from './base-feeds.mjs';
import { failed, linesOf, review, writePage } from './bundled-review.mjs';
import { artifactOf, leftOpen, namedProject } from './environment.mjs';
import { runQuietly } from './run-quietly.mjs';

const environment = process.env;
const { REVIEW_STACK: stack = '' } = environment;
// Two stacks can share a job.
const folder = path.resolve(
  environment.RUNNER_TEMP ?? '.',
  'edge-policy-review',
  artifactOf('review', stack),
);
const fileOf = (name) => path.join(folder, name);
mkdirSync(folder, { recursive: true });
const PREVIEW_LIMIT_MS = Number(environment.REVIEW_PREVIEW_MINUTES || '30') * 60_000;

/** Previews the stack. A preview that fails prints why, and the review reports it. */
function preview() {
  const file = fileOf('preview.json');
  const args = [
    ...['preview', '--json', '--show-sames', '--show-replacement-steps', '--non-interactive'],
    ...['--stack', stack],
  ];
  const env = { ...environment, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'false' };
  const { stdout, isOutOfTime } = runQuietly('pulumi', args, { env, timeoutMs: PREVIEW_LIMIT_MS });
  writeFileSync(file, stdout);
  return { file, isOutOfTime };
}

const noReview = (problem) => failed(problem, { markdown: path.join(folder, 'report.md') });

async function previewAndReview() {
  const open = leftOpen();
  if (open.length > 0) return noReview(`the workflow lacks ${open.join('; ')}`);
  process.chdir(environment.REVIEW_DIRECTORY || '.');
  const more = linesOf(environment.REVIEW_ARGUMENTS);
  const { REVIEW_FAIL_ON: failOn = '', REVIEW_BASE: branch = '' } = environment;
  const project = namedProject();
  // Done before any program of the change runs, as it could write to the repository.
  const base = branch === '' ? undefined : baseOf(branch, project);
  const named = namedFiles(more);
  // The files next to the program count in the base and in the change, whatever others the arguments name.
  const own = without(defaultFiles(stack), named);
  const guards = branch === '' ? [] : baseAssertions(base, { files: [...own, ...named], fileOf });
  const besides = named.length === 0 ? [] : own.filter((file) => existsSync(file));
  const feeds = branch === '' ? [] : await baseFeeds(base, { target: fileOf('base-feeds') });
  const { file, isOutOfTime } = preview();
  if (isOutOfTime) return noReview('the preview took too long');
  const args = [
    file,
    ...['--stack', stack],
    ...(failOn === '' ? [] : ['--fail-on', failOn]),
    ...guards,
    ...besides.flatMap((file) => ['--assertions', file]),
    ...feeds,
    ...more,
  ];
  return { ...review(args, { folder }), page: writePage(file, { folder, args: more }) };
}

const output = (name, value) => appendFileSync(environment.GITHUB_OUTPUT, `${name}=${value}\n`);

/** @type {ReturnType<typeof review> & { page?: string }} */
const { exitCode, files, page } = await previewAndReview();
appendFileSync(environment.GITHUB_STEP_SUMMARY, readFileSync(files.markdown, 'utf8'));
output('exit-code', exitCode);
output('folder', folder);
output('review-name', artifactOf('review', stack));
if (page !== undefined) {
  output('page', page);
  output('page-name', artifactOf('page', stack));
}
for (const [name, file] of Object.entries(files)) output(name, file);
if (files.report !== undefined) {
  const place = path.relative(environment.GITHUB_WORKSPACE ?? '.', process.cwd());
  for (const line of annotationsOf(files.report, place)) console.log(line);
  output('affects-access', JSON.parse(readFileSync(files.report, 'utf8')).verdict.affectsAccess);
}
