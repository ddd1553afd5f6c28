import { reportProgress } from '../../../provider/src/rule-set/progress';
import { VirtualClock } from '../../support/virtual-clock';

test('work says every minute how far it is, until it ends', async () => {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const work = { title: 'rule set', doneCount: 0, totalCount: 1000 };
  const end = reportProgress(clock, (line) => void lines.push(line), work);
  await clock.advance(59_999);
  expect(lines).toEqual([]);
  work.doneCount = 120;
  await clock.advance(1);
  work.doneCount = 240;
  await clock.advance(60_000);
  expect(lines).toEqual(['rule set: 120 of 1000 requests done', 'rule set: 240 of 1000 requests done']);
  end();
  await clock.advance(600_000);
  expect(lines).toHaveLength(2);
});
