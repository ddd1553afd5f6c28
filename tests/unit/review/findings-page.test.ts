import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FINDING_IDS } from '../../../review/src/findings/catalog';
import { exampleFinding, findingsPages } from './findings-page';

const DOCS = join(__dirname, '../../../docs');

test.each(FINDING_IDS)('%s: its example brings it', (id) => {
  expect(exampleFinding(id)).toBeDefined();
});

test('the pages about findings document every finding as the code has it', () => {
  const pages = Object.entries(findingsPages());
  for (const [name, page] of pages) {
    if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(join(DOCS, name), page);
    expect(readFileSync(join(DOCS, name), 'utf8')).toBe(page);
  }
  const text = pages.map(([, page]) => page).join('');
  expect(FINDING_IDS.filter((id) => !text.includes(`\n## ${id}\n`))).toEqual([]);
});
