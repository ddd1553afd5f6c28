import { Deadline } from '../../../provider/src/api/deadline';
import { Limiter } from '../../../provider/src/api/limiter';
import { Dice } from '../../support/dice';
import { VirtualClock } from '../../support/virtual-clock';
import type { Clock } from '../../../provider/src/api/clock';

const minuteMs = 60_000;

/** How a service counts: over the last 60 s, or by simultaneous requests. */
type Counting = 'rolling' | 'at once';

/** A limit of a service: undefined accepts a request, a number refuses it for so many milliseconds. */
class RateLimitedService {
  accepted = 0;
  refused = 0;
  private times: number[] = [];
  private inHand = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limit: number,
    private readonly counting: Counting,
  ) {}

  request(): number | undefined {
    const waitMs = this.waitMs();
    if (waitMs > 0) {
      this.refused += 1;
      return waitMs;
    }
    this.accepted += 1;
    this.use();
    return undefined;
  }

  /** The answer to an accepted request leaves. */
  answered(): void {
    this.inHand -= 1;
  }

  /** Another client uses up the rest. */
  useUp(): void {
    while (this.waitMs() <= 0) this.use();
  }

  /** The wait until a request is accepted. */
  waitMs(): number {
    const now = this.clock.epochMs();
    if (this.counting === 'at once') return this.inHand < this.limit ? 0 : 1;
    this.times = this.times.filter((time) => time > now - minuteMs);
    const [oldest = now] = this.times;
    return this.times.length < this.limit ? 0 : oldest + minuteMs - now;
  }

  private use(): void {
    this.inHand += 1;
    this.times.push(this.clock.epochMs());
  }
}

jest.setTimeout(120_000);

const operationTimeoutMs = 300_000;

/** What the service says with a refusal: the wait in whole seconds, nothing, or always the same useless second. */
const hints = {
  seconds: (waitMs: number) => Math.ceil(waitMs / 1000) * 1000,
  absent: () => undefined,
  nonsense: () => 1000,
} as const;
type Hint = keyof typeof hints;
const everyHint: readonly Hint[] = ['seconds', 'absent', 'nonsense'];

interface Scenario {
  readonly counting: Counting;
  readonly limit: number;
  readonly operations: number;
  /** How many operations wait at the same time: 32 is what a user raises the engine's `--parallel` to. */
  readonly parallel?: number;
  readonly maxConcurrency?: number;
  readonly latencyMs?: number;
  readonly requestsPerMinute?: number;
  /** Somebody else uses all that is left, again and again for a minute, once so many requests of ours were accepted. */
  readonly usedUpAfter?: number;
  /** The longest time, as a multiple of the shortest that the service allows. */
  readonly times: number;
  /** The largest share of refused requests, beside those that were under way at once. */
  readonly refusedShare: number;
}

class World {
  readonly clock: VirtualClock;
  readonly service: RateLimitedService;

  constructor(
    readonly scenario: Scenario,
    readonly random: () => number,
  ) {
    this.clock = new VirtualClock(Date.UTC(2030, 0, 1) + Math.floor(random() * 60_000));
    this.service = new RateLimitedService(this.clock, scenario.limit, scenario.counting);
  }

  /** How long work takes. */
  async time(work: () => Promise<unknown>): Promise<number> {
    const { clock } = this;
    const startedAt = clock.epochMs();
    await clock.run(work());
    return clock.epochMs() - startedAt;
  }

  request(): number | undefined {
    const waitMs = this.service.request();
    const { usedUpAfter } = this.scenario;
    if (waitMs === undefined && this.service.accepted === usedUpAfter) {
      void this.useUpForAMinute();
    }
    return waitMs;
  }

  private async useUpForAMinute(): Promise<void> {
    for (let round = 0; round < 1200; round += 1) {
      this.service.useUp();
      await this.clock.sleep(50);
    }
  }
}

/** The shortest time: somebody who knows the service asks at the very moment that it accepts. */
const shortestMs = async (scenario: Scenario): Promise<number> => {
  const { operations, latencyMs = 100, maxConcurrency = 8, counting, limit } = scenario;
  const atOnce = counting === 'at once' ? Math.min(limit, maxConcurrency) : maxConcurrency;
  const workMs = (operations * latencyMs) / atOnce;
  if (counting === 'at once') return workMs;
  const world = new World(scenario, new Dice(1).fraction);
  const waitingMs = await world.time(async () => {
    for (let done = 0; done < operations;) {
      if (world.request() === undefined) done += 1;
      else await world.clock.sleep(Math.max(1, world.service.waitMs()));
    }
  });
  return Math.max(workMs, waitingMs);
};

interface Result {
  readonly ms: number;
  readonly refused: number;
}

