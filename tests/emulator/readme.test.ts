import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { switchNames, switchTable, type SwitchName } from '../../emulator/src/switches';

const readme = readFileSync(join(__dirname, '../../emulator/README.md'), 'utf8').replaceAll(/ +/g, ' ');

function row(name: SwitchName): string {
  const definition = switchTable[name];
  const positions =
    definition.kind === 'choice'
      ? definition.positions.map((position) => `\`${position}\``).join(', ')
      : `\`${definition.start}\` (${definition.minimum} to ${definition.maximum})`;
  return `| \`${name}\` | ${definition.question} | ${positions} |`;
}

test.each(switchNames)('the README shows the switch %s as it is', (name) => {
  expect(readme).toContain(row(name));
});
