// Modules that are there already: content of others, content that is declared, and a second resource of the program.
import { type HostProcess, type Scene, startScene } from '../../support/host';
import { httpsEdgeId, routeId, tcpEdgeId } from '../../support/ids';

const policy = (type: string, space?: number) =>
  JSON.stringify({ inbound: [{ name: 'all', expressions: [], actions: [{ type }] }] }, undefined, space);

describe.each([
  {
    type: 'TcpEdgeTrafficPolicyModule',
    name: 'tcpModules',
    id: tcpEdgeId,
    inputs: { edgeId: tcpEdgeId, value: policy('deny') },
    ours: { enabled: true, value: policy('deny') },
    inOtherSpelling: { enabled: true, value: policy('deny', 1) },
    empty: { enabled: true, value: '{"inbound":[]}' },
    theirs: { enabled: true, value: policy('log') },
    said: `enabled, a policy of ${policy('log').length} bytes`,
    importCommand: `import --tcp-edge ${tcpEdgeId} --run`,
  },
  {
    type: 'HttpsEdgeRouteUserAgentFilterModule',
    name: 'httpsModules',
    id: `${httpsEdgeId}/${routeId}`,
    inputs: { edgeId: httpsEdgeId, routeId, deny: ['bad.*bot', 'curl/'] },
    ours: { enabled: true, allow: [], deny: ['bad.*bot', 'curl/'] },
    inOtherSpelling: { enabled: true, allow: [], deny: ['curl/', 'bad.*bot'] },
    empty: { enabled: true, allow: [], deny: [] },
    theirs: { enabled: true, allow: ['^Mozilla/'], deny: [] },
    said: 'enabled, 1 allow and 0 deny patterns',
    importCommand: `import --route ${httpsEdgeId}/${routeId} --run`,
  },
] as const)('$type', ({ type, name, id, inputs, ours, importCommand, said, ...others }) => {
  const create = (host: HostProcess, options: object = {}) => host.create(type, { ...inputs, ...options });
  const live = ({ emulator }: Scene) => emulator.state()[name][id];

  /** A service on which others have written a module. */
  const sceneWith = async (content: object): Promise<Scene> => {
    const scene = await startScene();
    scene.emulator.remote.modules(name).set(id, content as never);
    return scene;
  };

  test('create: content of others is named, with the command that imports it, and stays', async () => {
    const scene = await sceneWith(others.theirs);
    const failure = await create(scene.newProcess()).then(() => 'no failure', String);
    expect(failure).toContain(`already exists with different content (${said})`);
    expect(failure).toContain(`npx --no-install pulumi-edge-policy-cli ${importCommand}`);
    expect(failure).toContain('overwriteExisting: true');
    expect(live(scene)).toEqual(others.theirs);
  });

  test('create: with overwriteExisting it replaces the content of others', async () => {
    const scene = await sceneWith(others.theirs);
    await create(scene.newProcess(), { overwriteExisting: true });
    expect(live(scene)).toEqual(ours);
  });

  test('create: one of others that decides nothing is replaced unasked', async () => {
    const scene = await sceneWith(others.empty);
    await create(scene.newProcess());
    expect(live(scene)).toEqual(ours);
  });

  test('create: equal content in another spelling is taken over unasked, and written as it is declared', async () => {
    const scene = await sceneWith(others.inOtherSpelling);
    const { outs } = await create(scene.newProcess());
    expect(scene.emulator.journal.filter(({ method }) => method !== 'GET')).toMatchObject([
      { method: 'PUT' },
    ]);
    expect(outs).toMatchObject({ enabled: true });
    expect(live(scene)).toEqual(ours);
  });

  test('delete: one that a new name of the program has taken over stays, with a line that says so', async () => {
    const scene = await startScene();
    const old = await create(scene.newProcess());
    const host = scene.newProcess();
    await create(host);
    await host.provider(type).delete(old.id, old.outs);
    expect(live(scene)).toEqual(ours);
    expect(host.warnings.join()).toContain('another resource of this program now owns it (renamed?)');
  });
});
