import { Refusal } from '../../../emulator/src/answer';
import { Limits } from '../../../emulator/src/limits';
import { Deadline } from '../../../provider/src/api/clock';
import { Limiter } from '../../../provider/src/api/limiter';
import { Dice } from '../../support/dice';
import { VirtualClock } from '../../support/virtual-clock';

jest.setTimeout(120_000);

const operationTimeoutMs = 300_000;

/** What a client takes from a refusal: the wait that it tells, nothing, or always the same useless second. */
const hints = {
  seconds: (waitMs: number) => waitMs,
  absent: () => undefined,
  nonsense: () => 1000,
} as const;
type Hint = keyof typeof hints;
const everyHint: readonly Hint[] = ['seconds', 'absent', 'nonsense'];

interface Scenario {
  /** How the service counts: over the last 60 s, or by simultaneous requests. */
  readonly counting: 'rolling' | 'at once';
  readonly limit: number;
  readonly operations: number;
  /** How many operations wait at the same time: 32 is what a user raises the engine's `--parallel` to. */
  readonly parallel?: number;
  readonly maxConcurrency?: number;
  readonly latencyMs?: number;
  /** Somebody else uses all that is left, again and again for a minute, once so many requests of ours were accepted. */
  readonly usedUpAfter?: number;
  /** The longest time, as a multiple of the shortest that the service allows. */
  readonly times: number;
  /** The largest share of refused requests, beside those that were under way at once. */
  readonly refusedShare: number;
}

/** The limits of the emulator, which somebody else may use up on the way. */
class World {
  readonly clock: VirtualClock;
  private readonly limits: Limits;
  private accepted = 0;

  constructor(
    readonly scenario: Scenario,
    readonly random: () => number,
  ) {
    this.clock = new VirtualClock(Date.UTC(2030, 0, 1) + Math.floor(random() * 60_000));
    this.limits = new Limits(() => this.clock.epochMs());
  }

  /** Lets a request in, and returns what to call at its end; a number refuses it for so many milliseconds. */
  request(): number | (() => void) {
    const entered = this.enter();
    if (typeof entered === 'function' && (this.accepted += 1) === this.scenario.usedUpAfter)
      void this.useUpForAMinute();
    return entered;
  }

  private enter(): number | (() => void) {
    const { counting, limit } = this.scenario;
    const [rateLimit, simultaneousLimit] = counting === 'rolling' ? [limit, 0] : [0, limit];
    const limits = {
      rateLimit,
      simultaneousLimit,
      rateLimitWindowMs: 60_000,
      retryAfter: 'seconds',
    } as const;
    try {
      return this.limits.enter('account', limits);
    } catch (error) {
      if (error instanceof Refusal) return Number(error.headers['Retry-After']) * 1000;
      throw error;
    }
  }

  private async useUpForAMinute(): Promise<void> {
    for (let round = 0; round < 1200; round += 1) {
      while (typeof this.enter() === 'function');
      await this.clock.sleep(50);
    }
  }
}

/** The shortest time: somebody who knows the service asks at the very moment that it accepts. */
const shortestMs = (scenario: Scenario): number => {
  const { operations, latencyMs = 100, maxConcurrency = 8, counting, limit } = scenario;
  const atOnce = counting === 'at once' ? Math.min(limit, maxConcurrency) : maxConcurrency;
  const inFirstMinute = scenario.usedUpAfter ?? limit;
  const minutes = counting === 'at once' ? 0 : Math.ceil((operations - inFirstMinute) / limit);
  return Math.max((operations * latencyMs) / atOnce, minutes * 60_000);
};

interface Result {
  readonly ms: number;
  readonly refused: number;
}

/** One process: all operations, each with a deadline of its own from the moment it begins. */
const runProcess = async (world: World, hint: Hint): Promise<Result> => {
  const { clock, random, scenario } = world;
  const { maxConcurrency = 8, latencyMs = 100, parallel = 32 } = scenario;
  const limiter = new Limiter({ clock, random, maxConcurrency });
  const startedAt = clock.epochMs();
  let refused = 0;
  const operate = async (deadline: Deadline): Promise<void> => {
    for (;;) {
      const release = await limiter.acquire(deadline);
      await clock.sleep((latencyMs * (0.5 + random())) / 2);
      const entered = world.request();
      await clock.sleep((latencyMs * (0.5 + random())) / 2);
      if (typeof entered === 'function') {
        entered();
        release('accepted');
        return;
      }
      refused += 1;
      release('refused', hints[hint](entered));
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
  return world.clock.run(Promise.all(Array.from({ length: processes }, () => runProcess(world, hint))));
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
    expect(result?.ms).toBeLessThanOrEqual(scenario.times * shortestMs(scenario));
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
    const bothMs = shortestMs({ ...scenario, operations: 600 });
    for (const { ms } of results) expect(ms).toBeLessThanOrEqual(scenario.times * bothMs);
  },
);
