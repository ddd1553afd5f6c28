import { Deadline } from '../../../provider/src/api/clock';
import { Limiter, type Release } from '../../../provider/src/api/limiter';
import { VirtualClock } from '../../support/virtual-clock';

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
  const permits: Release[] = [];
  const failures: unknown[] = [];
  /** Asks for permits; those that are had are in `permits`. */
  const ask = (count: number, within = deadline): void => {
    for (let index = 0; index < count; index += 1) {
      limiter.acquire(within).then(
        (permit) => permits.push(permit),
        (error: unknown) => failures.push(error),
      );
    }
  };
  const startedAt = clock.epochMs();
  return { clock, limiter, deadline, permits, failures, pauses, ask, startedAt };
};

/** Once so many requests have asked, and those that may leave have left. */
const asking = async (count: number, options?: Parameters<typeof setUp>[0]) => {
  const all = setUp(options);
  all.ask(count);
  await all.clock.advance(0);
  return all;
};

test.each([-3_600_000, 3_600_000])(
  'a time of day that is set by %i ms changes no turn, pause or deadline',
  async (ms) => {
    const { clock, limiter, permits, failures } = await asking(3, { requestsPerMinute: 60 });
    permits[0]?.('refused', 7000);
    clock.set(ms);
    expect(limiter.pausedUntil()).toBe(clock.epochMs() + 7000);
    await clock.advance(6999);
    expect(permits).toHaveLength(1);
    await clock.advance(1);
    expect(permits).toHaveLength(2);
    expect(failures).toEqual([]);
  },
);

test('a refusal pauses everything for exactly as long as the service asks', async () => {
  const { clock, limiter, permits, pauses, startedAt } = await asking(5);
  permits[0]?.('refused', 7000);
  expect(limiter.pausedUntil()).toBe(startedAt + 7000);
  expect(pauses).toEqual([startedAt + 7000]);
  permits[1]?.('accepted');
  permits[2]?.('accepted');
  await clock.advance(6999);
  expect(permits).toHaveLength(3);
  await clock.advance(1);
  expect(permits).toHaveLength(4);
  expect(limiter.pausedUntil()).toBeUndefined();
});

test('after a pause a single probe goes ahead, then half as many as before, and slowly more', async () => {
  const { clock, permits, ask } = setUp({ maxConcurrency: 8 });
  ask(60, new Deadline(clock, 600_000));
  await clock.advance(0);
  const burst = permits.splice(0);
  expect(burst).toHaveLength(8);
  burst.pop()?.('refused', 1000);
  for (const permit of burst) permit('accepted');
  await clock.advance(1000);
  expect(permits).toHaveLength(1);
  // A tenth of a request more for each round of accepted ones.
  const underWay: number[] = [];
  for (let count = 0; count < 40; count += 1) {
    permits.shift()?.('accepted');
    await clock.advance(0);
    underWay.push(permits.length);
  }
  expect(underWay.lastIndexOf(4)).toBe(underWay.indexOf(5) - 1);
  expect(underWay.indexOf(5)).toBe(37);
});

test('who comes first is served first, but whose deadline ends earlier is served before, and nothing is left waiting', async () => {
  const { clock, limiter, deadline, permits, ask } = setUp({ maxConcurrency: 1 });
  ask(1);
  const served: string[] = [];
  const wait = (name: string, within: Deadline): void => {
    void limiter.acquire(within).then((permit) => {
      served.push(name);
      permit('accepted');
    });
  };
  const renewed = new Deadline(clock, 30_000, undefined, true);
  wait('first', deadline);
  wait('second', deadline);
  wait('renewed', renewed);
  wait('urgent', new Deadline(clock, 50_000));
  await clock.advance(25_000);
  renewed.noteProgress();
  await clock.advance(10_000);
  permits[0]?.('accepted');
  await clock.advance(0);
  expect(served).toEqual(['urgent', 'renewed', 'first', 'second']);
  expect(clock.pending).toBe(0);
});

