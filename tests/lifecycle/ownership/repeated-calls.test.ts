// An on-error hook lets the engine repeat a call with the arguments of the first one. Only the last answer reaches the state, so
// nothing that the first one has made may be missing there.
import type { Fault } from '../../../emulator/src/index';
import { withoutService } from '../../../provider/src/fields/field';
import type { Host, ResourceType } from '../../../provider/src/resources/provider-reference';
import { type Bag, type HostProcess, type Scene, startScene } from '../../support/host';
import { policyId, tcpEdgeId } from '../../support/ids';
import { a, b, c, overwrite, setOf, single } from './declared-resources';

const hosts: readonly Host[] = ['dynamic', 'native'];

const live = ({ emulator }: Scene): string[] => emulator.state().rules.map(({ id }) => id);
const idsIn = (outs: Bag): string[] => String(outs['ruleIdList']).split('\n').filter(Boolean);
const networks = ({ emulator }: Scene): string[] => emulator.state().rules.map(({ cidr }) => cidr);

const refused = (nth: number): Fault => ({ method: 'POST', kind: 'status', status: 403, nth });

/** What the engine keeps of a call, and whether it failed. */
const answered = (work: Promise<{ readonly outs: Bag }>): Promise<{ outs: Bag; failed: boolean }> =>
  work.then(
    ({ outs }) => ({ outs, failed: false }),
    (error: unknown) => {
      const { id, properties: outs } = error as { id?: string; properties?: Bag };
      // Without a state in its failure the engine would forget what a create has made.
      if (id === undefined || outs === undefined) throw error as Error;
      return { outs, failed: true };
    },
  );

const makeSet = async (host: HostProcess, news: Bag) => {
  const sets = host.provider('IpPolicyRuleSet');
  const { inputs } = await sets.check({}, news);
  return { create: () => sets.create(inputs) };
};

describe.each(hosts)('%s host: a call of a set that failed in part is repeated', (hostName) => {
  const start = async () => {
    const scene = await startScene();
    return { scene, newHost: () => scene.newProcess({}, { host: hostName }) };
  };

  test.each<[string, Bag, number]>([
    ['creates rules', {}, 2],
    ['has taken over a rule', overwrite, 1],
    ['takes over its whole policy', { ...overwrite, exclusive: true }, 1],
  ])('a create that %s goes on: the state holds what is live', async (_what, options, nth) => {
    const { scene, newHost } = await start();
    if (options['overwriteExisting'] === true)
      scene.emulator.remote.createRule({ cidr: a, action: 'allow', ip_policy_id: policyId });
    if (options['exclusive'] === true)
      scene.emulator.remote.createRule({ cidr: c, action: 'allow', ip_policy_id: policyId });
    const set = await makeSet(newHost(), setOf([a, b], options));
    scene.emulator.fault(refused(nth));
    expect(await answered(set.create())).toMatchObject({ failed: true });
    const { outs, failed } = await answered(set.create());
    expect(failed).toBe(false);
    expect(networks(scene).sort()).toEqual([a, b]);
    expect(idsIn(outs).sort()).toEqual(live(scene).sort());
  });

  test('a create that gets no further leaves in state what the first one has made', async () => {
    const { scene, newHost } = await start();
    const set = await makeSet(newHost(), setOf([a, b]));
    scene.emulator.fault(refused(2));
    await answered(set.create());
    scene.emulator.fault({ kind: 'status', status: 401, times: 'always' });
    const { outs, failed } = await answered(set.create());
    expect(failed).toBe(true);
    expect(idsIn(outs)).toEqual(live(scene));
  });

  test('an update creates no rule twice', async () => {
    const { scene, newHost } = await start();
    scene.emulator.setSwitches({ duplicateCidr: 'accepted' });
    const { id, outs: olds } = await (await makeSet(newHost(), setOf([a]))).create();
    const sets = newHost().provider('IpPolicyRuleSet');
    const { inputs } = await sets.check(olds, setOf([a, b, c]));
    await sets.diff(id, olds, inputs);
    scene.emulator.fault(refused(2));
    expect(await answered(sets.update(id, olds, inputs))).toMatchObject({ failed: true });
    const { outs } = await answered(sets.update(id, olds, inputs));
    expect(networks(scene).sort()).toEqual([a, b, c]);
    expect(idsIn(outs).sort()).toEqual(live(scene).sort());
  });
});

