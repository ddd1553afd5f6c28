import { moduleSamples } from './support/modules';
import { useService } from './support/service';

const service = useService();

describe.each(moduleSamples)('$name', ({ name, id, path, unknownParent, module, shortest }) => {
  const stored = (): object | undefined => service.emulator.state()[name][id];

  test('replace: the edge or route must be of the right kind', async () => {
    expect((await service.call('PUT', unknownParent, module)).status).toBe(404);
  });

  test('replace: what is left out takes its default', async () => {
    const [sent, whole] = shortest;
    await service.call('PUT', path, module);
    expect((await service.call('PUT', path, sent)).json()).toEqual(whole);
    expect(stored()).toEqual(whole);
  });

  test('remote edits are answered, and leave out what the kind does not know', async () => {
    service.emulator.remote.modules(name).set(id, { ...module, surprise: 1 } as never);
    expect((await service.call('GET', path)).json()).toEqual(module);
    service.emulator.remote.modules(name).delete(id);
    expect((await service.call('GET', path)).status).toBe(404);
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
