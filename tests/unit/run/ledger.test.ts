import { ProcessLedger } from '../../../provider/src/run/ledger';

test('identical work runs one after another, also after a failure; other work does not wait', async () => {
  const ledger = new ProcessLedger();
  const events: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const first = ledger.oneAtATime('same', async () => {
    await gate;
    events.push('first');
    throw new Error('failed');
  });
  const second = ledger.oneAtATime('same', () => Promise.resolve(events.push('second')));
  await ledger.oneAtATime('other', () => Promise.resolve(events.push('other')));
  release();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(events).toEqual(['other', 'first', 'second']);
});

test('an object is busy from the first work on it to the end of the last', async () => {
  const ledger = new ProcessLedger();
  expect(ledger.isBusy('rule')).toBe(false);
  const first = ledger.oneAtATime('rule', () => Promise.resolve());
  const second = ledger.oneAtATime('rule', () => Promise.resolve());
  await first;
  expect(ledger.isBusy('rule')).toBe(true);
  await second;
  expect([ledger.isBusy('rule'), ledger.isBusy('other')]).toEqual([false, false]);
});
