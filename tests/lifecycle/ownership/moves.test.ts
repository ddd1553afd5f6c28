// What one change gives from one resource of a program to another, in the order in which the engine asks for it: what is declared
// is live afterwards, whichever operation begins first, and in the next run as well.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OtherProcesses } from '../../../provider/src/run/other-processes';
import { RunFiles } from '../../../provider/src/run/run-files';
import { UNKNOWN } from '../../../provider/src/values/unknowns';
import { type Bag, startScene } from '../../support/host';
import { folderOf } from '../../support/folder';
import { otherPolicyId, policyId, tcpEdgeId } from '../../support/ids';
import { a, b, c, d, live, overwrite, rules, sets, setOf, single } from './declared-resources';

describe('rules move between two sets of a program', () => {
  test('a set whose rule moves to the network of somebody else says how to take that one over, and changes nothing', async () => {
    const scene = await startScene();
    const set = await sets(scene.newProcess()).create(setOf([a]));
    await rules(scene.newProcess()).create(single(b));
    const before = live(scene);
    const moved = sets(scene.newProcess()).update(set, setOf([b]));
    await expect(moved).rejects.toThrow('docs/troubleshooting.md#objects-of-another-resource');
    expect(live(scene)).toEqual(before);
    await sets(scene.newProcess()).update(set, setOf([b], overwrite));
    expect(live(scene)).toEqual({ [b]: before[b] });
  });

  test('a renamed set makes what a replaced one gives up, as state knows it after a failure', async () => {
    const scene = await startScene();
    const old = await sets(scene.newProcess()).create(setOf([a, b]));
    const declared = setOf([a, b, c]);
    const failed = await sets(scene.newProcess())
      .create(declared)
      .catch((error: unknown) => error as { id: string; properties: Bag });
    if (!('properties' in failed)) throw new Error('nothing was created');
    const host = scene.newProcess();
    const { inputs } = await host.provider('IpPolicyRuleSet').check({}, declared);
    const partial = { id: failed.id, inputs, outs: failed.properties };
    const [made, replaced] = await Promise.all([
      sets(host).update(partial, declared),
      sets(host).replace(old, { ...setOf([d]), ipPolicyId: otherPolicyId }),
    ]);
    expect(Object.keys(live(scene)).sort()).toEqual([a, b, c, d]);
    const ids = [made, replaced].map(({ outs }) => String(outs['ruleIdList'])).join('');
    expect(ids.trim().split('\n').sort()).toEqual(Object.values(live(scene)).sort());
  });
});

describe('one rule under two resources fails', () => {
  const deny = setOf([[a, 'deny']], overwrite);
  test.each<[string, Bag, Bag, providers?: number]>([
    ['rules', single(a, overwrite), single(a, { ...overwrite, action: 'deny' })],
    ['a rule and a set', single(a, overwrite), deny],
    ['sets', setOf([b, a], overwrite), deny],
    ['rules of two providers', single(a, overwrite), single(a, { ...overwrite, action: 'deny' }), 2],
  ])(
    'of two %s with overwriteExisting, though the service accepts two and both look first',
    async (_, one, other, providers = 1) => {
      const scene = await startScene({ switches: { duplicateCidr: 'accepted' } });
      const folder = folderOf();
      const files = ['1-0', '1-1'].map((name) => new RunFiles(folder, name, () => scene.emulator.url));
      const hosts = files.slice(0, providers).map((own) => {
        for (const { name } of files) own.count(name);
        return scene.newProcess({}, providers > 1 ? { others: new OtherProcesses(own) } : {});
      });
      const hold = scene.emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'after' });
      const make = (inputs: Bag, index: number) => {
        const host = hosts[index % providers] ?? scene.newProcess();
        return ('rules' in inputs ? sets(host) : rules(host)).create(inputs);
      };
      const creates = Promise.allSettled([one, other].map(make));
      await hold.reached;
      hold.release();
      const failed = (await creates).flatMap((one) => (one.status === 'rejected' ? String(one.reason) : []));
      expect(failed).toEqual([
        expect.stringContaining(`rule for ${a} in ${policyId} belongs to two resources`),
      ]);
      expect(scene.emulator.state().rules.filter(({ cidr }) => cidr === a)).toHaveLength(1);
      const told = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
      expect(told.join('')).not.toContain(a);
    },
  );

  test('a set and a single rule, also in later runs', async () => {
    const scene = await startScene();
    const rule = await rules(scene.newProcess()).create(single(a));
    const host = scene.newProcess();
    await rules(host).same(rule);
    await expect(sets(host).create(setOf([a], overwrite))).rejects.toThrow('two resources of this program');
    // What an older version of the provider let happen shows up at the next preview.
    const set = await sets(scene.newProcess()).create(setOf([a], overwrite));
    const later = scene.newProcess();
    await sets(later).same(set);
    await expect(rules(later).same(rule)).rejects.toThrow('two resources of this program');
    const other = scene.newProcess();
    await rules(other).same(rule);
    await expect(sets(other).same(set)).rejects.toThrow('two resources of this program');
  });
});

test.each([
  ['after a partial failure', { kind: 'reset', times: 4 }, 'may differ from what is declared'],
  ['after a refusal', { kind: 'status', status: 422 }, 'returned 422'],
] as const)(
  'a create of a module that is repeated %s is no second declaration',
  async (_when, fault, said) => {
    const scene = await startScene();
    const host = scene.newProcess();
    const path = `/edges/tcp/${tcpEdgeId}/traffic_policy`;
    scene.emulator.fault({ method: 'PUT', path, ...fault });
    const declared = { edgeId: tcpEdgeId, value: '{"inbound":[]}' };
    const inputs = await host.checked('TcpEdgeTrafficPolicyModule', declared);
    const create = () => host.provider('TcpEdgeTrafficPolicyModule').create(inputs);
    await expect(create()).rejects.toThrow(said);
    await create();
    expect(Object.keys(scene.emulator.state().tcpModules)).toEqual([tcpEdgeId]);
  },
);

test('a preview with unknown rules of a set says nothing of who owns the rules that the set has', async () => {
  const scene = await startScene();
  const inputs = { cidr: '192.0.2.0/24', action: 'allow', ipPolicyId: policyId };
  const { id, outs } = await scene.newProcess().provider('IpPolicyRule').create(inputs);
  const preview = scene.newProcess();
  const [rules, sets] = [preview.provider('IpPolicyRule'), preview.provider('IpPolicyRuleSet')];
  const checked = await rules.check(inputs, inputs);
  await rules.diff(id, outs, checked.inputs);
  // As a run that failed has left it: the set still has the rule that the resource took over.
  const set = {
    ipPolicyId: policyId,
    exclusive: false,
    rules: '@rules\n192.0.2.0/24: allow\n',
    ruleIdList: `${id}\n`,
  };
  const unknown = await sets.check(set, { ipPolicyId: policyId, rules: UNKNOWN });
  await expect(sets.diff(`${policyId}/set`, set, unknown.inputs)).resolves.toMatchObject({ changes: true });
});
