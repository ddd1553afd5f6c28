import { UserError } from '../../../provider/src/errors/user-error';
import { OtherProcesses } from '../../../provider/src/run/other-processes';
import { type Bag, startScene } from '../../support/host';
import { otherPolicyId, policyId } from '../../support/ids';
import { type Declared, failureOf, hosts, RuleSetDriver } from './driver';

const office: Declared = { cidr: '10.0.0.0/8', action: 'allow', description: 'office' };
const partner: Declared = { cidr: '192.0.2.0/24', action: 'allow' };
const scanner: Declared = { cidr: '198.51.100.7/32', action: 'deny', metadata: '{"source":"feed"}' };

const sorted = (requests: readonly string[]): string[] => [...requests].sort();

describe('create:', () => {
  test('one POST per rule, and state holds rules and ids', async () => {
    const set = await RuleSetDriver.start();
    await set.up([partner, scanner, office]);
    expect(set.requests()).toEqual(['POST', 'POST', 'POST']);
    expect(Object.entries(set.rules)).toEqual([
      ['10.0.0.0/8', { action: 'allow', description: 'office' }],
      ['192.0.2.0/24', { action: 'allow' }],
      ['198.51.100.7/32', { action: 'deny', metadata: '{"source":"feed"}' }],
    ]);
    for (const { id, cidr } of set.live) expect(set.ids[cidr]).toBe(id);
  });

  test('a set that takes nothing over needs no folder for what the processes of a run tell each other', async () => {
    const others = new OtherProcesses(undefined, new UserError('there is no folder'));
    const scene = await startScene();
    const create = (inputs: Bag) =>
      scene.newProcess({}, { others }).provider('IpPolicyRuleSet').create(inputs);
    const inputs = { ipPolicyId: policyId, rules: '@rules\n10.0.0.0/8: allow\n', exclusive: true };
    expect((await create(inputs)).outs['rules']).toBe(inputs.rules);
    await expect(create({ ...inputs, overwriteExisting: true })).rejects.toThrow('there is no folder');
  });

  test('two sets of one policy have ids of their own, which begin with that of the policy', async () => {
    const set = await RuleSetDriver.start();
    await set.up([office]);
    const first = set.kept?.id;
    set.forget();
    await set.up([partner]);
    expect(set.kept).not.toMatchObject({ id: first });
    expect(set.kept).toMatchObject({ id: expect.stringMatching(`^${policyId}/`) as string });
  });

  test('at the process’s concurrency limit', async () => {
    const set = await RuleSetDriver.start({ maxConcurrency: 4 });
    set.scene.emulator.setSwitches({ simultaneousLimit: 4 });
    await set.up(hosts(60));
    expect(set.requests()).toHaveLength(60);
  });
});

describe('update:', () => {
  test('without a change sends nothing, whatever the order and spelling', async () => {
    const set = await RuleSetDriver.start();
    await set.up([
      office,
      { cidr: '2001:DB8::/32', action: 'deny' },
      { cidr: '203.0.113.9', action: 'allow' },
    ]);
    set.requests();
    const spelledOtherwise = {
      '203.0.113.9/32': { action: 'allow', description: '' },
      '2001:0db8:0::/32': { action: 'deny' },
      '10.0.0.0/8': { description: 'office', action: 'allow' },
    };
    expect(await set.up(spelledOtherwise)).toBe(false);
    expect(set.requests()).toEqual([]);
  });

  test('a change of some rules costs the requests for those only', async () => {
    const set = await RuleSetDriver.start();
    const rules = hosts(100);
    await set.up(rules);
    set.requests();
    const [edited, flipped, , ...rest] = rules as [Declared, Declared, Declared, ...Declared[]];
    await set.up([{ ...edited, description: 'new' }, { ...flipped, action: 'deny' }, ...rest, partner]);
    expect(sorted(set.requests())).toEqual(['DELETE', 'DELETE', 'PATCH', 'POST', 'POST']);
    expect(set.live).toHaveLength(100);
    expect(
      await set.up([{ ...edited, description: 'new' }, { ...flipped, action: 'deny' }, ...rest, partner]),
    ).toBe(false);
  });

  test('another policy replaces the set', async () => {
    const set = await RuleSetDriver.start();
    await set.up([office]);
    const moved = await set.check([office], { ipPolicyId: otherPolicyId });
    const host = set.scene.newProcess();
    const { id = '', outs = {} } = set.kept ?? {};
    expect(await host.provider('IpPolicyRuleSet').diff(id, outs, moved)).toMatchObject({
      replaces: ['ipPolicyId'],
    });
  });
});

