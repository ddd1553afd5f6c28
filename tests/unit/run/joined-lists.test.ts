import { Deadline } from '../../../provider/src/api/deadline';
import { JoinedLists } from '../../../provider/src/run/joined-lists';
import { IdleClock } from '../../support/idle-clock';

/** A list that is answered, or fails, when the test says so. */
function startService() {
  const answers: { succeed(): void; fail(): void }[] = [];
  const list = () =>
    new Promise<readonly string[]>((resolve, reject) => {
      answers.push({
        succeed: () => {
          resolve([]);
        },
        fail: () => {
          reject(new Error('no answer'));
        },
      });
    });
  const lists = new JoinedLists<readonly string[]>();
  const clock = new IdleClock();
  const read = () => lists.read(list, new Deadline(clock, 1_000));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { answers, read, turn };
}

test('whoever asks while a list is read waits for the next one, which serves all of them', async () => {
  const { answers, read, turn } = startService();
  const first = read();
  await turn();
  const others = Promise.all([read(), read(), read()]);
  await turn();
  expect(answers).toHaveLength(1);
  answers[0]?.succeed();
  await first;
  await turn();
  expect(answers).toHaveLength(2);
  answers[1]?.succeed();
  await expect(others).resolves.toEqual([[], [], []]);
  expect(answers).toHaveLength(2);
});

test('a list that fails is read once more by those who did not begin it', async () => {
  const { answers, read, turn } = startService();
  const first = read().catch((error: unknown) => String(error));
  await turn();
  const second = read().catch((error: unknown) => String(error));
  const third = read();
  answers[0]?.fail();
  await expect(first).resolves.toBe('Error: no answer');
  await turn();
  answers[1]?.fail();
  await expect(second).resolves.toBe('Error: no answer');
  await turn();
  answers[2]?.succeed();
  await expect(third).resolves.toEqual([]);
});
