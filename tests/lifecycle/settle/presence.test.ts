// When an object counts as gone, for single rules and for modules; what a set makes of it is in rule-set-faults.test.ts.
import type { Fault } from '../../../emulator/src/index';
import { type Bag, type HostProcess, type Scene, startScene } from '../../support/host';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';

const RULE = '/ip_policy_rules/{id}';
const LIST = '/ip_policy_rules';

const wanted = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };
const sent = ({ emulator }: Scene, method: string): number =>
  emulator.journal.filter((entry) => entry.method === method).length;

/** A page of something in between: a wrong base path looks like that. */
const notFoundPage = {
  kind: 'status',
  status: 404,
  rawBody: '<h1>404</h1>',
  contentType: 'text/html',
} as const;
const refused = { kind: 'status', status: 403, times: 'always' } as const;

interface Made {
  readonly id: string;
  readonly outs: Bag;
}

describe('a rule', () => {
  const start = async (): Promise<{ scene: Scene; made: Made }> => {
    const scene = await startScene();
    const made = await scene.newProcess().provider('IpPolicyRule').create(wanted);
    return { scene, made };
  };
  const read = (host: HostProcess, { id, outs }: Made) => host.provider('IpPolicyRule').read(id, outs);
  const remove = (host: HostProcess, { id, outs }: Made) => host.provider('IpPolicyRule').delete(id, outs);

  test('that was made seconds ago is asked for again before a 404 is believed', async () => {
    const { scene, made } = await start();
    const unknown = { kind: 'status', status: 404, body: { msg: 'no such rule' } } as const;
    scene.emulator.fault({ method: 'GET', path: RULE, ...unknown, times: 2 });
    expect((await read(scene.newProcess(), made)).id).toBe(made.id);
    expect(sent(scene, 'GET')).toBe(3);
    scene.clock.pass(5_000);
    scene.emulator.fault({ method: 'GET', path: RULE, ...unknown });
    expect((await read(scene.newProcess(), made)).id).toBe('');
    expect(sent(scene, 'GET')).toBe(4);
  });

  test('that was made seconds ago is asked for again in an update, before and after a lost answer', async () => {
    const { scene, made } = await start();
    const unknown = { kind: 'status', status: 404, body: { msg: 'no such rule' }, times: 2 } as const;
    const rule = scene.newProcess().provider('IpPolicyRule');
    scene.emulator.fault({ method: 'PATCH', path: RULE, ...unknown });
    const { outs } = await rule.update(made.id, made.outs, { ...wanted, description: 'office' });
    expect(outs).toMatchObject({ description: 'office' });
    expect(sent(scene, 'PATCH')).toBe(3);
    scene.emulator.fault({ method: 'GET', path: RULE, ...unknown });
    const unsettled = { ...made.outs, isUnsettled: true };
    expect(await rule.update(made.id, unsettled, { ...wanted, description: 'office' })).toMatchObject({
      outs: { description: 'office' },
    });
    expect(scene.emulator.state().rules.map(({ id }) => id)).toEqual([made.id]);
  });

  test('that is no longer young, and that the service does not know, no longer exists for an update', async () => {
    const { scene, made } = await start();
    scene.clock.pass(5_000);
    scene.emulator.remote.deleteRule(made.id);
    const rule = scene.newProcess().provider('IpPolicyRule');
    const edited = { ...wanted, description: 'office' };
    await expect(rule.update(made.id, made.outs, edited)).rejects.toThrow('no longer exists');
    expect(sent(scene, 'PATCH')).toBe(1);
  });

  test('of another policy under its id is neither gone nor drift', async () => {
    const { scene, made } = await start();
    const other = { kind: 'mutate', set: { 'ip_policy.id': otherPolicyId }, times: 'always' } as const;
    scene.emulator.fault({ method: 'GET', path: RULE, ...other });
    scene.emulator.fault({ method: 'PATCH', path: RULE, ...other });
    await expect(read(scene.newProcess(), made)).rejects.toThrow(
      'the body is about a rule of another policy',
    );
    const rule = scene.newProcess().provider('IpPolicyRule');
    await expect(rule.update(made.id, made.outs, { ...wanted, description: 'office' })).rejects.toThrow(
      'the body is about a rule of another policy',
    );
  });

  test('of another policy under its id in the list is neither gone nor drift', async () => {
    const { scene, made } = await start();
    const path = '/ip_policy_rules/0/ip_policy/id';
    scene.emulator.fault({ path: LIST, kind: 'mutate', set: { [path]: otherPolicyId }, times: 'always' });
    const host = scene.newProcess();
    const reads = Array.from({ length: 5 }, () => read(host, made).catch(String));
    expect(await Promise.all(reads)).toContainEqual(
      expect.stringContaining(`it shows ${made.id} in another policy`),
    );
  });

  test('is asked for once where it is there, however young it is', async () => {
    const { scene, made } = await start();
    expect((await read(scene.newProcess(), made)).id).toBe(made.id);
    expect(sent(scene, 'GET')).toBe(1);
  });

  test('is gone where a page of something in between says so and the list holds only others', async () => {
    const { scene, made } = await start();
    scene.clock.pass(60_000);
    scene.emulator.remote.createRule({ cidr: '10.1.0.0/16', action: 'allow', ip_policy_id: otherPolicyId });
    scene.emulator.fault({ method: 'GET', path: RULE, ...notFoundPage, times: 'always' });
    await expect(read(scene.newProcess(), made)).rejects.toThrow('check the base URL');
    scene.emulator.remote.deleteRule(made.id);
    expect((await read(scene.newProcess(), made)).id).toBe('');
  });

  test('that was made seconds ago takes one request to delete', async () => {
    const { scene, made } = await start();
    await remove(scene.newProcess(), made);
    expect([sent(scene, 'DELETE'), sent(scene, 'GET')]).toEqual([1, 0]);
    expect(scene.emulator.state().rules).toEqual([]);
  });

  test('that was made seconds ago, and that nobody finds any more, is not deleted again', async () => {
    const { scene, made } = await start();
    scene.emulator.remote.deleteRule(made.id);
    await remove(scene.newProcess(), made);
    expect(sent(scene, 'DELETE')).toBe(1);
  });

  test('that was made seconds ago counts as deleted only when a 404 can be believed', async () => {
    const { scene, made } = await start();
    const unknown = { kind: 'status', status: 404, body: { msg: 'no such rule' }, times: 2 } as const;
    scene.emulator.fault({ method: 'DELETE', path: RULE, ...unknown });
    await remove(scene.newProcess(), made);
    expect(sent(scene, 'DELETE')).toBe(3);
    expect(scene.emulator.state().rules).toEqual([]);
    scene.clock.pass(5_000);
    await remove(scene.newProcess(), made);
    expect(sent(scene, 'DELETE')).toBe(4);
  });

  test('whose delete is refused is not believed gone, even where it is', async () => {
    const { scene, made } = await start();
    scene.emulator.remote.deleteRule(made.id);
    scene.emulator.fault({ method: 'DELETE', path: RULE, ...refused });
    await expect(remove(scene.newProcess(), made)).rejects.toThrow('403');
  });
});

