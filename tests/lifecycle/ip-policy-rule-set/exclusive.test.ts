import { otherPolicyId, policyId } from '../../support/ids';
import { type Declared, hosts, RuleSetDriver } from './driver';

const office: Declared = { cidr: '10.0.0.0/8', action: 'allow', description: 'office' };
const foreign = { cidr: '203.0.113.0/24', action: 'deny' as const, ip_policy_id: policyId };
const exclusive = { exclusive: true };

test('create: an empty policy is filled after one look', async () => {
  const set = await RuleSetDriver.start();
  set.emulator.seed({ rules: [{ ...foreign, ip_policy_id: otherPolicyId }] });
  await set.up([office], exclusive);
  expect(set.requests()).toEqual(['LIST', 'POST']);
});

test('create: over rules of others fails, names the first twenty, counts the rest, says what to do, and changes nothing', async () => {
  const set = await RuleSetDriver.start();
  const rules = hosts(25).map((rule) => ({ ...rule, ip_policy_id: policyId }));
  set.emulator.seed({ rules });
  const failure = String(await set.up([office], exclusive).catch(String));
  expect(failure).toContain(`${policyId} already holds 25 rules`);
  expect(failure.match(/ipr_\w+ \(allow [0-9./]+\)(, | and 5 more\.)/g)).toHaveLength(20);
  expect(failure).toContain('Declare the ones to keep in the set, then set overwriteExisting: true');
  expect(failure).not.toContain('import');
  expect(set.requests()).toEqual(['LIST', 'LIST']);
  expect(set.kept).toBeUndefined();
});

test('create: terminal sequences of rules that are there do not reach the message', async () => {
  const set = await RuleSetDriver.start();
  set.emulator.seed({ rules: [{ ...foreign, cidr: '\u001b[2J\u009b31m' }] });
  const failure = await set.up([office], exclusive).catch((error: unknown) => String(error));
  expect(failure).toContain('not a network');
  // eslint-disable-next-line no-control-regex -- what must not be there
  expect(failure).not.toMatch(/[\u001b\u009b]/);
});

test('create: with overwriteExisting the policy is made equal to the declaration', async () => {
  const set = await RuleSetDriver.start();
  set.emulator.seed({
    rules: [
      foreign,
      { cidr: '10.0.0.0/8', action: 'allow', description: 'office', ip_policy_id: policyId },
      { cidr: '198.51.100.0/24', action: 'allow', ip_policy_id: policyId },
    ],
  });
  await set.up([office, { cidr: '192.0.2.0/24', action: 'allow' }], {
    ...exclusive,
    overwriteExisting: true,
  });
  expect(set.requests()).toEqual(['LIST', 'GET', 'GET', 'GET', 'POST', 'DELETE', 'DELETE']);
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8', 'allow 192.0.2.0/24']);
});

test('refresh: rules of others show up, and the next up removes them', async () => {
  const set = await RuleSetDriver.applied([office], exclusive);
  set.emulator.seed({ rules: [foreign] });
  await set.refresh();
  expect(Object.keys(set.rules)).toEqual(['10.0.0.0/8', '203.0.113.0/24']);
  set.requests();
  await set.up([office], exclusive);
  expect(set.requests()).toEqual(['DELETE']);
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8']);
});

test('update: a set that becomes exclusive looks first, and fails over rules of others', async () => {
  const set = await RuleSetDriver.start();
  const [rule] = set.emulator.seed({ rules: [foreign] });
  await set.up([office]);
  await expect(set.up([office], exclusive)).rejects.toThrow(rule?.id);
  expect(set.live).toHaveLength(2);
  await set.up([office], { ...exclusive, overwriteExisting: true });
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8']);
});
