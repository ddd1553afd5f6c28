import { send, type HttpAnswer } from './support/http';
import { startEmulator, useService } from './support/service';

const service = useService({ control: true });

const control = (method: string, path: string, body?: unknown): Promise<HttpAnswer> =>
  service.call(method, `/__emulator${path}`, body);

const statusOf = async (answer: Promise<HttpAnswer>): Promise<number> => (await answer).status;

test('it is off unless asked for', async () => {
  const emulator = await startEmulator();
  const answer = await send({ method: 'POST', url: `${emulator.url}/__emulator/reset` });
  expect(answer.status).toBe(401);
});

test.each<[Record<string, string>, status: number, rulesLeft: number]>([
  [{ Host: 'attacker.example:4010' }, 403, 1],
  [{ Host: '127.0.0.1.attacker.example' }, 403, 1],
  [{ Origin: 'https://attacker.example' }, 403, 1],
  [{ Origin: 'null' }, 403, 1],
  [{ 'Sec-Fetch-Site': 'same-site' }, 403, 1],
  [{ Host: 'localhost:4010' }, 204, 0],
  [{ Host: '[::1]:4010' }, 204, 0],
  [{ Host: '10.1.2.3:80' }, 204, 0],
  [{ 'Sec-Fetch-Site': 'none' }, 204, 0],
])(
  'no page in a browser can reset, but a program on this machine or by an address: %j',
  async (headers, status, rulesLeft) => {
    await service.createRule();
    const reset = send({ method: 'POST', url: `${service.emulator.url}/__emulator/reset`, headers });
    expect(await statusOf(reset)).toBe(status);
    expect(service.emulator.state().rules).toHaveLength(rulesLeft);
  },
);

test('switches: shown and moved', async () => {
  expect((await control('GET', '/switches')).json()).toEqual(service.emulator.switches);
  const moved = await control('PATCH', '/switches', { duplicateCidr: 'accepted', latencyMs: 3 });
  expect(moved.json()).toMatchObject({ duplicateCidr: 'accepted', latencyMs: 3 });
  const refused = await control('PATCH', '/switches', { surprise: 1 });
  expect([refused.status, refused.json()]).toEqual([400, { message: expect.any(String) as string }]);
});

test('state and seed, per account', async () => {
  const seed = {
    policies: ['ipp_1'],
    rules: [{ cidr: '10.0.0.0/8', ip_policy_id: 'ipp_1', action: 'deny' }],
  };
  const answer = await control('POST', '/seed?account=other', seed);
  expect(answer.json()).toEqual({ rules: service.emulator.state('other').rules });
  expect((await control('GET', '/state?account=other')).json()).toEqual(service.emulator.state('other'));
  expect((await control('GET', '/state')).json()).toMatchObject({ rules: [] });
});

test('the journal is read, from a number on, and cleared', async () => {
  await service.createRule();
  await service.createRule({ cidr: '10.0.0.0/8' });
  expect((await control('GET', '/journal')).json()).toEqual(
    JSON.parse(JSON.stringify(service.emulator.journal)),
  );
  expect((await control('GET', '/journal?after=1')).json()).toEqual([expect.objectContaining({ number: 2 })]);
  expect((await control('GET', '/counts')).json()).toEqual({ 'POST /ip_policy_rules': 2 });
  expect(await statusOf(control('DELETE', '/journal'))).toBe(204);
  expect(service.emulator.journal).toEqual([]);
});

test('faults are set, listed with their hits, and removed', async () => {
  const body = { kind: 'status', status: 503, method: 'GET', path: '/ip_policy_rules', times: 'always' };
  expect(await statusOf(control('POST', '/faults', body))).toBe(204);
  expect((await service.call('GET', '/ip_policy_rules')).status).toBe(503);
  expect((await control('GET', '/faults')).json()).toEqual([{ hits: 1, fault: body }]);
  expect(await statusOf(control('DELETE', '/faults'))).toBe(204);
  expect((await service.call('GET', '/ip_policy_rules')).status).toBe(200);
  expect(service.emulator.faults).toEqual([]);
});

test.each([
  {},
  { kind: 'surprise' },
  { kind: 'status', status: 'x' },
  { kind: 'cut', framing: 'length', when: 'before' },
  { kind: 'mutate', set: { 'ip_policy.id': 'x' } },
  '{',
])('a fault that is none is refused with 400: %j', async (fault) => {
  expect(await statusOf(control('POST', '/faults', fault))).toBe(400);
  expect(service.emulator.faults).toEqual([]);
});

test('keys that are dangerous in a program reach the answer as data', async () => {
  await control(
    'POST',
    '/faults',
    '{"kind":"mutate","set":{"/__proto__":{"polluted":1},"/__provider":"code"}}',
  );
  const answer = await service.call('GET', '/ip_policy_rules');
  expect(answer.text).toContain('"__proto__":{"polluted":1}');
  expect(answer.text).toContain('"__provider":"code"');
});

test('its own requests are no requests of the service', async () => {
  service.emulator.fault({ kind: 'reset', times: 'always' });
  await control('GET', '/state');
  expect(service.emulator.journal).toEqual([]);
});

test('with a base path it stays at the root', async () => {
  const emulator = await startEmulator({ control: true, basePath: '/api' });
  const { origin } = new URL(emulator.url);
  const answer = await send({ method: 'GET', url: `${origin}/__emulator/switches` });
  expect(answer.status).toBe(200);
});
