// Modules that are there already: content of others, content that is declared, and a second resource of the program.
import { type HostProcess, type Scene, startScene } from '../../support/host';
import { httpsEdgeId, routeId, tcpEdgeId } from '../../support/ids';

const id = `${httpsEdgeId}/${routeId}`;
const policy = (type: string, space?: number) =>
  JSON.stringify({ inbound: [{ name: 'all', expressions: [], actions: [{ type }] }] }, undefined, space);

const writes = ({ emulator }: Scene): string[] =>
  emulator.journal.map(({ method }) => method).filter((method) => method !== 'GET');

describe.each([
  {
    type: 'TcpEdgeTrafficPolicyModule' as const,
    inputs: { edgeId: tcpEdgeId, value: policy('deny') },
    theirs: `enabled, a policy of ${policy('log').length} bytes`,
    importCommand: `import --tcp-edge ${tcpEdgeId} --run`,
    /** What others write: the declared content in their spelling, or something else. */
    set: ({ emulator }: Scene, isDeclared: boolean) => {
      const value = isDeclared ? policy('deny', 1) : policy('log');
      emulator.remote.modules('tcpModules').set(tcpEdgeId, { enabled: true, value });
    },
    clear: ({ emulator }: Scene) => {
      emulator.remote.modules('tcpModules').set(tcpEdgeId, { enabled: true, value: '{"inbound":[]}' });
    },
    live: ({ emulator }: Scene) => emulator.state().tcpModules[tcpEdgeId],
    declared: { enabled: true, value: policy('deny') },
  },
  {
    type: 'HttpsEdgeRouteUserAgentFilterModule' as const,
    inputs: { edgeId: httpsEdgeId, routeId, deny: ['bad.*bot', 'curl/'] },
    theirs: 'enabled, 1 allow and 0 deny patterns',
    importCommand: `import --route ${id} --run`,
    set: ({ emulator }: Scene, isDeclared: boolean) => {
      const patterns = isDeclared
        ? { allow: [], deny: ['curl/', 'bad.*bot'] }
        : { allow: ['^Mozilla/'], deny: [] };
      emulator.remote.modules('httpsModules').set(id, { enabled: true, ...patterns });
    },
    clear: ({ emulator }: Scene) => {
      emulator.remote.modules('httpsModules').set(id, { enabled: true, allow: [], deny: [] });
    },
    live: ({ emulator }: Scene) => emulator.state().httpsModules[id],
    declared: { enabled: true, allow: [], deny: ['bad.*bot', 'curl/'] },
  },
])('$type', ({ type, inputs, theirs, importCommand, set, clear, live, declared }) => {
  const create = (host: HostProcess, options: object = {}) => host.create(type, { ...inputs, ...options });

  test('create: content of others is named, with the command that imports it, and stays', async () => {
    const scene = await startScene();
    set(scene, false);
    const before = live(scene);
    const failure = await create(scene.newProcess()).then(() => 'no failure', String);
    expect(failure).toContain(`already exists with different content (${theirs})`);
    expect(failure).toContain(`npx --no-install pulumi-edge-policy-cli ${importCommand}`);
    expect(failure).toContain('overwriteExisting: true');
    expect(live(scene)).toEqual(before);
  });

  test('create: with overwriteExisting it replaces the content of others', async () => {
    const scene = await startScene();
    set(scene, false);
    await create(scene.newProcess(), { overwriteExisting: true });
    expect(live(scene)).toEqual(declared);
  });

  test('create: one of others that decides nothing is replaced unasked', async () => {
    const scene = await startScene();
    clear(scene);
    await create(scene.newProcess());
    expect(live(scene)).toEqual(declared);
  });

  test('create: equal content in another spelling is taken over unasked, and written as it is declared', async () => {
    const scene = await startScene();
    set(scene, true);
    const { outs } = await create(scene.newProcess());
    expect(writes(scene)).toEqual(['PUT']);
    expect(outs).toMatchObject({ enabled: true });
    expect(live(scene)).toEqual(declared);
  });

  test('delete: one that a new name of the program has taken over stays, with a line that says so', async () => {
    const scene = await startScene();
    const old = await create(scene.newProcess());
    const host = scene.newProcess();
    await create(host);
    await host.provider(type).delete(old.id, old.outs);
    expect(live(scene)).toEqual(declared);
    expect(host.warnings.join()).toContain('another resource of this program now owns it (renamed?)');
  });
});
