import { Deadline } from '../../../provider/src/api/clock';
import { EngineCall } from '../../../provider/src/run/ownership';
import { Blocked, Waiting } from '../../../provider/src/run/waiting';
import { VirtualClock } from '../../support/virtual-clock';

const blocked = new Blocked(() => new Error('it stays'));

/** What Waiting uses of a client. */
const clientAt = (clock: VirtualClock, isCancelled = false) => ({
  clock,
  startOperation: () => new Deadline(clock, 1_000, isCancelled ? AbortSignal.abort() : undefined),
});

/** An operation that succeeds from its nth attempt on. */
function operation(clock: VirtualClock, succeedsAt: number, isCancelled = false) {
  const state = { attempts: 0 };
  const attempt = (): Promise<string> => {
    state.attempts += 1;
    return state.attempts >= succeedsAt ? Promise.resolve('done') : Promise.reject(blocked);
  };
  const run = (waiting: Waiting): Promise<unknown> =>
    waiting.retry(clientAt(clock, isCancelled), new EngineCall(), attempt).catch(String);
  return { state, run };
}

test('a blocked operation tries again, with growing pauses', async () => {
  const clock = new VirtualClock();
  const { run } = operation(clock, 4);
  expect(await clock.run(run(new Waiting()))).toBe('done');
  expect(clock.sleeps).toEqual([250, 500, 1000]);
});

test('it gives up after five seconds, and explains why', async () => {
  const clock = new VirtualClock();
  const { state, run } = operation(clock, Infinity);
  expect(await clock.run(run(new Waiting()))).toBe('Error: it stays');
  expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(6_000);
  expect(state.attempts).toBe(clock.sleeps.length + 1);
});

test('another failure ends it at once', async () => {
  const clock = new VirtualClock();
  const failing = new Waiting().retry(clientAt(clock), new EngineCall(), () =>
    Promise.reject(new Error('no')),
  );
  await expect(failing).rejects.toThrow('no');
  expect(clock.sleeps).toEqual([]);
});

test('a process waits for a minute in all: many operations at once wait for less', async () => {
  const clock = new VirtualClock();
  const waiting = new Waiting();
  const operations = Array.from({ length: 30 }, () => operation(clock, Infinity));
  await clock.run(Promise.all(operations.map(({ run }) => run(waiting))));
  const attempts = operations.map(({ state }) => state.attempts);
  expect(Math.min(...attempts)).toBeGreaterThanOrEqual(4);
  expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(91_000);
  const late = operation(clock, 2);
  expect(await clock.run(late.run(waiting))).toBe('Error: it stays');
  expect(late.state.attempts).toBe(1);
});

test('a cancelled run does not wait', async () => {
  const clock = new VirtualClock();
  expect(await operation(clock, 2, true).run(new Waiting())).toBe('Error: it stays');
});

describe('what a call under way gives up', () => {
  const freeing = (network: string) => new Blocked(() => new Error('it stays'), [network]);

  /** A call that gives a network up and lasts, and one that needs a network. */
  function start(clock: VirtualClock) {
    const waiting = new Waiting();
    const free = new Set<string>();
    const give = (network: string, lastsMs: number, call = new EngineCall()): Promise<void> =>
      waiting.handOverDuring(call, [network], async () => {
        await clock.sleep(lastsMs);
        free.add(network);
      });
    const need = (network: string, call = new EngineCall()): Promise<string> =>
      waiting
        .retry(clientAt(clock), call, () =>
          free.has(network) ? Promise.resolve('done') : Promise.reject(freeing(network)),
        )
        .catch(String);
    return { waiting, give, need };
  }

  test('is waited for, by however many and for however long, without asking again', async () => {
    const clock = new VirtualClock();
    const { give, need } = start(clock);
    const given = give('x', 60_000);
    const needing = Array.from({ length: 30 }, () => need('x'));
    await clock.run(given);
    expect(new Set(await Promise.all(needing))).toEqual(new Set(['done']));
    expect(clock.sleeps).toEqual([60_000]);
  });

  test('is not waited for by another network, nor once the call has ended or failed', async () => {
    const clock = new VirtualClock();
    const { waiting, give, need } = start(clock);
    const given = give('x', 60_000);
    expect(await clock.run(need('y'))).toBe('Error: it stays');
    await clock.run(given);
    await expect(
      waiting.handOverDuring(new EngineCall(), ['y'], () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no');
    const sleeps = clock.sleeps.length;
    expect(await clock.run(need('y'))).toBe('Error: it stays');
    expect(clock.sleeps.length).toBeGreaterThan(sleeps);
  });

  test('is not waited for by the call itself, nor if the call waits, so that no two wait for each other', async () => {
    const clock = new VirtualClock();
    const { waiting, give, need } = start(clock);
    const [one, other] = [new EngineCall(), new EngineCall()];
    const exchange = (from: string, to: string, call: EngineCall): Promise<string> =>
      waiting.handOverDuring(call, [from], () => need(to, call));
    const exchanged = Promise.all([exchange('x', 'y', one), exchange('y', 'x', other), give('z', 10)]);
    expect(await clock.run(exchanged)).toEqual(['Error: it stays', 'Error: it stays', undefined]);
    expect(await clock.run(exchange('x', 'x', new EngineCall()))).toBe('Error: it stays');
  });
});

test('identical work runs one after another, also after a failure; other work does not wait', async () => {
  const waiting = new Waiting();
  const events: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const first = waiting.oneAtATime('same', async () => {
    await gate;
    events.push('first');
    throw new Error('failed');
  });
  const second = waiting.oneAtATime('same', () => Promise.resolve(events.push('second')));
  await waiting.oneAtATime('other', () => Promise.resolve(events.push('other')));
  release();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(events).toEqual(['other', 'first', 'second']);
});

test('an object is busy from the first work on it to the end of the last', async () => {
  const waiting = new Waiting();
  expect(waiting.isBusy('rule')).toBe(false);
  const first = waiting.oneAtATime('rule', () => Promise.resolve());
  const second = waiting.oneAtATime('rule', () => Promise.resolve());
  await first;
  expect(waiting.isBusy('rule')).toBe(true);
  await second;
  expect([waiting.isBusy('rule'), waiting.isBusy('other')]).toEqual([false, false]);
});
