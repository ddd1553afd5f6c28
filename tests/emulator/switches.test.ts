import type { SwitchName, Switches } from '../../emulator/src/index';
import type { HttpAnswer } from './support/http';
import { callEmulator, startEmulator, useService } from './support/service';

const service = useService();

const tcpPath = '/edges/tcp/edgtcp_1/traffic_policy';
const httpsPath = '/edges/https/edghts_1/routes/edghtsrt_1/user_agent_filter';
const missingRulePath = '/ip_policy_rules/ipr_none';

/** Status and body: JSON where it is JSON, the type where it is another text, nothing if there is none. */
function shape(answer: HttpAnswer): unknown {
  if (answer.text === '') return [answer.status];
  const type = answer.headers['content-type'] ?? '';
  return [answer.status, type.includes('json') ? answer.json() : type.split(';')[0]];
}

const get = async (path: string): Promise<unknown> => shape(await service.call('GET', path));
const put = async (path: string, body: object): Promise<unknown> =>
  shape(await service.call('PUT', path, body));
const remove = async (path: string): Promise<unknown> => shape(await service.call('DELETE', path));

const post = async (fields: object = {}): Promise<unknown> => shape(await service.post(fields));

const error = (status: number): unknown => [
  status,
  {
    error_code: expect.any(String) as string,
    status_code: status,
    msg: expect.any(String) as string,
    details: { operation_id: expect.stringMatching(/^op_[0-9A-Za-z]{27}$/) as string },
  },
];
const withMessage = (status: number, msg: RegExp): unknown => [
  status,
  expect.objectContaining({ msg: expect.stringMatching(msg) as string }),
];
const created = (fields: object): unknown => [201, expect.objectContaining(fields)];
const updated = (fields: object): unknown => [200, expect.objectContaining(fields)];

/** A rule, and a module of each kind, by the least that a request has to have. */
const writeAll = async (): Promise<unknown> => [
  await post(),
  await put(tcpPath, { value: '{}' }),
  await put(httpsPath, {}),
];

// What a client sees of each position: lifecycle/tools/acceptance, "finds $name in the position $position". Here is what it does
// not look at.
test.each<[name: SwitchName, position: string, probe: () => Promise<unknown>, seen: unknown]>([
  ['errorBody', 'json', () => get(missingRulePath), error(404)],
  ['errorBody', 'html', () => get(missingRulePath), [404, 'text/html']],
  ['errorBody', 'text', () => get(missingRulePath), [404, 'text/plain']],
  ['missingModuleOnGet', 'defaults', () => get(tcpPath), [200, { enabled: true, value: '' }]],
  ['missingModuleOnGet', 'defaults', () => get(httpsPath), [200, { enabled: true, allow: [], deny: [] }]],
  ['hostBits', 'refused', () => post({ cidr: '10.0.0.1/8' }), withMessage(400, /10\.0\.0\.0\/8/)],
  ['bareAddress', 'canonical', () => post({ cidr: '2001:DB8:0::1' }), created({ cidr: '2001:db8::1/128' })],
  ['bareAddress', 'as-sent', () => post({ cidr: '2001:DB8:0::1' }), created({ cidr: '2001:DB8:0::1' })],
  ['partialPut', '400', () => put(tcpPath, { value: '{}' }), error(400)],
  ['unexpectedBody', '400', deleteWithBody, error(400)],
  ['unexpectedBody', 'ignored', deleteWithBody, [204]],
  [
    'policyValue',
    'reserialised',
    () => put(tcpPath, { value: '{"b":[1,{"d":0,"c":"x"}],  "a":null}' }),
    updated({ value: '{"a": null, "b": [1, {"c": "x", "d": 0}]}' }),
  ],
  [
    'extraFields',
    'some',
    writeAll,
    [created({ revision: 7 }), updated({ revision: 7 }), updated({ revision: 7 })],
  ],
])('%s %s: %#', async (name, position, probe, seen) => {
  service.emulator.setSwitches({ [name]: position });
  expect(await probe()).toEqual(seen);
});

async function deleteWithBody(): Promise<unknown> {
  const { id } = await service.createRule();
  return shape(await service.call('DELETE', `/ip_policy_rules/${id}`, {}));
}

test.each<[Partial<Switches>, string]>([
  [{ timestamps: 'whole-seconds' }, '2030-01-01T23:30:00Z'],
  [{ timestamps: 'fraction' }, '2030-01-01T23:30:00.500Z'],
  [{ timestamps: 'offset' }, '2030-01-02T01:30:00+02:00'],
  [{ createdAtAheadMs: -2_000 }, '2030-01-01T23:29:58Z'],
  [{ createdAtAheadMs: 2_000 }, '2030-01-01T23:30:02Z'],
])('%j: a rule of half a second past 23:30 is of %s', async (switches, createdAt) => {
  const emulator = await startEmulator({ clock: () => Date.UTC(2030, 0, 1, 23, 30, 0, 500), switches });
  const { id } = emulator.remote.createRule({ cidr: '10.0.0.0/8', ip_policy_id: 'ipp_a', action: 'deny' });
  const answer = await callEmulator(emulator.url, { method: 'GET', path: `/ip_policy_rules/${id}` });
  expect(answer.json()).toMatchObject({ created_at: createdAt });
});

test('moduleLagMs: GET shows a module that was deleted, and none that was written, until then', async () => {
  let nowMs = Date.UTC(2030, 0, 1);
  const emulator = await startEmulator({ clock: () => nowMs });
  const call = (method: string, body?: object) => callEmulator(emulator.url, { method, path: tcpPath, body });
  const shown = async (): Promise<number> => (await call('GET')).status;
  emulator.setSwitches({ moduleLagMs: 300 });
  await call('PUT', { value: '{}' });
  expect(await shown()).toBe(404);
  nowMs += 300;
  expect(await shown()).toBe(200);
  expect((await call('DELETE')).status).toBe(204);
  expect(await shown()).toBe(200);
  expect((await call('DELETE')).status).toBe(404);
  nowMs += 300;
  expect(await shown()).toBe(404);
});

test('parents seeded: what was seeded exists, and a missing parent is a 404 on GET and DELETE in every position', async () => {
  const { emulator } = service;
  emulator.setSwitches({ parents: 'seeded', missingModuleOnGet: 'null', missingModuleOnDelete: '204' });
  expect([await get(tcpPath), await remove(tcpPath)]).toEqual([error(404), error(404)]);
  emulator.seed({ policies: ['ipp_test'], tcpEdges: ['edgtcp_1'], routes: ['edghts_1/edghtsrt_1'] });
  expect(await writeAll()).toEqual([created({}), updated({}), updated({})]);
});

test.each([
  [{ surprise: 1 }, /unknown switch surprise/],
  [{ duplicateCidr: '500' }, /duplicateCidr: 500 is not one of 400, accepted, 409/],
  [{ pageSize: 0 }, /pageSize: 0 is not a whole number from 1/],
  [{ latencyMs: 1.5 }, /latencyMs: 1.5/],
  [{ latencyMs: '' }, /latencyMs/],
])('a switch or position that does not exist is refused: %j', (changes, message) => {
  expect(() => {
    service.emulator.setSwitches(changes as Partial<Switches>);
  }).toThrow(message);
});
