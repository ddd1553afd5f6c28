// The action's main script: previews and reviews. Comment and gate are later steps: this one runs code of the pull request
// and gets no token, and the results are uploaded before the job fails. Node built-ins only: the action is used without an installation of its own.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assertionFiles, baseAssertions } from './base-assertions.mjs';
import { edgePolicyCommand } from './review-command.mjs';
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

/** Reviews the preview once, in the formats that the later steps and jobs read. */
function review(previewFile) {
  const files = {
    json: fileOf('report.json'),
    markdown: fileOf('report.md'),
    sarif: fileOf('report.sarif'),
    plan: fileOf('plan.json'),
  };
  const more = (environment.REVIEW_ARGUMENTS ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((argument) => argument !== '');
  const { REVIEW_FAIL_ON: failOn = '', REVIEW_BASE_COMMIT: baseCommit = '' } = environment;
  const [program, ...words] = edgePolicyCommand(fileOf('packages'));
  const { status } = runQuietly(program, [
    ...[...words, 'review', previewFile],
    ...Object.entries(files).flatMap(([format, file]) => ['--write', `${format}=${file}`]),
    ...(failOn === '' ? [] : ['--fail-on', failOn]),
    ...['--source-root', environment.REVIEW_DIRECTORY ?? '.'],
    ...(baseCommit === '' ? [] : baseAssertions(baseCommit, { files: assertionFiles(more), fileOf })),
    ...more,
  ]);
  // 0, 1 and 2 are verdicts; anything else left no report.
  if (![0, 1, 2].includes(status)) throw new Error(`edge-policy review ended with exit code ${status}`);
  return { exitCode: status, files };
}

const output = (name, value) => appendFileSync(environment.GITHUB_OUTPUT, `${name}=${value}\n`);

const { exitCode, files } = review(preview());
const markdown = readFileSync(files.markdown, 'utf8');
appendFileSync(environment.GITHUB_STEP_SUMMARY, markdown);
const { affectsAccess } = JSON.parse(readFileSync(files.json, 'utf8')).verdict;
output('exit-code', exitCode);
output('affects-access', affectsAccess);
output('report', files.json);
output('markdown', files.markdown);
output('sarif', files.sarif);
output('plan', files.plan);
