import { Blocked, Patience } from '../../../provider/src/ownership/patience';
import { VirtualClock } from '../../support/virtual-clock';

const blocked = new Blocked(() => Promise.resolve(new Error('it stays')));

/** An operation that succeeds from its nth attempt on. */
function operation(clock: VirtualClock, succeedsAt: number, isCancelled = (): boolean => false) {
  const state = { attempts: 0 };
  const attempt = (): Promise<string> => {
    state.attempts += 1;
    return state.attempts >= succeedsAt ? Promise.resolve('done') : Promise.reject(blocked);
  };
  const run = (patience: Patience): Promise<unknown> =>
    patience.retry({ clock, isCancelled }, attempt).catch((error: unknown) => String(error));
  return { state, run };
}

test('a blocked operation tries again, with growing pauses', async () => {
  const clock = new VirtualClock();
  const { run } = operation(clock, 4);
  expect(await clock.run(run(new Patience()))).toBe('done');
  expect(clock.sleeps).toEqual([250, 500, 1000]);
});

test('it gives up after five seconds, and explains why', async () => {
  const clock = new VirtualClock();
  const { state, run } = operation(clock, Infinity);
  expect(await clock.run(run(new Patience()))).toBe('Error: it stays');
  expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(6_000);
  expect(state.attempts).toBe(clock.sleeps.length + 1);
});

test('another failure ends it at once', async () => {
  const clock = new VirtualClock();
  const failing = new Patience().retry({ clock, isCancelled: () => false }, () =>
    Promise.reject(new Error('no')),
  );
  await expect(failing).rejects.toThrow('no');
  expect(clock.sleeps).toEqual([]);
});

test('four wait at once, and the fifth fails at once', async () => {
  const clock = new VirtualClock();
  const patience = new Patience();
  const operations = [1, 2, 3, 4, 5].map(() => operation(clock, 3));
  const ended = operations.map(({ run }) => run(patience));
  expect(await ended[4]).toBe('Error: it stays');
  expect(await clock.run(Promise.all(ended.slice(0, 4)))).toEqual(['done', 'done', 'done', 'done']);
  expect(await clock.run(operation(clock, 2).run(patience))).toBe('done');
});

test('a process waits for twenty seconds in all', async () => {
  const clock = new VirtualClock();
  const patience = new Patience();
  for (let turn = 0; turn < 4; turn += 1) await clock.run(operation(clock, Infinity).run(patience));
  const late = operation(clock, 2);
  expect(await clock.run(late.run(patience))).toBe('Error: it stays');
  expect(late.state.attempts).toBe(1);
});

test('a cancelled run does not wait', async () => {
  const clock = new VirtualClock();
  expect(await operation(clock, 2, () => true).run(new Patience())).toBe('Error: it stays');
});
