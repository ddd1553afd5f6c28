import { ApiError } from '../../../provider/src/api/errors';
import { notAsDeclared, writeVerified } from '../../../provider/src/run/verified-write';

const differing = (live: string): string[] => (live === 'new' ? [] : ['description']);

test('a write that is answered with other values is read once more before it is believed to have failed', async () => {
  const late = { write: () => Promise.resolve('old'), read: () => Promise.resolve('new'), differing };
  expect(await writeVerified(late)).toEqual({ isWritten: true, live: 'new' });
  const outcome = await writeVerified({ ...late, read: () => Promise.resolve('old') });
  expect(outcome).toMatchObject({ isWritten: false, live: 'old' });
  if (outcome.isWritten) throw new Error('was not written');
  expect(notAsDeclared({ id: 'ipr_1', state: {}, outcome }).reasons.join()).toBe(
    'ipr_1 may differ from what is declared: the service returned values that differ from those sent: description; ' +
      'the live values differ from those sent. Run "pulumi up" again: it compares and sends what is left.',
  );
});

test('a read that fails too leaves the failure of the write as the one to report', async () => {
  const outcome = await writeVerified({
    write: () => Promise.resolve('old'),
    read: () => Promise.reject(new Error('no answer')),
    differing,
  });
  expect(outcome).toMatchObject({ isWritten: false, live: undefined });
  if (outcome.isWritten) throw new Error('was not written');
  expect(notAsDeclared({ id: 'ipr_1', state: {}, outcome }).reasons.join()).toContain(
    'values that differ from those sent: description; the live values could not be read.',
  );
});

test('a write that the service refuses has failed: nothing is read, and nothing is in doubt', async () => {
  const call = { method: 'PATCH', path: '/ip_policy_rules/ipr_1', isQualified: true } as const;
  const refusal = new ApiError({ ...call, status: 422, outcome: 'definite' });
  let reads = 0;
  const read = (): Promise<string> => {
    reads += 1;
    return Promise.resolve('old');
  };
  await expect(writeVerified({ write: () => Promise.reject(refusal), read, differing })).rejects.toBe(
    refusal,
  );
  expect(reads).toBe(0);
});
