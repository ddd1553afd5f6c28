import { RunActivity } from '../../../provider/src/settle/run-activity';
import { VirtualClock } from '../../support/virtual-clock';

const start = () => {
  const clock = new VirtualClock();
  const beganAt = clock.epochMs();
  return { activity: new RunActivity(), clock, elapsed: () => clock.epochMs() - beganAt };
};

/** Names a resource every so often, as an engine does whose program goes on and on. */
const checkEvery = async ({ activity, clock }: ReturnType<typeof start>, gapMs: number): Promise<never> => {
  for (;;) {
    activity.noteCheck();
    await clock.sleep(gapMs);
  }
};

describe('what the engine names together is waited for', () => {
  test('until nothing has come for 100 ms, once', async () => {
    const { activity, clock, elapsed } = start();
    activity.noteCheck();
    const settled = activity.settleRegistrations(clock);
    await clock.advance(60);
    activity.noteCheck();
    await clock.run(settled);
    expect(elapsed()).toBe(200);
    await activity.settleRegistrations(clock);
    expect(elapsed()).toBe(200);
  });

  test('a second at most', async () => {
    const scene = start();
    void checkEvery(scene, 50);
    await scene.clock.run(scene.activity.settleRegistrations(scene.clock));
    expect(scene.elapsed()).toBe(1_000);
  });
});

describe('an operation that waits for something', () => {
  test('gives up after two seconds in which nothing goes on', async () => {
    const { activity, clock, elapsed } = start();
    await clock.run(activity.during(() => activity.waiting(() => activity.until(() => false, clock))));
    expect(elapsed()).toBe(2_000);
  });

  test('waits on beside another that has waited itself and works again', async () => {
    const { activity, clock, elapsed } = start();
    const other = activity.during(async () => {
      await activity.waiting(() => clock.sleep(500));
      await clock.sleep(60_000);
    });
    await clock.run(activity.during(() => activity.waiting(() => activity.until(() => false, clock))));
    await other;
    expect(elapsed()).toBeGreaterThan(60_000);
  });

  test('ends as soon as another has waited and what it waits for is so', async () => {
    const { activity, clock, elapsed } = start();
    let isSo = false;
    const waits = activity.during(() => activity.waiting(() => activity.until(() => isSo, clock)));
    await clock.advance(700);
    isSo = true;
    await activity.waiting(() => Promise.resolve());
    await clock.run(waits);
    expect(elapsed()).toBe(700);
  });
});

test('what has begun, and what has failed, stays so when it has ended', async () => {
  const { activity } = start();
  expect([activity.begun, activity.hasFailed, activity.showsProgram]).toEqual([0, false, false]);
  await activity.during(() => Promise.resolve());
  expect([activity.begun, activity.hasFailed]).toEqual([1, false]);
  await expect(activity.during(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect([activity.begun, activity.hasFailed, activity.isAnyOtherRunning]).toEqual([2, true, false]);
});
