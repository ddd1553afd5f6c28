import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FINDING_IDS } from '../../../review/src/findings/catalog';
import { exampleFinding, findingsPage } from './findings-page';

const PAGE = join(__dirname, '../../../docs/findings.md');

test.each(FINDING_IDS)('%s: its example brings it', (id) => {
  expect(exampleFinding(id)).toBeDefined();
});

test('docs/findings.md documents every finding as the code has it', () => {
  const page = findingsPage();
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});
