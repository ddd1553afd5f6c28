import { reportProgress } from '../../../provider/src/rule-set/progress';
import { VirtualClock } from '../../support/virtual-clock';

const begin = (pausedUntil?: number) => {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const work = { title: 'rule set', doneCount: 0, totalCount: 1000 };
  const client = { clock, pausedUntil: () => pausedUntil };
  const end = reportProgress(client, (line) => void lines.push(line), work);
  return { clock, lines, work, end };
};

test('work that takes less than five seconds says nothing', async () => {
  const { clock, lines, end } = begin();
  await clock.advance(4_999);
  end();
  await clock.advance(600_000);
  expect(lines).toEqual([]);
});

test('long work says how far it is at growing intervals', async () => {
  const { clock, lines, work, end } = begin();
  for (let second = 0; second < 1000; second += 1) {
    await clock.advance(1_000);
    work.doneCount += 1;
  }
  end();
  const times = lines.map((line) => /after (\d+) s/.exec(line)?.[1]);
  expect(times).toEqual(['5', '10', '20', '40', '80', '160', '320', '620', '920']);
  expect(lines[2]).toBe('rule set: 19 of 1000 requests done after 20 s, 57 a minute');
});

test('a line says until when a rate limit is waited for', async () => {
  const { clock, lines, end } = begin(Date.UTC(2030, 0, 1, 0, 1));
  await clock.advance(5_000);
  end();
  expect(lines).toEqual([
    'rule set: 0 of 1000 requests done after 5 s, 0 a minute, waiting for the rate limit until 2030-01-01T00:01:00.000Z',
  ]);
});