describe('create: rules of others', () => {
  const foreign = { cidr: '203.0.113.0/24', action: 'deny' as const, ip_policy_id: policyId };

  test('are left alone: at up, refresh and destroy', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.seed({ rules: [foreign] });
    await set.up([office]);
    await set.refresh();
    expect(set.rules).toEqual({ '10.0.0.0/8': { action: 'allow', description: 'office' } });
    await set.destroy();
    expect(set.liveNames).toEqual(['deny 203.0.113.0/24']);
  });

  test('one for a declared network fails the create, which names it and how to go on', async () => {
    const set = await RuleSetDriver.start();
    const [rule] = set.scene.emulator.seed({ rules: [{ ...foreign, action: 'allow' }] });
    const wanted = [office, { cidr: foreign.cidr, action: 'allow' as const }];
    const failure = String(await set.up(wanted).catch(String));
    expect(failure).toContain(rule?.id);
    expect(failure).toContain('If no resource manages it yet, set overwriteExisting: true to take it over.');
    expect(failure).not.toContain('import');
    expect(set.rules).toEqual({ '10.0.0.0/8': { action: 'allow', description: 'office' } });
    expect(set.requests().filter((request) => request === 'LIST')).toHaveLength(1);
  });

  test('25 of them are a line each, with the advice once: first what an interrupted run has left', async () => {
    const set = await RuleSetDriver.start();
    const taken = hosts(25);
    set.scene.emulator.seed({ rules: taken.map((rule) => ({ ...rule, ip_policy_id: policyId })) });
    const [, ...lines] = (await failureOf(set.up([office, ...taken]))).split('\n');
    const conflicts = lines.filter((line) => line.includes('already has a rule for this CIDR: ipr_'));
    expect(conflicts).toHaveLength(20);
    const rest = lines.filter((line) => !conflicts.includes(line));
    expect(rest[0]).toBe('… and 5 more failures');
    expect(rest[1]).toContain(
      'pending operations, an interrupted run has made it: run npx pulumi-edge-policy-cli recover',
    );
    expect(rest[2]).toContain('owned it before this change');
    expect(rest.at(-1)).toContain('If no resource manages it yet');
    expect(rest).toHaveLength(9);
    expect(set.live).toHaveLength(26);
  });

  test('one for a declared network is taken over where overwriteExisting says so, and the others stay', async () => {
    const set = await RuleSetDriver.start();
    const [rule] = set.scene.emulator.seed({ rules: [foreign, { ...foreign, cidr: '192.0.2.0/24' }] });
    await set.up([{ cidr: foreign.cidr, action: 'deny', description: 'mine' }], { overwriteExisting: true });
    expect(set.requests()).toEqual(['LIST', 'PATCH']);
    expect(set.ids).toEqual({ '203.0.113.0/24': rule?.id });
    expect(set.liveNames).toEqual(['deny 192.0.2.0/24', 'deny 203.0.113.0/24']);
  });
});

