import { startScene } from '../../support/host';
import { policyId } from '../../support/ids';
import { testedHost } from '../../support/tested-host';
import { type Declared, RuleSetDriver } from './driver';

// The clock of these tests begins with the year 2030.
const office: Declared = { cidr: '10.0.0.0/8', action: 'allow', description: 'office' };
const vendor: Declared = {
  cidr: '198.51.100.7/32',
  action: 'allow',
  description: 'Vendor X',
  until: '2030-01-10',
};
const DAY_MS = 24 * 60 * 60 * 1000;

const lines = (set: RuleSetDriver): string[] =>
  String(set.kept?.outs['rules']).replace('@rules\n', '').split('\n').slice(0, -1);

test('update: a rule that has ended leaves the inputs of the set, and the next up deletes it; with the clock set back it is there again', async () => {
  const set = await RuleSetDriver.applied([office, vendor]);
  set.requests();
  set.scene.clock.set(10 * DAY_MS - 1);
  expect(await set.up([office, vendor])).toBe(false);
  set.scene.clock.set(1);
  const { rules } = await set.check([office, vendor]);
  expect(rules).toBe(
    "@rules\n10.0.0.0/8: allow 'office'\nended 198.51.100.7/32: allow 'Vendor X' until 2030-01-10\n",
  );
  expect(await set.up([office, vendor])).toBe(true);
  expect(set.requests()).toEqual(['DELETE']);
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8']);
  expect(await set.up([office, vendor])).toBe(false);
  set.scene.clock.set(-DAY_MS);
  expect(await set.up([office, vendor])).toBe(true);
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8', 'allow 198.51.100.7/32']);
});

const past = { ...vendor, until: '2029-12-31' };
// The engine tells only the plugin which resource it checks.
const subject = testedHost === 'native' ? '' : `IpPolicyRuleSet of ${policyId}: `;
const LEFT_OUT = `${subject}rules: 1 rule is never sent, as its until has already passed: allow 198.51.100.7/32 until 2029-12-31. `;

test('create: a rule that has ended before the set exists is never made, and a warning counts it once', async () => {
  const set = await RuleSetDriver.applied([office, past]);
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8']);
  expect(set.warnings).toEqual([expect.stringContaining(LEFT_OUT)]);
  expect(lines(set)).toEqual([
    "10.0.0.0/8: allow 'office'",
    "left out 198.51.100.7/32: allow 'Vendor X' until 2029-12-31",
  ]);
  expect(await set.up([office, past])).toBe(false);
  expect(set.warnings).toEqual([]);
  await set.refresh();
  expect(await set.up([office, past])).toBe(false);
  expect(set.warnings).toEqual([]);
});

test('update: a new rule, or one whose end is moved to the past, is left out with a warning', async () => {
  const set = await RuleSetDriver.applied({ '10.0.0.0/8': { action: 'allow' }, '198.51.100.7': ending });
  await set.up({ '10.0.0.0/8': { action: 'allow' }, '198.51.100.7': { ...ending, until: past.until } });
  expect(set.warnings).toEqual([expect.stringContaining(LEFT_OUT)]);
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8']);
  await set.up({ '10.0.0.0/8': { action: 'allow' } });
  await set.up({ '10.0.0.0/8': { action: 'allow' }, '198.51.100.7': { ...ending, until: '2030-02-01' } });
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8', 'allow 198.51.100.7/32']);
});

const { cidr: _cidr, ...ending } = vendor;

test('a rule that lived and ended stays quiet, run after run and after a refresh, and may leave the program', async () => {
  const set = await RuleSetDriver.applied([office, vendor]);
  set.scene.clock.set(30 * DAY_MS);
  await set.up([office, vendor]);
  expect(set.warnings).not.toContainEqual(expect.stringContaining('has already passed'));
  for (const step of [() => set.up([office, vendor]), () => set.refresh(), () => set.up([office, vendor])]) {
    await step();
    expect(set.warnings).not.toContainEqual(expect.stringContaining('has already passed'));
  }
  set.requests();
  expect(await set.up([office])).toBe(false);
  expect(set.requests()).toEqual([]);
});

test('a clock that is more than a minute from the one of the service is warned of, if a rule of the set ends', async () => {
  const HOUR_MS = 60 * 60 * 1000;
  const warned = async (skewMs: number, ...rules: Declared[]) => {
    const set = await RuleSetDriver.start({ skewMs });
    await set.up(rules);
    return [...set.warnings];
  };
  const said = (words: string) => [
    expect.stringContaining(`The clock of this machine is 60 min ${words}`) as string,
  ];
  expect(await warned(-HOUR_MS, office, vendor)).toEqual(
    said("ahead of the service's. Rules with until end"),
  );
  expect(await warned(HOUR_MS, office, vendor)).toEqual(said("behind the service's"));
  expect(await warned(-59_000, office, vendor)).toEqual([]);
  expect(await warned(-HOUR_MS, office)).toEqual([]);
  // The `up` after an end, and one that changes nothing.
  const set = await RuleSetDriver.start({ skewMs: -HOUR_MS });
  await set.up([office, vendor]);
  expect(await set.up([office, vendor])).toBe(false);
  expect(set.warnings).toEqual([]);
  set.scene.clock.set(10 * DAY_MS);
  await set.up([office, vendor]);
  expect(set.warnings.join()).toMatch(/The clock of this machine is \d+ min ahead/);
});

