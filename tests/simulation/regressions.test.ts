import { regressions } from './regressions';
import { engineWayRegressions } from './regressions-of-engine-ways';
import { longRunRegressions } from './regressions-of-long-runs';
import { simulate } from './simulate';

// The first life loads the package too, on a machine that may be busy.
jest.setTimeout(120_000);

test.each([...regressions, ...longRunRegressions, ...engineWayRegressions])(
  'a life that failed once: $why',
  async ({ life }) => {
    const { broken } = await simulate(life);
    expect(broken).toBeUndefined();
  },
);

test('the same seed is the same life in every detail', async () => {
  const life = regressions[1]?.life;
  if (life === undefined) throw new Error('there is no such life');
  const [one, other] = [await simulate(life, true), await simulate(life, true)];
  expect(one.timeline.length).toBeGreaterThan(10);
  expect(other.timeline).toEqual(one.timeline);
});
