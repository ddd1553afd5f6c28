import { send } from './support/http';
import { callEmulator, startEmulator, useService } from './support/service';

const service = useService();
const rule = { cidr: '10.0.0.0/8', ip_policy_id: 'ipp_a', action: 'deny' };

test.each([
  ['no key', 401, { Authorization: undefined }],
  ['a wrong key', 401, { Authorization: 'Bearer other' }],
  ['another scheme', 401, { Authorization: 'Basic test-key' }],
  ['a key that names a property of every object', 401, { Authorization: 'Bearer constructor' }],
  ['no version', 400, { 'Service-Version': undefined }],
  ['another version', 400, { 'Service-Version': '1' }],
  ['the version twice', 400, { 'Service-Version': '2, 2' }],
  ['no content type', 415, { 'Content-Type': undefined }],
  ['another content type', 415, { 'Content-Type': 'application/jsonp' }],
  ['JSON in UTF-8', 201, { 'Content-Type': 'application/json; charset=utf-8' }],
  ['JSON in another case', 201, { 'Content-Type': 'Application/JSON' }],
])('a request with %s is answered with %i', async (_what, status, headers) => {
  expect((await service.call('POST', '/ip_policy_rules', rule, { headers })).status).toBe(status);
});

const notUtf8 = Buffer.concat([Buffer.from('{"description":"'), Buffer.from([0xff]), Buffer.from('"}')]);

test.each(['', '{', 'null', '[]', '7', notUtf8])('the body %j is refused with 400', async (body) => {
  expect((await service.call('POST', '/ip_policy_rules', body)).status).toBe(400);
});

test('__proto__ in a body is an unknown field like any other', async () => {
  const body = JSON.stringify(rule).replace('{', '{"__proto__":{"action":"allow"},');
  expect((await service.call('POST', '/ip_policy_rules', body)).status).toBe(400);
  service.emulator.setSwitches({ unknownInput: 'ignored' });
  expect((await service.call('POST', '/ip_policy_rules', body)).json()).toMatchObject({ action: 'deny' });
});

test('a body above 1 MiB is refused with 413', async () => {
  const answer = await service.call('POST', '/ip_policy_rules', `"${'x'.repeat(1024 * 1024)}"`);
  expect(answer.status).toBe(413);
  // The framework below is no part of the service.
  expect(answer.text).not.toContain('FST_');
});

test.each([
  ['/edges/tcp/edgtcp_1', 404],
  ['/ip_policy_rules/', 404],
  ['/ip_policy_rules/a/b', 404],
  ['/ip_policy_rules/ipr_%2F..', 404],
  ['/ip_policy_rules/%zz', 400],
])('the path %s, which leads to nothing, answers %i in the form of the service', async (path, status) => {
  const answer = await service.call('GET', path);
  expect([answer.status, answer.json()]).toEqual([status, expect.objectContaining({ status_code: status })]);
});

const tcpPath = '/edges/tcp/edgtcp_1/traffic_policy';

test.each([
  ['POST', '/ip_policy_rules/ipr_1', 'GET, PATCH, DELETE'],
  ['PATCH', tcpPath, 'PUT, GET, DELETE'],
  ['TRACE', '/ip_policy_rules', 'POST, GET'],
  ['PROPFIND', '/ip_policy_rules/ipr_1', 'GET, PATCH, DELETE'],
])('%s of %s answers 405 and says what the path takes', async (method, path, allowed) => {
  for (const body of [undefined, {}]) {
    const answer = await service.call(method, path, body);
    expect([answer.status, answer.json()]).toEqual([405, expect.objectContaining({ status_code: 405 })]);
    const allow = [answer.headers['allow']].flat().join();
    expect(allow.split(', ').sort()).toEqual(allowed.split(', ').sort());
    expect(answer.text).not.toContain('FST_');
  }
});

test('with a base path everything lives below it, and what lies beside it is no answer of the service', async () => {
  const emulator = await startEmulator({ basePath: '/api/v2/' });
  expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/);
  const inside = await callEmulator(emulator.url, { method: 'POST', path: '/ip_policy_rules', body: rule });
  expect((inside.json() as { uri: string }).uri.startsWith(`${emulator.url}/ip_policy_rules/`)).toBe(true);
  const origin = new URL(emulator.url).origin;
  const outside = await callEmulator(origin, { method: 'GET', path: '/ip_policy_rules' });
  expect([outside.status, outside.headers['content-type']]).toEqual([
    404,
    expect.stringContaining('text/html'),
  ]);
});

test('the Date header and the creation time follow the clock of the emulator', async () => {
  const emulator = await startEmulator({ clock: () => Date.UTC(2031, 1, 3, 4, 5, 6, 789) });
  const answer = await callEmulator(emulator.url, { method: 'POST', path: '/ip_policy_rules', body: rule });
  expect(answer.headers.date).toBe('Mon, 03 Feb 2031 04:05:06 GMT');
  expect(answer.json()).toMatchObject({ created_at: '2031-02-03T04:05:06Z' });
});

test('/healthz needs no key', async () => {
  const answer = await send({ method: 'GET', url: `${service.emulator.url}/healthz` });
  expect([answer.status, answer.json()]).toEqual([200, { status: 'ok' }]);
});
