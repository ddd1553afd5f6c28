// The plugin's previews are other documents than those of the host for dynamic resources, and mean the same: a change of each
// resource, with the reports of review.test.ts.
import { expectGolden } from '../support/golden';
import { reviewedScenario, startOffice } from './review/office-stack';
import { scenarios } from './review/scenarios';

const NAMES = ['widened', 'block-list', 'traffic-rules', 'user-agents', 'not-decidable'];

test('native: the review of a change of each resource is that of the other host', async () => {
  const { stack } = await startOffice('native');
  const tried = scenarios.filter(({ golden }) => NAMES.includes(golden));
  expect(tried).toHaveLength(NAMES.length);
  for (const scenario of tried) {
    const reviewed = await reviewedScenario(stack, scenario);
    expectGolden(`${scenario.golden}.md`, reviewed.output, 'native');
    expect(reviewed.exitCode).toBe(scenario.exitCode);
  }
});
