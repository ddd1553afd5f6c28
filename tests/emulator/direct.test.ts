import { Emulator } from '../../emulator/src/index';
import { clientHeaders, useService } from './support/service';

const service = useService({ clock: () => Date.UTC(2030, 0, 1) });

const headers = Object.fromEntries(
  Object.entries({ ...clientHeaders, 'Content-Type': 'application/json' }).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]),
);
const rule = JSON.stringify({ cidr: '192.0.2.0/24', ip_policy_id: 'ipp_test', action: 'deny' });
const modulePath = '/edges/tcp/edgtcp_1/traffic_policy';

/** What changes from one answer to the next, though nothing else does. */
const comparable = (text: string): string =>
  text.replace(/http:[^"]*:\d+/g, 'URL').replace(/(ipr|op)_\w{27}/g, 'ID');

test.each([
  ['a create', 'POST', '/ip_policy_rules', rule],
  ['a list', 'GET', '/ip_policy_rules?limit=1', undefined],
  ['a module', 'PUT', modulePath, '{"enabled":true,"value":"{}"}'],
  ['a delete of a module', 'DELETE', modulePath, undefined],
  ['a path that does not exist', 'GET', '/nothing', undefined],
] as const)('%s is answered without a socket as over HTTP', async (_name, method, target, body) => {
  const direct = new Emulator({ clock: () => Date.UTC(2030, 0, 1) });
  for (const [path, text] of [
    ['/ip_policy_rules', JSON.stringify({ cidr: '10.0.0.0/8', ip_policy_id: 'ipp_test', action: 'allow' })],
    [modulePath, '{"enabled":true,"value":"[]"}'],
  ] as const) {
    const before = path === modulePath ? 'PUT' : 'POST';
    await service.call(before, path, text);
    direct.answer({ method: before, target: path, headers, body: text });
  }
  const overHttp = await service.call(method, target, body);
  const answer = direct.answer({ method, target, headers, body });
  expect([answer.status, comparable(answer.text)]).toEqual([overHttp.status, comparable(overHttp.text)]);
  expect(answer.headers['date']).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
});

test('a direct request needs a key, and counts for the rate limit', () => {
  const direct = new Emulator({ switches: { rateLimit: 1 } });
  const list = { method: 'GET', target: '/ip_policy_rules' };
  expect(direct.answer({ ...list, headers: {} }).status).toBe(401);
  expect(direct.answer({ ...list, headers }).status).toBe(200);
  expect(direct.answer({ ...list, headers }).headers['Retry-After']).toBe('60');
});
