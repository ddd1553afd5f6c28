import { useService } from './support/service';

const service = useService();

const kinds = [
  {
    name: 'traffic policy',
    path: '/edges/tcp/edgtcp_1/traffic_policy',
    unknownParent: '/edges/tcp/edghts_1/traffic_policy',
    module: {
      enabled: false,
      value: '{"inbound": [{"name":"x","expressions":[],"actions":[{"type":"deny"}]}]}',
    },
    replacement: { enabled: true, value: '{}' },
    stored: () => service.emulator.state().tcpModules['edgtcp_1'],
  },
  {
    name: 'user agent filter',
    path: '/edges/https/edghts_1/routes/edghtsrt_1/user_agent_filter',
    unknownParent: '/edges/https/edghts_1/routes/edgtcp_1/user_agent_filter',
    module: { enabled: false, allow: ['(?i)^curl/'], deny: ['bot', 'crawler'] },
    replacement: { enabled: true, allow: [], deny: ['\\bspider\\b'] },
    stored: () => service.emulator.state().httpsModules['edghts_1/edghtsrt_1'],
  },
];

describe.each(kinds)('$name module', ({ path, unknownParent, module, replacement, stored }) => {
  test('replace: answers 200 with the stored module', async () => {
    const answer = await service.call('PUT', path, module);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(module);
    expect(stored()).toEqual(module);
  });

  test('replace: a second one takes the place of the first, whole', async () => {
    await service.call('PUT', path, module);
    await service.call('PUT', path, replacement);
    expect(stored()).toEqual(replacement);
  });

  test('replace: the edge or route must be of the right kind', async () => {
    expect((await service.call('PUT', unknownParent, module)).status).toBe(404);
  });

  test('get: answers what was stored', async () => {
    await service.call('PUT', path, module);
    const answer = await service.call('GET', path);
    expect([answer.status, answer.json()]).toEqual([200, module]);
  });

  test('get: 404 where there is none', async () => {
    expect((await service.call('GET', path)).status).toBe(404);
  });

  test('delete: 204 without a body, and then 404', async () => {
    await service.call('PUT', path, module);
    const answer = await service.call('DELETE', path);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await service.call('DELETE', path)).status).toBe(404);
    expect(stored()).toBeUndefined();
  });

  test.each([{ enabled: 'yes' }, { enabled: null }, { surprise: 1 }, []])(
    'replace: refuses %j',
    async (change) => {
      const body = Array.isArray(change) ? change : { ...module, ...change };
      expect((await service.call('PUT', path, body)).status).toBe(400);
      expect(stored()).toBeUndefined();
    },
  );
});

test('replace: enabled defaults to true and lists to empty', async () => {
  const tcp = await service.call('PUT', '/edges/tcp/edgtcp_1/traffic_policy', { value: '{}' });
  const https = await service.call('PUT', '/edges/https/edghts_1/routes/edghtsrt_1/user_agent_filter', {});
  expect(tcp.json()).toEqual({ enabled: true, value: '{}' });
  expect(https.json()).toEqual({ enabled: true, allow: [], deny: [] });
});

test.each([undefined, 7, '', 'not json', '[]', 'null', '"text"'])(
  'replace: refuses the policy value %j',
  async (value) => {
    const answer = await service.call('PUT', '/edges/tcp/edgtcp_1/traffic_policy', { enabled: true, value });
    expect(answer.status).toBe(400);
  },
);

test.each([{ allow: 'x' }, { deny: [1] }, { allow: null }, { deny: ['('] }, { allow: ['(?=x)'] }])(
  'replace: refuses the patterns %j',
  async (body) => {
    const path = '/edges/https/edghts_1/routes/edghtsrt_1/user_agent_filter';
    expect((await service.call('PUT', path, body)).status).toBe(400);
  },
);
