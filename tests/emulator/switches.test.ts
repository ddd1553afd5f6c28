import { switchTable, type SwitchName, type Switches } from '../../emulator/src/index';
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

async function patch(fields: object): Promise<unknown> {
  const rule = await service.createRule();
  return shape(await service.call('PATCH', `/ip_policy_rules/${rule.id}`, fields));
}

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

/** What a request about each kind of module is answered. */
const ofBoth = async (ask: (path: string) => Promise<unknown>): Promise<unknown> => [
  await ask(tcpPath),
  await ask(httpsPath),
];
const twice = (answer: unknown): unknown => [answer, answer];

/** A rule, and a module of each kind, by the least that a request has to have. */
const writeAll = async (): Promise<unknown> => [
  await post(),
  await put(tcpPath, { value: '{}' }),
  await put(httpsPath, {}),
];

type Probe = () => Promise<unknown>;
type Expectations<Name extends SwitchName> = Record<`${Switches[Name]}`, unknown>;
interface SwitchCase {
  readonly name: SwitchName;
  readonly probe: Probe;
  readonly expectations: Readonly<Record<string, unknown>>;
}

function positions<Name extends SwitchName>(
  name: Name,
  probe: Probe,
  expectations: Expectations<Name>,
): SwitchCase {
  return { name, probe, expectations };
}

const duplicate: Probe = async () => {
  await service.createRule({ action: 'allow' });
  return post();
};

const cases: readonly SwitchCase[] = [
  positions('errorBody', () => get(missingRulePath), {
    json: error(404),
    'json-without-code': [404, expect.not.objectContaining({ error_code: expect.anything() as unknown })],
    empty: [404],
    html: [404, 'text/html'],
    text: [404, 'text/plain'],
  }),
  positions('missingRule', () => remove(missingRulePath), {
    'error-body': error(404),
    'error-body-without-code': [404, { status_code: 404, msg: expect.any(String) as string }],
    empty: [404],
  }),
  positions('missingModuleOnGet', () => ofBoth(get), {
    404: twice(error(404)),
    null: twice([200, null]),
    'empty-object': twice([200, {}]),
    defaults: [
      [200, { enabled: true, value: '' }],
      [200, { enabled: true, allow: [], deny: [] }],
    ],
  }),
  positions('missingModuleOnDelete', () => ofBoth(remove), { 404: twice(error(404)), 204: twice([204]) }),
  positions('missingParentOnPut', () => put('/edges/tcp/other_1/traffic_policy', { value: '{}' }), {
    404: error(404),
    400: error(400),
    422: error(422),
  }),
  positions('missingParentOnPost', () => post({ ip_policy_id: 'other_1' }), {
    400: error(400),
    404: error(404),
    422: error(422),
  }),
  positions('parents', writeAll, {
    any: [created({}), updated({}), updated({})],
    seeded: [error(400), error(404), error(404)],
  }),
  positions('duplicateCidr', duplicate, {
    400: withMessage(400, /duplicate/),
    accepted: created({ action: 'deny' }),
    409: withMessage(409, /duplicate/),
  }),
  positions('equalPost', async () => [(await service.createRule()).id, await post()], {
    duplicate: [expect.any(String) as string, error(400)],
    existing: [expect.any(String) as string, created({ action: 'deny' })],
  }),
  positions(
    'bareAddress',
    async () => [await post({ cidr: '203.0.113.7' }), await post({ cidr: '2001:DB8:0::1' })],
    {
      refused: [error(400), error(400)],
      canonical: [created({ cidr: '203.0.113.7/32' }), created({ cidr: '2001:db8::1/128' })],
      'as-sent': [created({ cidr: '203.0.113.7' }), created({ cidr: '2001:DB8:0::1' })],
    },
  ),
  positions('hostBits', () => post({ cidr: '10.0.0.1/8' }), {
    refused: withMessage(400, /10\.0\.0\.0\/8/),
    canonical: created({ cidr: '10.0.0.0/8' }),
    'as-sent': created({ cidr: '10.0.0.1/8' }),
  }),
  positions('ipv6Text', () => post({ cidr: '2001:DB8:0::/32' }), {
    'lower-case': created({ cidr: '2001:db8:0::/32' }),
    canonical: created({ cidr: '2001:db8::/32' }),
    'as-sent': created({ cidr: '2001:DB8:0::/32' }),
  }),
  positions('unsetText', () => post(), {
    absent: [201, expect.not.objectContaining({ description: expect.anything() as unknown })],
    empty: created({ description: '', metadata: '' }),
    null: created({ description: null, metadata: null }),
  }),
  positions('emptyPatch', () => patch({}), { 400: error(400), ignored: updated({ cidr: '192.0.2.0/24' }) }),
  positions(
    'partialPatch',
    async () => {
      const { id } = await service.createRule({ description: 'kept', metadata: 'changed' });
      return shape(await service.call('PATCH', `/ip_policy_rules/${id}`, { metadata: 'x' }));
    },
    {
      kept: updated({ description: 'kept', metadata: 'x' }),
      cleared: [200, expect.not.objectContaining({ description: 'kept' })],
    },
  ),
  positions('ruleIds', () => post(), {
    'letters-and-digits': created({ id: expect.stringMatching(/^ipr_[0-9A-Za-z]{27}$/) as string }),
    any: created({ id: expect.stringMatching(/^ipr_[0-9A-Za-z]{24}\.~-_[0-9A-Za-z]$/) as string }),
  }),
  positions('immutablePatch', () => patch({ action: 'allow', ip_policy_id: 'ipp_other', description: 'x' }), {
    400: error(400),
    ignored: updated({ action: 'deny', description: 'x' }),
  }),
  positions(
    'partialPut',
    async () => [await put(tcpPath, { value: '{}' }), await put(httpsPath, { enabled: false, allow: [] })],
    {
      reset: [
        [200, { enabled: true, value: '{}' }],
        [200, { enabled: false, allow: [], deny: [] }],
      ],
      400: [error(400), error(400)],
    },
  ),
  positions(
    'unknownInput',
    async () => [await post({ surprise: 1 }), await get('/ip_policy_rules?surprise=1')],
    {
      400: [error(400), error(400)],
      ignored: [[201, expect.not.objectContaining({ surprise: 1 })], updated({ next_page_uri: null })],
    },
  ),
  positions(
    'unexpectedBody',
    async () => {
      const { id } = await service.createRule();
      const path = `/ip_policy_rules/${id}`;
      return [shape(await service.call('GET', path, {})), shape(await service.call('DELETE', path, {}))];
    },
    { 400: [error(400), error(400)], ignored: [updated({ action: 'deny' }), [204]] },
  ),
  positions('policyValue', () => put(tcpPath, { value: '{"b":[1,{"d":0,"c":"x"}],  "a":null}' }), {
    verbatim: updated({ value: '{"b":[1,{"d":0,"c":"x"}],  "a":null}' }),
    reserialised: updated({ value: '{"a": null, "b": [1, {"c": "x", "d": 0}]}' }),
  }),
  positions('lastRuleOfPolicy', async () => remove(`/ip_policy_rules/${(await service.createRule()).id}`), {
    deletable: [204],
    400: error(400),
  }),
  positions(
    'regexDialect',
    async () => [await put(httpsPath, { deny: ['(?i)bot'] }), await put(httpsPath, { deny: ['(?=bot)'] })],
    {
      re2: [updated({ deny: ['(?i)bot'] }), error(400)],
      ecmascript: [error(400), updated({ deny: ['(?=bot)'] })],
    },
  ),
  positions('extraFields', writeAll, {
    none: [
      [201, expect.not.objectContaining({ revision: 7 })],
      [200, { enabled: true, value: '{}' }],
      [200, { enabled: true, allow: [], deny: [] }],
    ],
    some: [created({ revision: 7 }), updated({ revision: 7 }), updated({ revision: 7 })],
  }),
];

