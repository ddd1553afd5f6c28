import { Progress } from '../../../provider/src/rule-set/progress';
import { VirtualClock } from '../../support/virtual-clock';

const begin = (pausedUntil: () => number | undefined = () => undefined) => {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const warn = (line: string): void => void lines.push(line);
  const progress = new Progress({ client: { clock, pausedUntil }, warn, title: 'rule set', total: 1000 });
  return { clock, lines, progress };
};

test('work that takes less than five seconds says nothing', async () => {
  const { clock, lines, progress } = begin();
  await clock.advance(4_999);
  progress.stop();
  await clock.advance(600_000);
  expect(lines).toEqual([]);
});

test('long work says how far it is at growing intervals', async () => {
  const { clock, lines, progress } = begin();
  for (let second = 0; second < 1000; second += 1) {
    await clock.advance(1_000);
    progress.step();
  }
  progress.stop();
  const times = lines.map((line) => /after (\d+) s/.exec(line)?.[1]);
  expect(times).toEqual(['5', '10', '30', '60', '120', '300', '600', '900']);
  expect(lines[2]).toBe('rule set: 29 of 1000 requests done after 30 s, 58 a minute');
});

test('a line says until when a rate limit is waited for', async () => {
  const { clock, lines, progress } = begin(() => Date.UTC(2030, 0, 1, 0, 1));
  await clock.advance(5_000);
  progress.stop();
  expect(lines).toEqual([
    'rule set: 0 of 1000 requests done after 5 s, 0 a minute, waiting for the rate limit until 2030-01-01T00:01:00.000Z',
  ]);
});