test('update: another end is a changed line and no request', async () => {
  const set = await RuleSetDriver.applied([office, vendor]);
  set.requests();
  expect(await set.up([office, { ...vendor, until: '2030-02-01T12:00:00+01:00' }])).toBe(true);
  expect(set.rules['198.51.100.7/32']?.until).toBe('2030-02-01T11:00:00Z');
  const { until: _until, ...forEver } = vendor;
  expect(await set.up([office, forEver])).toBe(true);
  expect(set.rules['198.51.100.7/32']).not.toHaveProperty('until');
  expect(set.requests()).toEqual([]);
});

test('read: the end of a rule stays, also where its description was edited, and not that of another network', async () => {
  const second = { ...vendor, cidr: '203.0.113.5/32' };
  const set = await RuleSetDriver.applied([office, vendor, second]);
  await set.refresh();
  expect(await set.up([office, vendor, second])).toBe(false);
  const { remote } = set.emulator;
  remote.updateRule(set.ids['198.51.100.7/32'] ?? '', { description: 'by hand' });
  remote.updateRule(set.ids['203.0.113.5/32'] ?? '', { cidr: '192.0.2.5/32' });
  await set.refresh();
  expect(lines(set)).toEqual([
    "10.0.0.0/8: allow 'office'",
    "192.0.2.5/32: allow 'Vendor X'",
    "198.51.100.7/32: allow 'by hand' until 2030-01-10",
  ]);
  await set.up([office, vendor, second]);
  expect(lines(set)).toEqual([
    "10.0.0.0/8: allow 'office'",
    "198.51.100.7/32: allow 'Vendor X' until 2030-01-10",
    "203.0.113.5/32: allow 'Vendor X' until 2030-01-10",
  ]);
});

test('update: a rule that could not be deleted at its end is in state with its end, and goes with the next up', async () => {
  const set = await RuleSetDriver.applied([office, vendor]);
  set.scene.clock.set(30 * DAY_MS);
  set.emulator.fault({ method: 'DELETE', path: '/ip_policy_rules/{id}', kind: 'status', status: 403 });
  await expect(set.up([office, vendor])).rejects.toThrow('does not match its declaration yet');
  expect(lines(set)).toContain("198.51.100.7/32: allow 'Vendor X' until 2030-01-10");
  await set.up([office, vendor]);
  expect(set.liveNames).toEqual(['allow 10.0.0.0/8']);
});

test('update: a rule that could not be flipped keeps the end that it had', async () => {
  const { until: _until, ...forEver } = vendor;
  const set = await RuleSetDriver.applied([forEver]);
  set.emulator.fault({ method: 'DELETE', path: '/ip_policy_rules/{id}', kind: 'status', status: 403 });
  await expect(set.up([{ ...vendor, action: 'deny' }])).rejects.toThrow('does not match its declaration yet');
  expect(lines(set)).toEqual(["198.51.100.7/32: allow 'Vendor X'"]);
});

test('check: a process reads its clock once: a rule that ends while it runs stays until the next run', async () => {
  const scene = await startScene();
  const sets = scene.newProcess().provider('IpPolicyRuleSet');
  scene.clock.set(30 * DAY_MS);
  const news = { ipPolicyId: 'ipp_1', rules: JSON.stringify([vendor]) };
  expect((await sets.check({}, news)).inputs['rules']).toContain('until 2030-01-10');
  const later = scene.newProcess().provider('IpPolicyRuleSet');
  expect((await later.check({}, news)).inputs['rules']).toBe(
    "@rules\nleft out 198.51.100.7/32: allow 'Vendor X' until 2030-01-10\n",
  );
});

test('the list of a rule is in its line and in state, survives a refresh, and is in no request', async () => {
  const set = await RuleSetDriver.applied([{ ...vendor, list: 'exceptions' }]);
  const line = "198.51.100.7/32: allow 'Vendor X' until 2030-01-10 list exceptions";
  expect(lines(set)).toEqual([line]);
  expect(JSON.stringify(set.emulator.journal)).not.toContain('exceptions');
  await set.refresh();
  expect(lines(set)).toEqual([line]);
  expect(await set.up([{ ...vendor, list: 'exceptions' }])).toBe(false);
  set.requests();
  expect(await set.up([{ ...vendor, list: 'vendors' }])).toBe(true);
  expect(set.requests()).toEqual([]);
  expect(lines(set)).toEqual([line.replace('exceptions', 'vendors')]);
});
