import { interruptedRuns } from './regressions/interrupted-runs';
import { lostAndLateAnswers } from './regressions/lost-and-late-answers';
import { modules } from './regressions/modules';
import { rulesTakenOver } from './regressions/rules-taken-over';
import { setsThatExchangeRules } from './regressions/sets-that-exchange-rules';
import { simulate, simulateSeed } from './simulate';

// The first life also loads the package, on a machine that may be busy.
jest.setTimeout(120_000);

/** Lives that have failed, by what holds in them. */
const regressions = { modules, rulesTakenOver, setsThatExchangeRules, lostAndLateAnswers, interruptedRuns };

describe.each(Object.entries(regressions))('%s', (_, lives) => {
  test.each(Object.entries(lives))('%s', async (_, life) => {
    const { broken } = await simulate(life);
    expect(broken).toBeUndefined();
  });
});

test('the same seed is the same life in every detail', async () => {
  const [one, other] = [await simulateSeed(3, true), await simulateSeed(3, true)];
  expect(one.timeline.length).toBeGreaterThan(10);
  expect(other.timeline).toEqual(one.timeline);
});
