import { switchNames, switchTable, type SwitchName } from '../../emulator/src/switches';
import { expectGeneratedPart } from '../support/generated-part';

function row(name: SwitchName): string {
  const definition = switchTable[name];
  const positions =
    definition.kind === 'choice'
      ? definition.positions.map((position) => `\`${position}\``).join(', ')
      : `\`${definition.start}\` (${definition.minimum} to ${definition.maximum})`;
  return `| \`${name}\` | ${definition.question} | ${positions} |`;
}

test('the README shows every switch as it is', () => {
  const head = ['| switch | question | positions, the default first |', '| --- | --- | --- |'];
  expectGeneratedPart('emulator/README.md', 'switches', [...head, ...switchNames.map(row)].join('\n'));
});
