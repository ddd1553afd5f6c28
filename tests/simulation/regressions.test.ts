import { regressions } from './regressions';
import { simulate, simulateSeed } from './simulate';

// The first life also loads the package, on a machine that may be busy.
jest.setTimeout(120_000);

test.each(Object.entries(regressions))('%s', async (_, life) => {
  expect((await simulate(life)).broken).toBeUndefined();
});

test('the same seed is the same life in every detail', async () => {
  const [one, other] = [await simulateSeed(3, true), await simulateSeed(3, true)];
  expect(one.timeline.length).toBeGreaterThan(10);
  expect(other.timeline).toEqual(one.timeline);
});
