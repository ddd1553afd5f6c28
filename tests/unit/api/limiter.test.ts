import fc from 'fast-check';
import { Deadline } from '../../../provider/src/api/deadline';
import { Limiter, type Passage } from '../../../provider/src/api/limiter';
import { parseRetryAfter } from '../../../provider/src/api/retry-after';
import { seededRandom } from '../../support/seeded-random';
import { VirtualClock } from '../../support/virtual-clock';

jest.setTimeout(60_000);

const accepted = { kind: 'accepted' } as const;
const refused = (retryAfterMs?: number) => ({ kind: 'refused', retryAfterMs }) as const;

const setUp = (
  options: { maxConcurrency?: number; requestsPerMinute?: number; random?: () => number } = {},
) => {
  const clock = new VirtualClock();
  const pauses: number[] = [];
  const limiter = new Limiter({
    ...{
      clock,
      random: () => 1,
      maxConcurrency: 3,
      onPause: (resumesAt: number) => void pauses.push(resumesAt),
    },
    ...options,
  });
  const deadline = new Deadline(clock, 60_000);
  const passages: Passage[] = [];
  const failures: unknown[] = [];
  /** Asks for passages; those that are had are in `passages`. */
  const ask = (count: number, within = deadline): void => {
    for (let index = 0; index < count; index += 1) {
      limiter.enter(within).then(
        (passage) => passages.push(passage),
        (error: unknown) => failures.push(error),
      );
    }
  };
  const startedAt = clock.now();
  return { clock, limiter, deadline, passages, failures, pauses, ask, startedAt };
};

test('no more requests pass at once than allowed, and they pass in order', async () => {
  const { clock, passages, ask } = setUp();
  ask(5);
  await clock.advance(0);
  expect(passages).toHaveLength(3);
  passages[1]?.end(accepted);
  await clock.advance(0);
  expect(passages).toHaveLength(4);
});

test('a passage that is given back twice counts once', async () => {
  const { clock, passages, ask } = setUp({ maxConcurrency: 1 });
  ask(3);
  await clock.advance(0);
  passages[0]?.end(accepted);
  passages[0]?.end(accepted);
  await clock.advance(0);
  expect(passages).toHaveLength(2);
});

test('a refusal pauses everything for exactly as long as the service asks', async () => {
  const { clock, limiter, passages, pauses, ask, startedAt } = setUp();
  ask(5);
  await clock.advance(0);
  passages[0]?.end(refused(7000));
  expect(limiter.pausedUntil()).toBe(startedAt + 7000);
  expect(pauses).toEqual([startedAt + 7000]);
  passages[1]?.end(accepted);
  passages[2]?.end(accepted);
  await clock.advance(6999);
  expect(passages).toHaveLength(3);
  await clock.advance(1);
  expect(passages).toHaveLength(4);
  expect(limiter.pausedUntil()).toBeUndefined();
});

test('after a pause one request goes ahead, and each success lets one more follow', async () => {
  const { clock, passages, ask } = setUp({ maxConcurrency: 8 });
  ask(30, new Deadline(clock, 600_000));
  await clock.advance(0);
  const burst = passages.splice(0);
  expect(burst).toHaveLength(8);
  burst.pop()?.end(refused(1000));
  for (const passage of burst) passage.end(accepted);
  for (let atOnce = 1; atOnce <= 5; atOnce += 1) {
    await clock.advance(60_000);
    expect(passages).toHaveLength(atOnce);
    passages.pop()?.end(accepted);
  }
});

test('the request that goes ahead may get lost: then another one goes ahead', async () => {
  const { clock, passages, ask } = setUp();
  ask(5);
  await clock.advance(0);
  passages[0]?.end(refused(1000));
  passages[1]?.end({ kind: 'lost' });
  passages[2]?.end({ kind: 'lost' });
  await clock.advance(1000);
  expect(passages).toHaveLength(4);
  passages[3]?.end({ kind: 'lost' });
  await clock.advance(0);
  expect(passages).toHaveLength(5);
});

test('refusals of requests that left before the pause lengthen it only where they say so', async () => {
  const { clock, limiter, passages, pauses, ask, startedAt } = setUp();
  ask(3);
  await clock.advance(0);
  passages[0]?.end(refused(5000));
  passages[1]?.end(refused());
  expect(limiter.pausedUntil()).toBe(startedAt + 5000);
  passages[2]?.end(refused(9000));
  expect(limiter.pausedUntil()).toBe(startedAt + 9000);
  expect(pauses).toEqual([startedAt + 5000]);
});

test('without a usable word of the service the pauses widen to twenty seconds', async () => {
  const { clock, limiter, passages, ask } = setUp();
  const deadline = new Deadline(clock, 600_000);
  const waits: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    ask(1, deadline);
    await clock.advance((limiter.pausedUntil() ?? clock.now()) - clock.now());
    passages.pop()?.end(refused());
    waits.push((limiter.pausedUntil() ?? 0) - clock.now());
  }
  expect(waits).toEqual([1000, 3000, 9000, 20_000, 20_000, 20_000]);
});