describe('read:', () => {
  test('the settings stay, and when the set last created a rule', async () => {
    const set = await RuleSetDriver.start();
    await set.up([office], { overwriteExisting: true });
    const { changedAt } = set.kept?.outs ?? {};
    expect(changedAt).toMatch(/^2030-/);
    await set.refresh();
    expect(set.kept?.outs).toMatchObject({ changedAt, overwriteExisting: true, exclusive: false });
  });

  test('the pages of the list are read and nothing else', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(250));
    set.requests();
    await set.refresh();
    expect(set.requests()).toEqual(['LIST', 'LIST', 'LIST']);
    expect(await set.up(hosts(250))).toBe(false);
  });

  test('a rule that was edited, moved or deleted elsewhere shows up, and the next up repairs just that', async () => {
    const set = await RuleSetDriver.start();
    const rules = [...hosts(30), office, partner, scanner];
    await set.up(rules);
    const { remote } = set.scene.emulator;
    remote.updateRule(set.ids['10.0.0.0/8'] ?? '', { description: 'changed' });
    remote.updateRule(set.ids['192.0.2.0/24'] ?? '', { cidr: '192.0.2.0/25' });
    remote.deleteRule(set.ids['198.51.100.7/32'] ?? '');
    await set.refresh();
    expect(set.rules).toMatchObject({
      '10.0.0.0/8': { description: 'changed' },
      '192.0.2.0/25': { action: 'allow' },
    });
    expect(set.rules).not.toHaveProperty(['198.51.100.7/32']);
    expect(set.kept?.inputs['rules']).toBe(set.kept?.outs['rules']);
    set.requests();
    expect(await set.up(rules)).toBe(true);
    expect(sorted(set.requests())).toEqual(['DELETE', 'PATCH', 'POST', 'POST']);
    expect(set.live).toHaveLength(33);
  });

  test('a rule that is missing from the list counts as gone only when it is not found by its id either', async () => {
    const set = await RuleSetDriver.start();
    await set.up([office, partner]);
    set.scene.emulator.setSwitches({ listLagMs: 10_000 });
    await set.up([office, partner, scanner]);
    await set.refresh();
    expect(Object.keys(set.rules)).toHaveLength(3);
  });

  test('many rules that the list does not show yet are waited for', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.setSwitches({ listLagMs: 10_000 });
    await set.up(hosts(150));
    set.requests();
    await set.refresh();
    expect(Object.keys(set.rules)).toHaveLength(150);
    expect(set.requests()).toEqual(['LIST', 'LIST', 'LIST']);
  });

  test('a set whose rules are all gone is an empty set, and the next up fills it again', async () => {
    const set = await RuleSetDriver.start();
    await set.up([office, partner]);
    for (const { id } of set.live) set.scene.emulator.remote.deleteRule(id);
    await set.refresh();
    expect(set.rules).toEqual({});
    await set.up([office, partner]);
    expect(set.liveNames).toEqual(['allow 10.0.0.0/8', 'allow 192.0.2.0/24']);
  });
});

describe('delete:', () => {
  test('no list is read: a rule that is gone says so itself', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(20));
    for (const { id } of set.live.slice(0, 19)) set.scene.emulator.remote.deleteRule(id);
    set.requests();
    set.scene.clock.pass(60_000);
    await set.destroy();
    const requests = set.requests();
    expect(requests).toEqual(Array.from({ length: 20 }, () => 'DELETE'));
    expect(set.live).toEqual([]);
  });
});

describe('get:', () => {
  test('by the id of a policy names the older of two rules for one network first, and none of other policies', async () => {
    const set = await RuleSetDriver.start();
    const { emulator } = set.scene;
    emulator.setSwitches({ duplicateCidr: 'accepted' });
    const wire = { cidr: '10.0.0.0/8', action: 'allow', ip_policy_id: policyId } as const;
    const make = (rule: Parameters<typeof emulator.remote.createRule>[0]): string => {
      set.scene.clock.pass(1_000);
      return emulator.remote.createRule(rule).id;
    };
    const [older, newer] = [make(wire), make(wire)];
    make({ ...wire, ip_policy_id: otherPolicyId });
    const { props } = await set.scene.newProcess().provider('IpPolicyRuleSet').read(policyId, {});
    expect(props).toMatchObject({
      rules: '10.0.0.0/8: allow\n10.0.0.0/8 (duplicate 2): allow\n',
      ruleIdList: `${older}\n${newer}\n`,
      exclusive: false,
    });
  });
});
