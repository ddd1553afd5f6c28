// The clock of the machine is set while a run is under way: by an administrator, or a time service after a sleep.
import { startScene } from '../../support/host';
import { policyId } from '../../support/ids';

const RULES = '/ip_policy_rules';
const HOUR_MS = 3_600_000;
const ruleFor = (cidr: string) => ({ cidr, action: 'allow', ipPolicyId: policyId });

test('create: the clock set back stops no request', async () => {
  const scene = await startScene();
  const { clock, emulator } = scene;
  const rules = scene.newProcess().provider('IpPolicyRule');
  await rules.create(ruleFor('10.0.0.0/8'));
  clock.set(-HOUR_MS);
  const startedAt = clock.monotonicMs();
  await rules.create(ruleFor('192.0.2.0/24'));
  expect(clock.monotonicMs()).toBe(startedAt);
  expect(emulator.state().rules).toHaveLength(2);
});

test.each([-HOUR_MS, HOUR_MS])('create: the clock set by %i ms ends no operation that waits', async (ms) => {
  const scene = await startScene();
  const { clock, emulator } = scene;
  const rules = scene.newProcess().provider('IpPolicyRule');
  emulator.fault({ path: RULES, kind: 'status', status: 429, headers: { 'retry-after': '60' } });
  void clock.sleep(1_000).then(() => {
    clock.set(ms);
  });
  await rules.create(ruleFor('10.0.0.0/8'));
  expect(clock.monotonicMs()).toBe(60_000);
});

test('create: the rule of a lost answer is found though the clock is set meanwhile', async () => {
  const scene = await startScene();
  const { clock, emulator } = scene;
  const rules = scene.newProcess().provider('IpPolicyRule');
  emulator.setSwitches({ listLagMs: 3_000, duplicateCidr: 'accepted' });
  emulator.fault({ method: 'POST', path: RULES, kind: 'reset', when: 'after' });
  void clock.sleep(500).then(() => {
    clock.set(HOUR_MS);
  });
  const { id } = await rules.create(ruleFor('10.0.0.0/8'));
  expect(emulator.state().rules.map((rule) => rule.id)).toEqual([id]);
});
