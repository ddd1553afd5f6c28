import { Journal } from '../../emulator/src/journal';
import { callEmulator, startEmulator, useService } from './support/service';

const service = useService();

test('an entry holds what was sent, with the key masked, also without a scheme, and what was answered', async () => {
  const body = { cidr: '192.0.2.0/24', ip_policy_id: 'ipp_a', action: 'deny' };
  await service.call('POST', '/ip_policy_rules?surprise=1', body);
  const [entry] = service.emulator.journal;
  expect(entry).toMatchObject({
    number: 1,
    account: 'default',
    method: 'POST',
    path: '/ip_policy_rules',
    url: '/ip_policy_rules?surprise=1',
    body,
    status: 400,
  });
  expect(entry?.headers).toMatchObject({ authorization: 'Bearer ***', 'service-version': '2' });
  expect(entry?.endedAt).toBeGreaterThanOrEqual(entry?.startedAt ?? Infinity);
  const withoutScheme = { headers: { Authorization: 'test-key' } };
  await service.call('GET', '/ip_policy_rules', undefined, withoutScheme);
  expect(JSON.stringify(service.emulator.journal)).not.toContain('test-key');
});

test('a request without a valid key has no account, and a body that is not JSON is kept as text', async () => {
  await service.call('POST', '/ip_policy_rules', 'not json', { headers: { Authorization: undefined } });
  expect(service.emulator.journal[0]).toMatchObject({ body: 'not json', status: 401 });
  expect(service.emulator.journal[0]).not.toHaveProperty('account');
});

test('the mode counts keeps no entries', async () => {
  const emulator = await startEmulator({ journal: 'counts' });
  await callEmulator(emulator.url, { method: 'GET', path: '/ip_policy_rules' });
  expect([emulator.journal, emulator.counts]).toEqual([[], { 'GET /ip_policy_rules': 1 }]);
});

test('the oldest of very many entries are forgotten, and still counted', () => {
  const journal = new Journal('full', () => 0);
  const arrival = { method: 'GET', path: '/', url: '/', headers: {}, operation: 'GET /' };
  for (let index = 0; index < 100_000; index += 1) journal.open(arrival);
  expect(journal.counts).toEqual({ 'GET /': 100_000 });
  expect(journal.entries.map(({ number }) => number)).toEqual(
    Array.from({ length: 50_000 }, (_, index) => 50_001 + index),
  );
});
