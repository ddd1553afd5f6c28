import { outputsOn, progressOf } from '../../../cli/src/command/progress';
import { systemClock } from '../../../provider/src/api/clock';

test('nothing is said for two seconds, then five times a second at most', () => {
  let nowMs = 0;
  const lines: string[] = [];
  const progress = (line: string) => lines.push(line);
  const show = progressOf({ clock: { ...systemClock, monotonicMs: () => nowMs }, progress });
  for (const at of [0, 1999, 2000, 2100, 2199, 2200, 9000]) {
    nowMs = at;
    show(() => String(at));
  }
  expect(lines).toEqual(['2000', '2200', '9000']);
});

const terminal = (isTTY: boolean) => {
  const written: string[] = [];
  const output = (name: string) => ({ isTTY, write: (text: string) => written.push(`${name} ${text}`) });
  return { written, outputs: outputsOn({ stdout: output('out'), stderr: output('err') }) };
};

test('on a terminal one line is written over and over, and erased before anything else is printed', () => {
  const { written, outputs } = terminal(true);
  outputs.progress?.('1 of 2');
  outputs.progress?.('2 of 2');
  outputs.print('result\n');
  outputs.note('note\n');
  const erased = '\r\u001b[K';
  expect(written).toEqual([
    `err ${erased}1 of 2`,
    `err ${erased}2 of 2`,
    `err ${erased}`,
    'out result\n',
    'err note\n',
  ]);
});

test('without a terminal there is no progress to show', () => {
  const { written, outputs } = terminal(false);
  expect(outputs.progress).toBeUndefined();
  outputs.print('result\n');
  expect(written).toEqual(['out result\n']);
});
