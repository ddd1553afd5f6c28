import { Emulator } from '../../emulator/src/index';
import { testRule, useService } from './support/service';

const service = useService({ clock: () => Date.UTC(2030, 0, 1) });

const headers = {
  authorization: 'Bearer test-key',
  'service-version': '2',
  'content-type': 'application/json',
};
const rule = JSON.stringify(testRule);
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
  for (const emulator of [service.emulator, direct])
    emulator.seed({
      rules: [{ cidr: '10.0.0.0/8', ip_policy_id: 'ipp_test', action: 'allow' }],
      tcpModules: { edgtcp_1: { enabled: true, value: '[]' } },
    });
  const overHttp = await service.call(method, target, body);
  const answer = direct.answer({ method, target, headers, body });
  expect([answer.status, comparable(answer.text)]).toEqual([overHttp.status, comparable(overHttp.text)]);
  expect(answer.headers['date']).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
});
