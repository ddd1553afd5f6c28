import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { switchNames, switchTable, type SwitchName } from '../../emulator/src/switches';

const file = join(__dirname, '../../emulator/README.md');
const generatedPart = /(<!-- begin: switches -->\n)[^]*(?=\n<!-- end: switches -->)/;
const withoutWidths = (table: string): string => table.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');

function row(name: SwitchName): string {
  const definition = switchTable[name];
  const positions =
    definition.kind === 'choice'
      ? definition.positions.map((position) => `\`${position}\``).join(', ')
      : `\`${definition.start}\` (${definition.minimum} to ${definition.maximum})`;
  return `| \`${name}\` | ${definition.question} | ${positions} |`;
}

// With UPDATE_DOCS=1 the table is written; then run `npm run format`.
test('the README shows every switch as it is', () => {
  const head = ['| switch | question | positions, the default first |', '| --- | --- | --- |'];
  const table = [...head, ...switchNames.map(row)].join('\n');
  const now = readFileSync(file, 'utf8');
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, now.replace(generatedPart, `$1\n${table}\n`));
  expect(withoutWidths(generatedPart.exec(readFileSync(file, 'utf8'))?.[0] ?? '')).toContain(table);
});