describe.each(hosts)('%s host: a create that failed in part is repeated as an update', (hostName) => {
  const module = { edgeId: tcpEdgeId, value: '{}' };
  const rule = single(a, { ...overwrite, description: 'new' });

  test.each<[ResourceType, Bag, Fault[]]>([
    ['IpPolicyRule', rule, [{ method: 'PATCH', kind: 'status', status: 403 }]],
    ['IpPolicyRuleSet', setOf([a, b], overwrite), [refused(1)]],
    [
      'TcpEdgeTrafficPolicyModule',
      module,
      [
        { method: 'PUT', kind: 'reset', when: 'after', times: 'always' },
        { method: 'GET', kind: 'status', status: 500, nth: 2, times: 'always' },
      ],
    ],
  ])(
    '%s: if that is refused as a whole, the object stays in state, and the next up goes on',
    async (type, args, faults) => {
      const scene = await startScene();
      scene.emulator.remote.createRule({ cidr: a, action: 'allow', ip_policy_id: policyId });
      const provider = scene.newProcess({}, { host: hostName }).provider(type);
      const { inputs } = await provider.check({}, args);
      const handles = faults.map((fault) => scene.emulator.fault(fault));
      const made = await provider.create(inputs).catch((error: unknown) => error);
      const { id = '', properties = {} } = made as { id?: string; properties?: Bag };
      expect(id).not.toBe('');
      for (const handle of handles) handle.remove();
      const refusal = scene.emulator.fault({ kind: 'status', status: 401, times: 'always' });
      await expect(provider.update(id, properties, inputs)).rejects.toMatchObject({ id, properties });
      refusal.remove();
      const next = scene.newProcess({}, { host: hostName });
      const news = await next.checked(type, args, inputs);
      // Its type is known, so no alias has brought it.
      expect(await next.provider(type).diff(id, properties, news)).toMatchObject({
        changes: true,
        replaces: [],
      });
      const { overwriteExisting: _overwrites, ...content } = withoutService(news);
      expect((await next.provider(type).update(id, properties, news)).outs).toMatchObject(content);
    },
  );
});

describe.each(hosts)('%s host: two resources of a program are equal', (hostName) => {
  test.each<[ResourceType, Bag, Fault]>([
    ['IpPolicyRuleSet', setOf([a, b]), refused(2)],
    [
      'IpPolicyRule',
      single(a, { ...overwrite, description: 'new' }),
      { method: 'PATCH', kind: 'status', status: 403 },
    ],
  ])(
    '%s: the create of the second one continues nothing that the first one has left',
    async (type, args, fault) => {
      const scene = await startScene({ switches: { duplicateCidr: 'accepted' } });
      if (type === 'IpPolicyRule')
        scene.emulator.remote.createRule({ cidr: a, action: 'allow', ip_policy_id: policyId });
      const provider = scene.newProcess({}, { host: hostName }).provider(type);
      const { inputs } = await provider.check({}, args);
      await provider.check({}, args);
      scene.emulator.fault(fault);
      const first = (await provider.create(inputs, 'one').catch((error: unknown) => error)) as { id: string };
      expect(first.id).toBeDefined();
      const before = live(scene);
      const second = (await provider.create(inputs, 'two').catch((error: unknown) => error)) as {
        readonly id?: string;
        readonly outs?: Bag;
        readonly message?: string;
      };
      const ids = second.outs === undefined ? [] : [String(second.id), ...idsIn(second.outs)];
      expect(second.id).not.toBe(first.id);
      expect(ids.filter((id) => before.includes(id))).toEqual([]);
      if (second.id === undefined) expect(second.message).toContain(first.id);
    },
  );
});