describe.each([
  {
    type: 'TcpEdgeTrafficPolicyModule' as const,
    path: '/edges/tcp/{id}/traffic_policy',
    inputs: { edgeId: tcpEdgeId, value: JSON.stringify({ inbound: [{ actions: [{ type: 'deny' }] }] }) },
    importCommand: `import --tcp-edge ${tcpEdgeId} --run`,
  },
  {
    type: 'HttpsEdgeRouteUserAgentFilterModule' as const,
    path: '/edges/https/{edge}/routes/{id}/user_agent_filter',
    inputs: { edgeId: httpsEdgeId, routeId, deny: ['bad.*bot'] },
    importCommand: `import --route ${httpsEdgeId}/${routeId} --run`,
  },
])('a module', ({ type, path, inputs, importCommand }) => {
  const start = async (): Promise<{
    scene: Scene;
    made: Made;
    module: ReturnType<HostProcess['provider']>;
  }> => {
    const scene = await startScene();
    const module = scene.newProcess().provider(type);
    const { inputs: checked } = await module.check({}, inputs);
    const made = await module.create(checked);
    return { scene, made, module: scene.newProcess().provider(type) };
  };
  const lostDelete: Fault = { method: 'DELETE', path, kind: 'reset', times: 'always' };

  test('is gone where the service says so, and then counts as deleted', async () => {
    const { scene, made, module } = await start();
    expect((await module.read(made.id, made.outs)).id).toBe(made.id);
    await module.delete(made.id, made.outs);
    expect((await module.read(made.id, made.outs)).id).toBe('');
    await module.delete(made.id, made.outs);
    expect(sent(scene, 'DELETE')).toBe(2);
  });

  test('is gone after a page of something in between only where the list answers below the same base URL', async () => {
    const { scene, made, module } = await start();
    scene.emulator.fault({ method: 'GET', path, ...notFoundPage, times: 'always' });
    expect((await module.read(made.id, made.outs)).id).toBe('');
    scene.emulator.fault({ method: 'GET', path: LIST, ...notFoundPage, times: 'always' });
    await expect(module.read(made.id, made.outs)).rejects.toThrow('check the base URL');
  });

  test('is not gone where a read is refused', async () => {
    const { scene, made, module } = await start();
    scene.emulator.fault({ method: 'GET', path, ...refused });
    await expect(module.read(made.id, made.outs)).rejects.toThrow('403');
  });

  test('whose delete is not answered is looked for: that it is not there is the proof', async () => {
    const { scene, made, module } = await start();
    scene.emulator.fault({ ...lostDelete, times: 4 });
    await expect(module.delete(made.id, made.outs)).rejects.toThrow('as the answer was lost');
    scene.emulator.fault({ ...lostDelete, when: 'after' });
    await module.delete(made.id, made.outs);
    expect((await module.read(made.id, made.outs)).id).toBe('');
  });

  test('that holds what somebody else wrote is named, with the command that imports it', async () => {
    const { module } = await start();
    const { inputs: other } = await module.check({}, { ...inputs, enabled: false });
    await expect(module.create(other)).rejects.toThrow(`npx pulumi-edge-policy ${importCommand}`);
  });
});