/** Numbers, and the switches whose positions show over several pages, requests or moments, have tests of their own. */
const testedElsewhere: readonly SwitchName[] = [
  ...(['listOrder', 'pageSize', 'emptyPage', 'nextPageUri', 'listLagMs', 'timestamps'] as const),
  ...(['listPages', 'deletedListedMs', 'moduleLagMs', 'createdAtAheadMs'] as const),
  ...(['rateLimit', 'rateLimitWindowMs', 'retryAfter', 'simultaneousLimit', 'latencyMs'] as const),
];

test('every switch is tested in every position', () => {
  const tested = [...cases.map(({ name }) => name), ...testedElsewhere];
  expect(tested.sort()).toEqual(Object.keys(switchTable).sort());
  for (const { name, expectations } of cases) {
    const definition = switchTable[name];
    const known = definition.kind === 'choice' ? [...definition.positions] : [];
    expect(Object.keys(expectations).sort()).toEqual([...known].sort());
  }
});

describe.each(cases)('$name', ({ name, probe, expectations }) => {
  test.each(Object.entries(expectations))('%s', async (position, expectation) => {
    service.emulator.setSwitches({ [name]: position });
    expect(await probe()).toEqual(expectation);
  });
});

test.each(
  Object.entries<string>({
    'whole-seconds': '2030-01-01T23:30:00Z',
    fraction: '2030-01-01T23:30:00.500Z',
    offset: '2030-01-02T01:30:00+02:00',
  } satisfies Record<Switches['timestamps'], string>),
)('timestamps: all forms name the same instant: %s', async (timestamps, createdAt) => {
  const emulator = await startEmulator({ clock: () => Date.UTC(2030, 0, 1, 23, 30, 0, 500) });
  emulator.setSwitches({ timestamps } as Partial<Switches>);
  const { id } = emulator.remote.createRule({ cidr: '10.0.0.0/8', ip_policy_id: 'ipp_a', action: 'deny' });
  const answer = await callEmulator(emulator.url, { method: 'GET', path: `/ip_policy_rules/${id}` });
  expect(answer.json()).toMatchObject({ created_at: createdAt });
});

test.each([-2_000, 2_000])(
  'createdAtAheadMs %i: created_at is apart from the time of the service',
  async (createdAtAheadMs) => {
    const emulator = await startEmulator({ clock: () => Date.UTC(2030, 0, 1) });
    const { id } = emulator.remote.createRule({ cidr: '10.0.0.0/8', ip_policy_id: 'ipp_a', action: 'deny' });
    emulator.setSwitches({ createdAtAheadMs });
    const answer = await callEmulator(emulator.url, { method: 'GET', path: `/ip_policy_rules/${id}` });
    const { created_at: createdAt } = answer.json() as { created_at: string };
    expect(Date.parse(createdAt)).toBe(Date.UTC(2030, 0, 1) + createdAtAheadMs);
  },
);

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

test('parents seeded: what was seeded exists, for rules and modules', async () => {
  service.emulator.setSwitches({ parents: 'seeded' });
  service.emulator.seed({ policies: ['ipp_test'], tcpEdges: ['edgtcp_1'], routes: ['edghts_1/edghtsrt_1'] });
  expect(await writeAll()).toEqual([created({}), updated({}), updated({})]);
});

test('a missing parent is a 404 on GET and DELETE in every position', async () => {
  service.emulator.setSwitches({
    parents: 'seeded',
    missingModuleOnGet: 'null',
    missingModuleOnDelete: '204',
  });
  expect([await get(tcpPath), await remove(tcpPath)]).toEqual([error(404), error(404)]);
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
