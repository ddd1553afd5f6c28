import { GivenUp } from '../../../provider/src/run/given-up';
import { Owner } from '../../../provider/src/run/ownership';
import { Blocked, Patience } from '../../../provider/src/run/patience';
import { VirtualClock } from '../../support/virtual-clock';

const blocked = new Blocked(() => Promise.resolve(new Error('it stays')));

const patient = (): Patience => new Patience(new GivenUp());

/** An operation that succeeds from its nth attempt on. */
function operation(clock: VirtualClock, succeedsAt: number, isCancelled = (): boolean => false) {
  const state = { attempts: 0 };
  const attempt = (): Promise<string> => {
    state.attempts += 1;
    return state.attempts >= succeedsAt ? Promise.resolve('done') : Promise.reject(blocked);
  };
  const run = (patience: Patience): Promise<unknown> =>
    patience
      .retry({ owner: new Owner(), clock, isCancelled }, attempt)
      .catch((error: unknown) => String(error));
  return { state, run };
}

test('a blocked operation tries again, with growing pauses', async () => {
  const clock = new VirtualClock();
  const { run } = operation(clock, 4);
  expect(await clock.run(run(patient()))).toBe('done');
  expect(clock.sleeps).toEqual([250, 500, 1000]);
});

test('it gives up after five seconds, and explains why', async () => {
  const clock = new VirtualClock();
  const { state, run } = operation(clock, Infinity);
  expect(await clock.run(run(patient()))).toBe('Error: it stays');
  expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(6_000);
  expect(state.attempts).toBe(clock.sleeps.length + 1);
});

test('another failure ends it at once', async () => {
  const clock = new VirtualClock();
  const failing = patient().retry({ owner: new Owner(), clock, isCancelled: () => false }, () =>
    Promise.reject(new Error('no')),
  );
  await expect(failing).rejects.toThrow('no');
  expect(clock.sleeps).toEqual([]);
});

test('a process waits for a minute in all: many operations at once wait for less', async () => {
  const clock = new VirtualClock();
  const patience = patient();
  const operations = Array.from({ length: 30 }, () => operation(clock, Infinity));
  await clock.run(Promise.all(operations.map(({ run }) => run(patience))));
  const attempts = operations.map(({ state }) => state.attempts);
  expect(Math.min(...attempts)).toBeGreaterThanOrEqual(4);
  expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(91_000);
  const late = operation(clock, 2);
  expect(await clock.run(late.run(patience))).toBe('Error: it stays');
  expect(late.state.attempts).toBe(1);
});

test('a cancelled run does not wait', async () => {
  const clock = new VirtualClock();
  expect(await operation(clock, 2, () => true).run(patient())).toBe('Error: it stays');
});

describe('what a call under way gives up', () => {
  const freeing = (network: string) => new Blocked(() => Promise.resolve(new Error('it stays')), [network]);

  /** A call that gives a network up and lasts, and one that needs a network. */
  function start(clock: VirtualClock) {
    const givenUp = new GivenUp();
    const patience = new Patience(givenUp);
    const free = new Set<string>();
    const give = (network: string, lastsMs: number, owner = new Owner()): Promise<void> =>
      givenUp.during(owner, [network], async () => {
        await clock.sleep(lastsMs);
        free.add(network);
      });
    const need = (network: string, owner = new Owner()): Promise<string> =>
      patience
        .retry({ owner, clock, isCancelled: () => false }, () =>
          free.has(network) ? Promise.resolve('done') : Promise.reject(freeing(network)),
        )
        .catch(String);
    return { givenUp, give, need };
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
    const { givenUp, give, need } = start(clock);
    const given = give('x', 60_000);
    expect(await clock.run(need('y'))).toBe('Error: it stays');
    await clock.run(given);
    await expect(givenUp.during(new Owner(), ['y'], () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(await givenUp.wait(new Owner(), ['x', 'y'])).toBe(false);
  });

  test('is not waited for by the call itself, nor if the call waits, so that no two wait for each other', async () => {
    const clock = new VirtualClock();
    const { givenUp, give, need } = start(clock);
    const [one, other] = [new Owner(), new Owner()];
    const exchange = (from: string, to: string, owner: Owner): Promise<string> =>
      givenUp.during(owner, [from], () => need(to, owner));
    const exchanged = Promise.all([exchange('x', 'y', one), exchange('y', 'x', other), give('z', 10)]);
    expect(await clock.run(exchanged)).toEqual(['Error: it stays', 'Error: it stays', undefined]);
    expect(await givenUp.during(one, ['x'], () => givenUp.wait(one, ['x']))).toBe(false);
  });
});
