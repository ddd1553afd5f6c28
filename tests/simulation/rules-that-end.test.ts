import { policyId } from '../support/ids';
import type { Death, Life, Step } from './life';
import type { Program } from './program/program';
import { simulate } from './simulate';

// Lives begin with the year 2030.
const HOUR_MS = 60 * 60 * 1000;
const until = '2030-01-01T01:00:00Z';
const calm = { seed: 1, latencyMs: 80, strikes: [] };

const program: Program = [
  {
    kind: 'rule',
    name: 'alone',
    policy: policyId,
    network: '192.0.2.0/24',
    action: 'allow',
    text: 1,
    overwrites: false,
  },
  {
    kind: 'set',
    name: 'vendors',
    policy: policyId,
    overwrites: false,
    isExclusive: false,
    rules: [
      { network: '10.0.0.0/8', action: 'allow', text: 1 },
      { network: '10.1.0.0/16', action: 'deny', text: 0, until },
      { network: '198.51.100.0/24', action: 'allow', text: 2, until },
      { network: '203.0.113.0/24', action: 'allow', text: 0, until: '2030-01-02' },
    ],
  },
];

const up = (death?: Death): Step => ({ do: 'up', weather: calm, parallel: 16, ...(death && { death }) });
const life = (steps: readonly Step[], more: Partial<Life> = {}): Life => ({
  ...{ seed: 7, switches: {}, skewMs: 0, crowd: 0, settings: {} },
  ...more,
  steps: [{ do: 'program', program }, ...steps],
});

const deaths = (['cli', 'plugin', 'both', 'interrupt'] as const).flatMap((of) =>
  [1, 2, 3, 4].flatMap((atEvent) =>
    (['recover', 'nothing'] as const).map((then) => ({ of, atEvent, lingerMs: 2_000, then })),
  ),
);

async function expectHealthy(lived: Life): Promise<readonly string[]> {
  const { broken, timeline } = await simulate(lived, true);
  expect(broken).toBeUndefined();
  return timeline;
}

test('rules end while nothing runs: the next up deletes them, and nothing is left to do', async () => {
  const timeline = await expectHealthy(life([up(), { do: 'wait', ms: 2 * HOUR_MS }, up()]));
  expect(timeline.filter((line) => line.includes('DELETE')).length).toBeGreaterThanOrEqual(2);
});

test.each(deaths)('the up that ends rules dies: $of at event $atEvent, then $then', async (death) => {
  await expectHealthy(life([up(), { do: 'wait', ms: 2 * HOUR_MS }, up(death), up()]));
});

test('others edit and delete what is about to end, and a refresh comes in between', async () => {
  for (const which of [0, 1, 2, 3, 4]) {
    for (const kind of ['edit', 'move', 'delete'] as const) {
      const steps: Step[] = [
        up(),
        { do: 'others', deed: { kind, which } },
        { do: 'refresh', weather: calm, parallel: 16 },
        { do: 'wait', ms: 2 * HOUR_MS },
        up(),
      ];
      await expectHealthy(life(steps));
    }
  }
});

test('somebody sets the clock forward over an end: the rule goes', async () => {
  const wait: Step = { do: 'wait', ms: 20 * 60_000 };
  const timeline = await expectHealthy(
    life([up(), wait, up()], { skewMs: 3 * HOUR_MS, clockSetAtMs: 60_000 }),
  );
  expect(timeline).toContainEqual(expect.stringContaining('DELETE'));
});

test('somebody sets the clock back before an end: the rule is there again, and ends once more', async () => {
  const wait: Step = { do: 'wait', ms: 2 * HOUR_MS };
  const steps: Step[] = [wait, up(), wait, up(), wait, up()];
  const timeline = await expectHealthy(life(steps, { skewMs: -4 * HOUR_MS, clockSetAtMs: 3 * HOUR_MS }));
  expect(timeline).toContainEqual(expect.stringContaining('DELETE'));
});
