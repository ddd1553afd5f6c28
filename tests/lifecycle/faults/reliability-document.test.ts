import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '../../support/workspace';
import { reliabilityTable } from './reliability-table';

const file = path.join(checkout, 'docs', 'contributing', 'reliability.md');
const generatedPart = /(<!-- begin: matrix -->\n)[^]*(<!-- end: matrix -->\n)/;

// `npm run docs:reliability` sets the variable: the table in the document is then written instead of compared.
test('docs/contributing/reliability.md shows the fault matrix that the tests drive', () => {
  const now = readFileSync(file, 'utf8');
  const wanted = formatted(now.replace(generatedPart, `$1\n${reliabilityTable()}\n\n$2`));
  if (process.env['EDGE_POLICY_WRITE_DOCS'] === '1') writeFileSync(file, wanted);
  else expect(now).toBe(wanted);
});

// As a command, because Prettier is an ES module that Jest does not load.
const formatted = (markdown: string): string => {
  const prettier = path.join(checkout, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
  const args = [prettier, '--stdin-filepath', file];
  return execFileSync(process.execPath, args, { input: markdown, encoding: 'utf8', cwd: checkout });
};
