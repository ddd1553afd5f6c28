import { trafficPolicyOf, userAgentFilterOf } from '../../support/modules';
import { start, type Emulator } from '../../../emulator/src/index';
import { isNotFound } from '../../../provider/src/api/errors';
import type { ApiClient } from '../../../provider/src/api/client';
import type { ServiceRule } from '../../../provider/src/rule/rule';
import { canaryKey, createClient } from '../../support/api-client';
import { deferCleanup } from '../../support/cleanup';

jest.setTimeout(60_000);

const policyId = 'ipp_2hXy0000000000000000000000a';
const edgeId = 'edgtcp_2hXy0000000000000000000000a';
const route = {
  edgeId: 'edghts_2hXy0000000000000000000000a',
  routeId: 'edghtsrt_2hXy0000000000000000000000a',
};
const filterId = `${route.edgeId}/${route.routeId}`;

const setUp = async (
  options: Parameters<typeof start>[0] = {},
): Promise<{ emulator: Emulator; client: ApiClient }> => {
  const emulator = await start({ accounts: { [canaryKey]: 'default' }, ...options });
  deferCleanup(() => emulator.close());
  return { emulator, client: createClient(emulator.url) };
};

const listAll = async (client: ApiClient): Promise<readonly ServiceRule[]> => {
  const rules: ServiceRule[] = [];
  for await (const page of client.listIpPolicyRules(client.startOperation())) rules.push(...page.rules);
  return rules;
};

test('a rule is created, read, updated and deleted', async () => {
  const { emulator, client } = await setUp({ basePath: '/api' });
  const body = {
    cidr: '10.0.0.0/8',
    ipPolicyId: policyId,
    action: 'allow',
    description: 'office',
  } as const;
  const rule = await client.createIpPolicyRule(body, client.startOperation());
  expect(rule).toMatchObject({
    cidr: '10.0.0.0/8',
    action: 'allow',
    description: 'office',
    ipPolicyId: policyId,
  });
  expect(rule).not.toHaveProperty('metadata');
  expect(await client.getIpPolicyRule(rule, client.startOperation())).toEqual(rule);
  const updated = await client.updateIpPolicyRule(rule, { description: '' }, client.startOperation());
  expect(updated).not.toHaveProperty('description');
  expect(emulator.state().rules).toHaveLength(1);
  await client.deleteIpPolicyRule(rule.id, client.startOperation());
  expect(emulator.state().rules).toHaveLength(0);
  const missing = await client
    .getIpPolicyRule(rule, client.startOperation())
    .catch((error: unknown) => error);
  expect(isNotFound(missing)).toBe(true);
  expect(emulator.journal.map(({ method, path }) => `${method} ${path.replace(rule.id, '{id}')}`)).toEqual([
    'POST /ip_policy_rules',
    'GET /ip_policy_rules/{id}',
    'PATCH /ip_policy_rules/{id}',
    'DELETE /ip_policy_rules/{id}',
    'GET /ip_policy_rules/{id}',
  ]);
});

test.each([
  ['traffic policy', trafficPolicyOf, edgeId, { edgeId }, { enabled: false, value: '{"inbound":[]}' }],
  ['user agent filter', userAgentFilterOf, filterId, route, { enabled: true, allow: ['curl'], deny: [] }],
] as const)('a %s module is replaced, read and deleted', async (_kind, moduleOf, id, ids, body) => {
  const { emulator, client } = await setUp();
  const module = moduleOf(client, id);
  const live = () => ({ ...emulator.state().tcpModules, ...emulator.state().httpsModules });
  expect(await module.replace(body, client.startOperation())).toEqual({ ...ids, ...body });
  expect(await module.get(client.startOperation())).toEqual({ ...ids, ...body });
  expect(live()).toEqual({ [id]: body });
  await module.delete(client.startOperation());
  expect(live()).toEqual({});
});

test.each(['null', 'empty-object'] as const)(
  'a module answered as %s with a 200 is none',
  async (position) => {
    const { client } = await setUp({ switches: { missingModuleOnGet: position } });
    expect(await trafficPolicyOf(client, edgeId).get(client.startOperation())).toBeUndefined();
    expect(await userAgentFilterOf(client, filterId).get(client.startOperation())).toBeUndefined();
  },
);