test('the request that goes ahead may get lost: then another one goes ahead', async () => {
  const { clock, permits } = await asking(5);
  permits[0]?.('refused', 1000);
  permits[1]?.('lost');
  permits[2]?.('lost');
  await clock.advance(1000);
  expect(permits).toHaveLength(4);
  permits[3]?.('lost');
  await clock.advance(0);
  expect(permits).toHaveLength(5);
});

test('refusals of requests that left before the pause lengthen it only where they say so', async () => {
  const { limiter, permits, pauses, startedAt } = await asking(3);
  permits[0]?.('refused', 5000);
  permits[1]?.('refused');
  expect(limiter.pausedUntil()).toBe(startedAt + 5000);
  permits[2]?.('refused', 9000);
  expect(limiter.pausedUntil()).toBe(startedAt + 9000);
  expect(pauses).toEqual([startedAt + 5000]);
});

test.each([
  [
    'without a usable word of the service the pauses widen to ten seconds',
    [undefined, undefined, undefined, undefined, undefined],
    [1000, 3000, 9000, 10_000, 10_000],
  ],
  [
    'a service that goes on asking for too short a wait is not believed for ever',
    [10, 10, 10, 10, 50_000],
    [10, 10, 10, 10_000, 50_000],
  ],
])('%s', async (_what, asked, waits) => {
  const { clock, limiter, permits, ask } = setUp();
  const deadline = new Deadline(clock, 600_000);
  for (const [round, waitMs] of asked.entries()) {
    ask(1, deadline);
    await clock.advance((limiter.pausedUntil() ?? clock.epochMs()) - clock.epochMs());
    permits.pop()?.('refused', waitMs);
    expect((limiter.pausedUntil() ?? 0) - clock.epochMs()).toBe(waits[round]);
  }
});

test('a pause beyond the deadline fails at once and says when it ends', async () => {
  const { clock, limiter, permits, failures, ask, startedAt } = await asking(5);
  permits[0]?.('refused', 60_000);
  await clock.advance(0);
  expect(failures).toEqual([
    expect.objectContaining({ name: 'NoPermitError', resumesAt: startedAt + 60_000 }),
    expect.objectContaining({ name: 'NoPermitError', resumesAt: startedAt + 60_000 }),
  ]);
  await expect(limiter.acquire(new Deadline(clock, 60_000))).rejects.toMatchObject({
    resumesAt: startedAt + 60_000,
  });
  ask(1, new Deadline(clock, 60_001));
  await clock.advance(0);
  expect(failures).toHaveLength(2);
});

test('who waits behind others gives up at the deadline, and bulk work that has made progress waits on', async () => {
  const { clock, limiter, failures, permits, deadline, ask } = setUp({ maxConcurrency: 1 });
  const over = limiter.acquire(new Deadline(clock, 0));
  await expect(over).rejects.toMatchObject({ name: 'NoPermitError' });
  const renewed = new Deadline(clock, 60_000, undefined, true);
  ask(2);
  ask(1, renewed);
  await clock.advance(59_999);
  expect(failures).toHaveLength(0);
  renewed.noteProgress();
  await clock.advance(1);
  expect(failures).toEqual([expect.objectContaining({ name: 'NoPermitError', resumesAt: undefined })]);
  expect(deadline.isOver).toBe(true);
  permits[0]?.('accepted');
  await clock.advance(0);
  expect(permits).toHaveLength(2);
});

test('a configured rate spaces requests evenly from the first one on', async () => {
  const { clock, permits } = await asking(4, { maxConcurrency: 8, requestsPerMinute: 60 });
  expect(permits).toHaveLength(1);
  // Up to 20 ms are made good, as timers fire late.
  await clock.advance(979);
  expect(permits).toHaveLength(1);
  await clock.advance(21);
  expect(permits).toHaveLength(2);
  await clock.advance(1000);
  expect(permits).toHaveLength(3);
});
