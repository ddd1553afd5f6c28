import { Deadline } from '../../../provider/src/api/deadline';
import { Limiter } from '../../../provider/src/api/limiter';
import { RateLimitedService, type Counting } from '../../support/rate-limited-service';
import { seededRandom } from '../../support/seeded-random';
import { VirtualClock } from '../../support/virtual-clock';

jest.setTimeout(60_000);

const maxConcurrency = 8;

/** What the service says with a refusal: nothing, the wait in whole seconds, or always the same useless second. */
const hints = {
  seconds: (waitMs: number) => Math.ceil(waitMs / 1000) * 1000,
  absent: () => undefined,
  nonsense: () => 1000,
} as const;

interface Work {
  readonly requests: number;
  readonly latencyMs: number;
  readonly hint: keyof typeof hints;
  readonly requestsPerMinute?: number;
}

interface World {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly service: RateLimitedService;
}

const createWorld = (perMinute: number, counting: Counting, seed: number): World => {
  const clock = new VirtualClock(Date.UTC(2030, 0, 1) + seed * 7919);
  return { clock, random: seededRandom(seed), service: new RateLimitedService(clock, perMinute, counting) };
};

/** One process: all requests want to leave at once; the deadline bounds the time without progress, as for a bulk resource. */
const runProcess = async ({ clock, random, service }: World, work: Work): Promise<void> => {
  const { requestsPerMinute, latencyMs, hint } = work;
  const limiter = new Limiter({ clock, random, maxConcurrency, requestsPerMinute });
  const deadline = new Deadline(clock, 300_000);
  const request = async (): Promise<void> => {
    for (;;) {
      const passage = await limiter.enter(deadline);
      await clock.sleep((latencyMs * (0.5 + random())) / 2);
      const waitMs = service.request();
      await clock.sleep((latencyMs * (0.5 + random())) / 2);
      if (waitMs === undefined) {
        passage.end({ kind: 'accepted' });
        deadline.renew();
        return;
      }
      passage.end({ kind: 'refused', retryAfterMs: hints[hint](waitMs) });
    }
  };
  await Promise.all(Array.from({ length: work.requests }, request));
};

const minutesOf = async (world: World, work: readonly Work[]): Promise<number> => {
  const startedAt = world.clock.now();
  await world.clock.run(Promise.all(work.map((each) => runProcess(world, each))));
  return (world.clock.now() - startedAt) / 60_000;
};

const hintNames = ['seconds', 'absent', 'nonsense'] as const;
const sizes = [
  { perMinute: 30, requests: 240 },
  { perMinute: 120, requests: 240 },
  { perMinute: 120, requests: 1000 },
  { perMinute: 600, requests: 2000 },
];

describe.each(hintNames)('Retry-After: %s', (hint) => {
  const cases = sizes.flatMap((size) => [20, 400].map((latencyMs) => ({ ...size, latencyMs })));

  test.each(cases)(
    '$requests requests at $perMinute a rolling minute ($latencyMs ms each) take at most 1.1 of the ideal time',
    async ({ perMinute, requests, latencyMs }) => {
      for (const seed of [1, 2]) {
        const world = createWorld(perMinute, 'rolling', seed);
        const minutes = await minutesOf(world, [{ requests, latencyMs, hint }]);
        expect(minutes).toBeLessThanOrEqual((1.1 * requests) / perMinute);
        expect(world.service.refused).toBeLessThanOrEqual(maxConcurrency + 0.05 * requests);
        expect(world.service.accepted).toBe(requests);
      }
    },
  );

  test.each(['fixed', 'bucket'] as const)(
    'the same holds for a service that counts by %s',
    async (counting) => {
      const world = createWorld(120, counting, 3);
      const minutes = await minutesOf(world, [{ requests: 1000, latencyMs: 100, hint }]);
      expect(minutes).toBeLessThanOrEqual((1.1 * 1000) / 120);
      expect(world.service.refused).toBeLessThanOrEqual(maxConcurrency + 0.05 * 1000);
    },
  );

  test('two processes that share one limit both finish, and use it well together', async () => {
    const world = createWorld(120, 'rolling', 4);
    const work: Work = { requests: 300, latencyMs: 100, hint };
    const minutes = await minutesOf(world, [work, work]);
    expect(minutes).toBeLessThanOrEqual((1.3 * 600) / 120);
    expect(world.service.accepted).toBe(600);
  });
});

test('a configured rate paces from the start and is never refused', async () => {
  const world = createWorld(120, 'rolling', 5);
  const minutes = await minutesOf(world, [
    { requests: 500, latencyMs: 100, hint: 'absent', requestsPerMinute: 118 },
  ]);
  expect(world.service.refused).toBe(0);
  expect(minutes).toBeLessThanOrEqual((1.1 * 500) / 120);
});

test('a service that refuses only what is simultaneous slows the work down, and it still finishes', async () => {
  const { clock, random } = createWorld(1, 'rolling', 6);
  const limiter = new Limiter({ clock, random, maxConcurrency });
  const deadline = new Deadline(clock, 300_000);
  let inFlight = 0;
  let refused = 0;
  const request = async (): Promise<void> => {
    for (;;) {
      const passage = await limiter.enter(deadline);
      const isRefused = inFlight >= 3;
      if (!isRefused) inFlight += 1;
      await clock.sleep(50);
      if (!isRefused) {
        inFlight -= 1;
        passage.end({ kind: 'accepted' });
        deadline.renew();
        return;
      }
      refused += 1;
      passage.end({ kind: 'refused', retryAfterMs: undefined });
    }
  };
  const startedAt = clock.now();
  await clock.run(Promise.all(Array.from({ length: 300 }, request)));
  expect(clock.now() - startedAt).toBeLessThanOrEqual(60_000);
  expect(refused).toBeLessThanOrEqual(maxConcurrency + 0.05 * 300);
});