/** One process: all operations, each with a deadline of its own from the moment it begins. */
const runProcess = async (world: World, hint: Hint): Promise<Result> => {
  const { clock, random, service, scenario } = world;
  const { maxConcurrency = 8, requestsPerMinute, latencyMs = 100, parallel = 32 } = scenario;
  const limiter = new Limiter({ clock, random, maxConcurrency, requestsPerMinute });
  const startedAt = clock.epochMs();
  let refused = 0;
  const operate = async (deadline: Deadline): Promise<void> => {
    for (;;) {
      const release = await limiter.acquire(deadline);
      await clock.sleep((latencyMs * (0.5 + random())) / 2);
      const waitMs = world.request();
      await clock.sleep((latencyMs * (0.5 + random())) / 2);
      if (waitMs === undefined) {
        service.answered();
        release('accepted');
        return;
      }
      refused += 1;
      release('refused', hints[hint](waitMs));
    }
  };
  let left = scenario.operations;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await operate(new Deadline(clock, operationTimeoutMs));
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { ms: clock.epochMs() - startedAt, refused };
};

/** Processes that do the same at the same time; throws where one operation misses its deadline. */
const run = async (scenario: Scenario, hint: Hint, processes = 1): Promise<readonly Result[]> => {
  const world = new World(scenario, new Dice(1).fraction);
  const results: Result[] = [];
  await world.time(async () => {
    const work = Array.from({ length: processes }, () => runProcess(world, hint));
    results.push(...(await Promise.all(work)));
  });
  return results;
};

const fixedLimits: readonly Scenario[] = [
  { counting: 'rolling', limit: 30, operations: 240, times: 1.15, refusedShare: 0.35 },
  { counting: 'rolling', limit: 120, operations: 100, times: 1.1, refusedShare: 0 },
  { counting: 'rolling', limit: 120, operations: 240, times: 1.25, refusedShare: 0.05 },
  { counting: 'rolling', limit: 120, operations: 1000, times: 1.15, refusedShare: 0.12 },
  { counting: 'rolling', limit: 600, operations: 3000, latencyMs: 400, times: 1.3, refusedShare: 0.02 },
];

const simultaneous: readonly Scenario[] = [
  { counting: 'at once', limit: 1, operations: 300, times: 2, refusedShare: 0.12 },
  { counting: 'at once', limit: 3, operations: 300, times: 2, refusedShare: 0.04 },
  { counting: 'at once', limit: 6, operations: 1000, times: 1.6, refusedShare: 0.01 },
];

const others: readonly Scenario[] = [
  // A probe every ten seconds finds out that the minute is over.
  ...[1, 2, 4, 16].map((usedUpAfter) => ({
    ...({ counting: 'rolling', limit: 120, operations: 32 } as const),
    ...{ usedUpAfter, times: 1.2, refusedShare: 0.3 },
  })),
  { counting: 'rolling', limit: 120, operations: 500, usedUpAfter: 3, times: 1.15, refusedShare: 0.15 },
];

const throng = { parallel: 5000, maxConcurrency: 128 };
const parallel: readonly Scenario[] = [
  { counting: 'rolling', limit: 600, operations: 2000, ...throng, times: 1.2, refusedShare: 0.1 },
  { counting: 'at once', limit: 20, operations: 5000, ...throng, times: 1.4, refusedShare: 0.05 },
];

const rows = [...fixedLimits, ...simultaneous, ...others, ...parallel].flatMap((scenario) =>
  everyHint.map((hint) => ({ ...scenario, hint })),
);

test.each(rows)(
  '$operations operations, $limit $counting, Retry-After $hint: at most $times of the shortest time',
  async ({ hint, ...scenario }) => {
    const [result] = await run(scenario, hint);
    expect(result?.ms).toBeLessThanOrEqual(scenario.times * (await shortestMs(scenario)));
    expect(result?.refused).toBeLessThanOrEqual(8 + scenario.refusedShare * scenario.operations);
  },
);

test.each(everyHint)(
  'two processes that share one limit both finish in time: Retry-After %s',
  async (hint) => {
    const scenario = {
      counting: 'rolling',
      limit: 120,
      operations: 300,
      times: 1.3,
      refusedShare: 0.2,
    } as const;
    const results = await run(scenario, hint, 2);
    const bothMs = await shortestMs({ ...scenario, operations: 600 });
    for (const { ms } of results) expect(ms).toBeLessThanOrEqual(scenario.times * bothMs);
  },
);

test('a configured rate paces from the start and is never refused', async () => {
  const paced = { counting: 'rolling', limit: 120, operations: 500, requestsPerMinute: 118 } as const;
  const [result] = await run({ ...paced, times: 1.1, refusedShare: 0 }, 'absent');
  expect(result?.refused).toBe(0);
  expect(result?.ms).toBeLessThanOrEqual((1.1 * 60_000 * 500) / 120);
});