test('every request carries our headers, and a content type only with a body', async () => {
  const { emulator, client } = await setUp();
  const module = trafficPolicyOf(client, edgeId);
  await module.get(client.startOperation()).catch(() => undefined);
  await module.replace({ enabled: true, value: '{}' }, client.startOperation());
  const [get, put] = emulator.journal.map(({ headers }) => headers);
  expect(get).toMatchObject({ accept: 'application/json', 'service-version': '2' });
  expect(get?.['user-agent']).toMatch(/^pulumi-edge-policy\/\d+\.\d+\.\d+$/);
  expect(get).not.toHaveProperty('content-type');
  expect(get).not.toHaveProperty('content-length');
  expect(put).toMatchObject({ 'content-type': 'application/json' });
});

test('an empty update and an unsafe identifier reach nobody', async () => {
  const { emulator, client } = await setUp();
  const deadline = client.startOperation();
  await expect(client.updateIpPolicyRule({ id: 'ipr_1' }, {}, deadline)).rejects.toMatchObject({
    name: 'RequestError',
  });
  await expect(client.getIpPolicyRule({ id: '..' }, deadline)).rejects.toMatchObject({
    name: 'RequestError',
  });
  await expect(client.deleteIpPolicyRule('a/../b', deadline)).rejects.toMatchObject({ name: 'RequestError' });
  expect(() => trafficPolicyOf(client, 'edgtcp_?')).toThrow('letters, digits, _ and -');
  expect(() => userAgentFilterOf(client, `${route.edgeId}/`)).toThrow('is empty');
  expect(emulator.journal).toHaveLength(0);
});

test.each(['absolute', 'relative'] as const)(
  'all rules of all pages are listed (next page %s)',
  async (nextPageUri) => {
    const { emulator, client } = await setUp({
      basePath: '/api/v1',
      switches: { pageSize: 2, nextPageUri, emptyPage: 'after-first' },
    });
    const cidrs = ['10.0.0.0/8', '172.16.0.0/12', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'];
    emulator.seed({
      rules: cidrs.map((cidr) => ({ cidr, ip_policy_id: policyId, action: 'deny' as const })),
    });
    expect((await listAll(client)).map(({ cidr }) => cidr).sort()).toEqual(cidrs);
  },
);

test.each([
  ...[
    'loop',
    'endless',
    'other-host',
    'other-port',
    'other-scheme',
    'user-info',
    'protocol-relative',
    'outside-base-path',
  ],
] as const)('a malicious next page ends the list in an error: %s', async (variant) => {
  const second = await start();
  deferCleanup(() => second.close());
  const { emulator, client } = await setUp({ basePath: '/api', switches: { pageSize: 1 } });
  emulator.seed({ rules: [{ cidr: '10.0.0.0/8', ip_policy_id: policyId, action: 'deny' }] });
  const url = variant === 'other-port' ? { url: `${second.url}/ip_policy_rules?x=1` } : {};
  emulator.fault({ kind: 'paging', variant, times: 'always', ...url });
  await expect(listAll(client)).rejects.toMatchObject({ name: 'AnswerError', path: '/ip_policy_rules' });
  expect(second.journal).toHaveLength(0);
  expect(emulator.journal.length).toBeLessThanOrEqual(102);
  for (const { path } of emulator.journal) expect(path).toBe('/ip_policy_rules');
});

test('the time of the service is learned from its answers', async () => {
  const { client } = await setUp({ clock: () => Date.now() + 3_600_000 });
  expect(client.serverTimeOffsetMs()).toBeUndefined();
  await listAll(client);
  const aheadMs = (client.serverTimeOffsetMs() ?? 0) + client.clock.monotonicMs() - client.clock.epochMs();
  expect(aheadMs).toBeGreaterThan(3_590_000);
  expect(aheadMs).toBeLessThanOrEqual(3_600_000);
});

test('a refusal by the rate limit is waited out, and told once', async () => {
  const { emulator } = await setUp();
  const lines: string[] = [];
  const client = createClient(emulator.url, {}, { warn: (line) => void lines.push(line) });
  emulator.fault({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
  await expect(listAll(client)).resolves.toEqual([]);
  expect(lines).toEqual([]);
  const [first, second] = emulator.journal;
  expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(995);
  emulator.fault({ kind: 'status', status: 429, headers: { 'retry-after': ['3600', '1'] }, times: 2 });
  await expect(listAll(client)).rejects.toMatchObject({ name: 'DeadlineError', outcome: 'rate-limited' });
  expect(lines).toEqual([expect.stringMatching(/^The service is rate limiting requests: waiting until 20/)]);
});
