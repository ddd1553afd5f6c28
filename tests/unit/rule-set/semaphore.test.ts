import { Semaphore } from '../../../provider/src/rule-set/semaphore';

/** Whether a promise is settled by now. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  void promise.then(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
};

test('there are as many permits as it has, and the next one waits for the first that is released', async () => {
  const semaphore = new Semaphore(2);
  const first = await semaphore.acquire();
  await semaphore.acquire();
  const third = semaphore.acquire();
  expect(await isSettled(third)).toBe(false);
  first();
  expect(await isSettled(third)).toBe(true);
});

test('a permit that is released twice is free once', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire();
  release();
  release();
  const next = await semaphore.acquire();
  expect(await isSettled(semaphore.acquire())).toBe(false);
  next();
});
