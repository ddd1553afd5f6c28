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
    const set = await RuleSetDriver.applied([partner, scanner, office]);
    expect(set.requests()).toEqual(['POST', 'POST', 'POST']);
    expect(Object.entries(set.rules)).toEqual([
      ['10.0.0.0/8', { action: 'allow', description: 'office' }],
      ['192.0.2.0/24', { action: 'allow' }],
      ['198.51.100.7/32', { action: 'deny', metadata: '{"source":"feed"}' }],
    ]);
    for (const { id, cidr } of set.live) expect(set.ids[cidr]).toBe(id);
    // Several sets may share a policy.
    expect(set.kept?.id).toMatch(new RegExp(`^${policyId}/[0-9a-f]{12}$`));
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
});

describe('create: rules of others', () => {
  const foreign = { cidr: '203.0.113.0/24', action: 'deny' as const, ip_policy_id: policyId };

  test('25 of them are a line each, with the advice once: first what is likely', async () => {
    const set = await RuleSetDriver.start();
    const taken = hosts(25);
    set.emulator.seed({ rules: taken.map((rule) => ({ ...rule, ip_policy_id: policyId })) });
    const [, ...lines] = (await failureOf(set.up([office, ...taken]))).split('\n');
    const conflicts = lines.filter((line) => line.includes('already has a rule for this CIDR: ipr_'));
    expect(conflicts).toHaveLength(20);
    const rest = lines.filter((line) => !conflicts.includes(line));
    expect(rest[0]).toBe('… and 5 more failures');
    expect(rest[1]).toBe('If no resource manages it, set overwriteExisting: true to take it over.');
    expect(rest[2]).toContain(
      'pending operations, an interrupted run has made it: run npx --no-install pulumi-edge-policy-cli recover',
    );
    expect(rest.join()).not.toContain('import');
    expect(rest).toHaveLength(3);
    expect(set.rules).toEqual({ '10.0.0.0/8': { action: 'allow', description: 'office' } });
    expect(set.live).toHaveLength(26);
  });

  test('one for a declared network is taken over where overwriteExisting says so, and the others stay: at up, refresh and destroy', async () => {
    const set = await RuleSetDriver.start();
    const [rule] = set.emulator.seed({ rules: [foreign, { ...foreign, cidr: '192.0.2.0/24' }] });
    await set.up([{ cidr: foreign.cidr, action: 'deny', description: 'mine' }], { overwriteExisting: true });
    expect(set.requests()).toEqual(['LIST', 'GET', 'PATCH']);
    expect(set.ids).toEqual({ '203.0.113.0/24': rule?.id });
    await set.refresh();
    expect(Object.keys(set.rules)).toEqual(['203.0.113.0/24']);
    await set.destroy();
    expect(set.liveNames).toEqual(['deny 192.0.2.0/24']);
  });
});

describe('read:', () => {
  test('the settings stay, and when the set last created a rule', async () => {
    const set = await RuleSetDriver.applied([office], { overwriteExisting: true });
    const { changedAt } = set.kept?.outs ?? {};
    expect(changedAt).toMatch(/^2030-/);
    await set.refresh();
    expect(set.kept?.outs).toMatchObject({ changedAt, overwriteExisting: true, exclusive: false });
  });

  test('a rule that was edited, moved or deleted elsewhere shows up, and the next up repairs just that', async () => {
    const rules = [...hosts(30), office, partner, scanner];
    const set = await RuleSetDriver.applied(rules);
    const { remote } = set.emulator;
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

  test('many rules that the list does not show yet are asked for by their ids, and a line says how long that takes', async () => {
    const set = await RuleSetDriver.start({ switches: { listLagMs: 10_000 } });
    await set.up(hosts(150));
    set.requests();
    await set.refresh();
    expect(Object.keys(set.rules)).toHaveLength(150);
    expect(set.requests()).toEqual(['LIST', ...Array.from({ length: 150 }, () => 'GET')]);
    expect(set.warnings).toEqual([
      'The list does not show 150 rules that should be live: each is asked for by its id, which takes 2 min at 120 requests a ' +
        'minute',
    ]);
  });
});

test('get: by the id of a policy names the older of two rules for one network first, and none of other policies', async () => {
  const set = await RuleSetDriver.start({ switches: { duplicateCidr: 'accepted' } });
  const { emulator } = set;
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
