import type { Death, Life, Step } from './life';
import { allow, deny, life, others, policyA, program, rule, run, set } from './notation';
import { simulate } from './simulate';

// Lives begin with the year 2030.
const HOUR_MS = 60 * 60 * 1000;
const until = '2030-01-01T01:00:00Z';

const start = program(
  rule('alone', policyA, allow('192.0.2.0/24', 'office')),
  set('vendors', policyA, [
    allow('10.0.0.0/8', 'office'),
    { ...deny('10.1.0.0/16'), until },
    { ...allow('198.51.100.0/24', 'office v1'), until },
    { ...allow('203.0.113.0/24'), until: '2030-01-02' },
  ]),
);
const networks = ['192.0.2.0/24', '10.0.0.0/8', '10.1.0.0/16', '198.51.100.0/24', '203.0.113.0/24'];

const up = (death?: Death): Step => run('up', death && { death });
const lifeOf = (steps: readonly Step[], circumstances: Partial<Life> = {}): Life =>
  life({ seed: 7, ...circumstances }, start, ...steps);

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
  const timeline = await expectHealthy(lifeOf([up(), { do: 'wait', ms: 2 * HOUR_MS }, up()]));
  expect(timeline.filter((line) => line.includes('DELETE')).length).toBeGreaterThanOrEqual(2);
});

test.each(deaths)('the up that ends rules dies: $of at event $atEvent, then $then', async (death) => {
  await expectHealthy(lifeOf([up(), { do: 'wait', ms: 2 * HOUR_MS }, up(death), up()]));
});

test('others edit and delete what is about to end, and a refresh comes in between', async () => {
  for (const network of networks) {
    for (const kind of ['edit', 'move', 'delete'] as const) {
      const steps: Step[] = [
        up(),
        others(kind, `${policyA} ${network}`),
        run('refresh'),
        { do: 'wait', ms: 2 * HOUR_MS },
        up(),
      ];
      await expectHealthy(lifeOf(steps));
    }
  }
});

test('somebody sets the clock forward over an end: the rule goes', async () => {
  const wait: Step = { do: 'wait', ms: 20 * 60_000 };
  const timeline = await expectHealthy(
    lifeOf([up(), wait, up()], { skewMs: 3 * HOUR_MS, clockSetAtMs: 60_000 }),
  );
  expect(timeline).toContainEqual(expect.stringContaining('DELETE'));
});

test('somebody sets the clock back before an end: the rule is there again, and ends once more', async () => {
  const wait: Step = { do: 'wait', ms: 2 * HOUR_MS };
  const steps: Step[] = [wait, up(), wait, up(), wait, up()];
  const timeline = await expectHealthy(lifeOf(steps, { skewMs: -4 * HOUR_MS, clockSetAtMs: 3 * HOUR_MS }));
  expect(timeline).toContainEqual(expect.stringContaining('DELETE'));
});
