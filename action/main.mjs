// The action's one script: previews, reviews, comments, and leaves the gate to a later step, so that the results are
// uploaded before the job fails. Node built-ins only: the action is used without an installation of its own.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keepComment } from './comment.mjs';
import { GitHub } from './github.mjs';
import { runQuietly } from './run.mjs';

const environment = process.env;
const folder = environment.RUNNER_TEMP ?? '.';
const fileOf = (name) => path.join(folder, `edge-policy-review-${name}`);

/** Previews the stack. A preview that fails prints why, which is for the review to tell. */
function preview() {
  const file = fileOf('preview.json');
  const args = [
    'preview',
    '--json',
    '--show-sames',
    '--non-interactive',
    '--stack',
    environment.REVIEW_STACK,
  ];
  writeFileSync(file, runQuietly('pulumi', args, { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'false' }).stdout);
  return file;
}

/** Reviews the preview once, in the three formats that the later steps read. */
function review(previewFile) {
  const files = { json: fileOf('report.json'), markdown: fileOf('report.md'), sarif: fileOf('report.sarif') };
  const more = (environment.REVIEW_ARGUMENTS ?? '').split('\n').map((line) => line.trim());
  const { status } = runQuietly('npx', [
    ...['--no-install', 'edge-policy', 'review', previewFile],
    ...Object.entries(files).flatMap(([format, file]) => ['--write', `${format}=${file}`]),
    ...[
      '--fail-on',
      environment.REVIEW_FAIL_ON ?? 'high',
      '--source-root',
      environment.REVIEW_DIRECTORY ?? '.',
    ],
    ...more.filter((argument) => argument !== ''),
  ]);
  // 0, 1 and 2 are verdicts; anything else left no report.
  if (![0, 1, 2].includes(status)) throw new Error(`edge-policy review ended with exit code ${status}`);
  return { exitCode: status, files };
}

async function comment(markdown, affectsAccess) {
  const pullRequest = JSON.parse(readFileSync(environment.GITHUB_EVENT_PATH, 'utf8')).pull_request?.number;
  if (environment.REVIEW_COMMENT !== 'true' || pullRequest === undefined) return;
  const gitHub = new GitHub({ url: environment.GITHUB_API_URL, token: environment.REVIEW_TOKEN });
  const place = { repository: environment.GITHUB_REPOSITORY, pullRequest };
  try {
    await keepComment(gitHub, place, { stack: environment.REVIEW_STACK, markdown, affectsAccess });
  } catch (error) {
    // The token of a pull request from a fork may not comment; the summary and the gate do not depend on it.
    console.log(
      `::warning::The review could not be put into a comment: ${error.message.replaceAll(/[\r\n]+/g, ' ')}`,
    );
  }
}

const output = (name, value) => appendFileSync(environment.GITHUB_OUTPUT, `${name}=${value}\n`);

const { exitCode, files } = review(preview());
const markdown = readFileSync(files.markdown, 'utf8');
appendFileSync(environment.GITHUB_STEP_SUMMARY, markdown);
const { affectsAccess } = JSON.parse(readFileSync(files.json, 'utf8')).verdict;
output('exit-code', exitCode);
output('affects-access', affectsAccess);
output('report', files.json);
output('sarif', files.sarif);
await comment(markdown, affectsAccess);