test('a service that goes on asking for too short a wait is not believed for ever', async () => {
  const { clock, limiter, passages, ask } = setUp();
  const deadline = new Deadline(clock, 600_000);
  const waits: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    ask(1, deadline);
    await clock.advance((limiter.pausedUntil() ?? clock.now()) - clock.now());
    passages.pop()?.end(refused(round === 4 ? 50_000 : 10));
    waits.push((limiter.pausedUntil() ?? 0) - clock.now());
  }
  expect(waits).toEqual([10, 10, 10, 20_000, 50_000]);
});

test('a pause beyond the deadline fails at once and says when it ends', async () => {
  const { clock, limiter, passages, failures, ask, startedAt } = setUp();
  ask(5);
  await clock.advance(0);
  passages[0]?.end(refused(60_000));
  await clock.advance(0);
  expect(failures).toEqual([
    expect.objectContaining({ name: 'NoPassageError', resumesAt: startedAt + 60_000 }),
    expect.objectContaining({ name: 'NoPassageError', resumesAt: startedAt + 60_000 }),
  ]);
  await expect(limiter.enter(new Deadline(clock, 60_000))).rejects.toMatchObject({
    resumesAt: startedAt + 60_000,
  });
  ask(1, new Deadline(clock, 60_001));
  await clock.advance(0);
  expect(failures).toHaveLength(2);
});

test('who waits behind others gives up at the deadline, and a renewed deadline waits on', async () => {
  const { clock, failures, passages, deadline, ask } = setUp({ maxConcurrency: 1 });
  const renewed = new Deadline(clock, 60_000);
  ask(2);
  ask(1, renewed);
  await clock.advance(59_999);
  expect(failures).toHaveLength(0);
  renewed.renew();
  await clock.advance(1);
  expect(failures).toEqual([expect.objectContaining({ name: 'NoPassageError', resumesAt: undefined })]);
  expect(deadline.isOver).toBe(true);
  passages[0]?.end(accepted);
  await clock.advance(0);
  expect(passages).toHaveLength(2);
});

test('a deadline that is over lets nothing pass', async () => {
  const { clock, limiter } = setUp();
  const deadline = new Deadline(clock, 0);
  await expect(limiter.enter(deadline)).rejects.toMatchObject({ name: 'NoPassageError' });
});

test('a configured rate spaces requests evenly from the first one on', async () => {
  const { clock, passages, ask } = setUp({ maxConcurrency: 8, requestsPerMinute: 60 });
  ask(4);
  await clock.advance(0);
  expect(passages).toHaveLength(1);
  // Up to 20 ms are made good, as timers fire late.
  await clock.advance(979);
  expect(passages).toHaveLength(1);
  await clock.advance(21);
  expect(passages).toHaveLength(2);
  await clock.advance(1000);
  expect(passages).toHaveLength(3);
});

test('nothing is left waiting once everybody has passed', async () => {
  const { clock, passages, ask } = setUp({ maxConcurrency: 1 });
  ask(3);
  await clock.advance(0);
  for (let index = 0; index < 3; index += 1) {
    passages[index]?.end(accepted);
    await clock.advance(0);
  }
  expect(clock.pending).toBe(0);
});

/** A service that refuses everything for a quarter of an hour, saying whatever the header says. */
const hammer = async (header: string | undefined, seed: number): Promise<readonly number[]> => {
  const { clock, limiter } = setUp({ random: seededRandom(seed) });
  const deadline = new Deadline(clock, 900_000);
  const times: number[] = [];
  const requester = async (): Promise<void> => {
    for (;;) {
      const passage = await limiter.enter(deadline);
      times.push(clock.now());
      await clock.sleep(20);
      passage.end(refused(parseRetryAfter(header, clock.now())));
    }
  };
  await clock.run(Promise.allSettled(Array.from({ length: 5 }, requester)));
  expect(deadline.remainingMs()).toBeLessThanOrEqual(header === undefined ? 20_000 : 900_000);
  return times;
};

test('no header value makes a hot loop, and no request leaves before the time it names', async () => {
  const headers = fc.oneof(
    fc.constantFrom(
      undefined,
      '',
      '0',
      '-1',
      '1e9',
      '1000000000',
      '2147483648',
      'soon',
      '1, 2',
      'NaN',
      '0.001',
    ),
    fc.integer({ min: 0, max: 3000 }).map(String),
    fc.integer({ min: -5, max: 2000 }).map((s) => new Date(Date.UTC(2030, 0, 1) + s * 1000).toUTCString()),
    fc.string({ maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(headers, fc.integer(), async (header, seed) => {
      const times = await hammer(header, seed);
      const firstBurst = 3;
      expect(times.length).toBeLessThanOrEqual(firstBurst + 3 + 2 + 900 / 16);
      const waitMs = /^\d+$/.test(header ?? '') ? Number(header) * 1000 : 0;
      times.slice(firstBurst).forEach((time, index) => {
        const before = index === 0 ? times[0] : times[firstBurst + index - 1];
        expect(time - (before ?? 0)).toBeGreaterThanOrEqual(waitMs);
      });
    }),
    { numRuns: 60 },
  );
});
