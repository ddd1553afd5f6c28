import { notAsDeclared, writeVerified } from '../../../provider/src/settle/verified-write';

const isNew = (live: string): boolean => live === 'new';

test('a write that is answered with other values is read once more before it is believed to have failed', async () => {
  const late = { write: () => Promise.resolve('old'), read: () => Promise.resolve('new'), isWritten: isNew };
  expect(await writeVerified(late)).toEqual({ isWritten: true, live: 'new' });
  const outcome = await writeVerified({ ...late, read: () => Promise.resolve('old') });
  expect(outcome).toMatchObject({ isWritten: false, live: 'old' });
  if (outcome.isWritten) throw new Error('was not written');
  expect(notAsDeclared({ id: 'ipr_1', state: {}, outcome }).reasons.join()).toBe(
    'ipr_1 may differ from what is declared: the service answered with values other than those sent; the live values ' +
      'differ from those sent. Run "pulumi up" again: it compares and writes what is left.',
  );
});

test('a read that fails too leaves the failure of the write as the one to report', async () => {
  const outcome = await writeVerified({
    write: () => Promise.resolve('old'),
    read: () => Promise.reject(new Error('no answer')),
    isWritten: isNew,
  });
  expect(outcome).toMatchObject({ isWritten: false, live: undefined });
  if (outcome.isWritten) throw new Error('was not written');
  expect(notAsDeclared({ id: 'ipr_1', state: {}, outcome }).reasons.join()).toContain(
    'with values other than those sent; the live values could not be read.',
  );
});
