import type { EmulatorOptions } from '../../emulator/src/index';
import { callEmulator, startEmulator, useService } from './support/service';

const service = useService();

test('an entry holds what was sent, with the key masked, and what was answered', async () => {
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
  expect(Date.parse(entry?.time ?? '')).toBe(entry?.startedAt);
  expect(entry?.endedAt).toBeGreaterThanOrEqual(entry?.startedAt ?? Infinity);
  expect(JSON.stringify(service.emulator.journal)).not.toContain('test-key');
});

test('a key without a scheme is masked too', async () => {
  const headers = { Authorization: 'test-key' };
  await service.call('GET', '/ip_policy_rules', undefined, { headers });
  expect(JSON.stringify(service.emulator.journal)).not.toContain('test-key');
});

test('a request without a valid key has no account, and a body that is not JSON is kept as text', async () => {
  await service.call('POST', '/ip_policy_rules', 'not json', { headers: { Authorization: undefined } });
  expect(service.emulator.journal[0]).toMatchObject({ body: 'not json', status: 401 });
  expect(service.emulator.journal[0]).not.toHaveProperty('account');
});

test('counts name the operation, not the object', async () => {
  const rule = await service.createRule();
  await service.call('GET', `/ip_policy_rules/${rule.id}`);
  await service.call('GET', '/ip_policy_rules/ipr_none');
  await service.call('GET', '/nowhere');
  expect(service.emulator.counts).toEqual({
    'POST /ip_policy_rules': 1,
    'GET /ip_policy_rules/{id}': 2,
    'GET /nowhere': 1,
  });
});

test('clearJournal forgets entries and counts', async () => {
  await service.createRule();
  service.emulator.clearJournal();
  expect([service.emulator.journal, service.emulator.counts]).toEqual([[], {}]);
  await service.call('GET', '/ip_policy_rules');
  expect(service.emulator.journal.map(({ number }) => number)).toEqual([1]);
});

async function afterRequests(
  options: EmulatorOptions,
  count: number,
): Promise<{ numbers: number[]; total: number }> {
  const emulator = await startEmulator(options);
  for (let index = 0; index < count; index += 1) {
    await callEmulator(emulator.url, { method: 'GET', path: '/ip_policy_rules' });
  }
  const total = emulator.counts['GET /ip_policy_rules'] ?? 0;
  const numbers = emulator.journal.map(({ number }) => number);
  return { numbers, total };
}

test('the journal forgets the oldest entries beyond its limit, and counts them still', async () => {
  expect(await afterRequests({ journalLimit: 3 }, 5)).toEqual({ numbers: [3, 4, 5], total: 5 });
  expect(await afterRequests({ journalLimit: 3 }, 8)).toEqual({ numbers: [6, 7, 8], total: 8 });
});

test('counts keeps no entries, off keeps nothing', async () => {
  expect(await afterRequests({ journal: 'counts' }, 2)).toEqual({ numbers: [], total: 2 });
  expect(await afterRequests({ journal: 'off' }, 2)).toEqual({ numbers: [], total: 0 });
});
