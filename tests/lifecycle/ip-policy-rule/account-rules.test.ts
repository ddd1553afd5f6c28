import { accountRulesOf } from '../../../provider/src/presence/account-rules';
import { eventually } from '../../support/eventually';
import { type HostProcess, type Scene, startScene } from '../../support/host';
import { otherPolicyId, policyId } from '../../support/ids';
import { hosts } from '../ip-policy-rule-set/driver';

// Reads of a refresh arrive at most four per CPU at a time.
const AT_ONCE = 8;

const requests = ({ emulator }: Scene): number => emulator.journal.length;
const lists = ({ emulator }: Scene): number => emulator.counts['GET /ip_policy_rules'] ?? 0;
const gets = ({ emulator }: Scene): number => emulator.counts['GET /ip_policy_rules/{id}'] ?? 0;

/** Puts rules into the account, oldest first, and answers their ids. */
const seed = ({ emulator }: Scene, count: number, ip_policy_id = policyId): string[] =>
  emulator.seed({ rules: hosts(count).map((rule) => ({ ...rule, ip_policy_id })) }).map(({ id }) => id);

/** An account with so many rules, and a process of ours. */
async function start(count: number) {
  const scene = await startScene();
  return { scene, ids: seed(scene, count), host: scene.newProcess() };
}

/** What is needed of a state to let the service decide that a rule is gone. */
const stateOf = ({ key }: HostProcess) => ({ account: key.mark });

/** Reads rules as a refresh does; answers the ids that were found. */
async function refresh(host: HostProcess, ids: readonly string[]): Promise<string[]> {
  const rules = host.provider('IpPolicyRule');
  const found: string[] = [];
  const queue = [...ids];
  const worker = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const answer = await rules.read(id, stateOf(host));
      if (answer.id !== '') found.push(answer.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return found.sort();
}

test.each([
  [1, 1],
  [20, 20],
  // The list of the account has ten pages.
  [1000, 30],
])('a refresh of %i rules takes %i requests', async (count, most) => {
  const scene = await startScene();
  const ids = seed(scene, 1000).slice(0, count);
  expect(await refresh(scene.newProcess(), ids)).toEqual([...ids].sort());
  expect(requests(scene)).toBe(most);
});

test('a rule that is missing from the list is asked for before it counts as gone', async () => {
  const { scene, ids } = await start(40);
  const gone = ids.splice(7, 1)[0] ?? '';
  scene.emulator.remote.deleteRule(gone);
  scene.emulator.setSwitches({ listLagMs: 10_000 });
  const late = seed(scene, 1, otherPolicyId);
  expect(await refresh(scene.newProcess(), [...ids, gone, ...late])).toEqual([...ids, ...late].sort());
});

test('where the list cannot be read, each rule is asked for', async () => {
  const { scene, ids } = await start(30);
  const forbidden = { kind: 'status', status: 403, times: 'always' } as const;
  scene.emulator.fault({ method: 'GET', path: '/ip_policy_rules', ...forbidden });
  expect(await refresh(scene.newProcess(), ids)).toEqual([...ids].sort());
  expect([gets(scene), lists(scene)]).toEqual([30, 1]);
});

describe('writes of the same process', () => {
  test('are seen by reads that come after them, without another list', async () => {
    const { scene, ids, host } = await start(40);
    await refresh(host, ids);
    const listsBefore = lists(scene);
    const rules = host.provider('IpPolicyRule');
    const [changed = '', removed = '', left = ''] = ids;
    const before = await rules.read(changed, {});
    await rules.update(changed, before.props, { ...before.inputs, description: 'changed' });
    await rules.delete(removed, (await rules.read(removed, {})).props);
    expect((await rules.read(changed, {})).props).toMatchObject({ description: 'changed' });
    expect((await rules.read(removed, stateOf(host))).id).toBe('');
    expect((await rules.read(left, {})).id).toBe(left);
    expect(lists(scene)).toBe(listsBefore);
  });

  test('whose outcome is open leave the rule to be asked for', async () => {
    const { scene, ids, host } = await start(40);
    await refresh(host, ids);
    const [lost = ''] = ids;
    const patch = { method: 'PATCH', path: '/ip_policy_rules/{id}', when: 'after', times: 'always' } as const;
    scene.emulator.fault({ ...patch, kind: 'reset' });
    const { client } = host;
    const update = client.updateIpPolicyRule(
      { id: lost },
      { description: 'written' },
      client.startOperation(),
    );
    await expect(update).rejects.toMatchObject({ outcome: 'ambiguous' });
    expect((await host.provider('IpPolicyRule').read(lost, {})).props).toMatchObject({
      description: 'written',
    });
    expect((await host.provider('IpPolicyRuleSet').read(policyId, {})).props['rules']).toContain('written');
  });

  test('that overtake the reading of the list leave the rule to be asked for, too', async () => {
    const scene = await startScene();
    const [id = '', left = ''] = seed(scene, 3);
    scene.clock.pass(9_000);
    const host = scene.newProcess();
    const rules = host.provider('IpPolicyRule');
    const before = await rules.read(id, {});
    const hold = scene.emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'after' });
    const set = host.provider('IpPolicyRuleSet').read(policyId, {});
    await hold.reached;
    await rules.delete(id, before.props);
    const read = refresh(host, [id, left]);
    hold.release();
    expect([await read, (await set).id]).toEqual([[left], policyId]);
    // The look-up of the whole policy asks for each of its three rules.
    expect([gets(scene), lists(scene)]).toEqual([5, 1]);
  });
});

test('a refresh that takes longer than one operation has ends well where rules are gone, in sets and by themselves', async () => {
  const { scene, ids } = await start(780);
  const [single = '', ofSet = ''] = ids;
  const host = scene.newProcess();
  const set = await host.provider('IpPolicyRuleSet').read(policyId, {});
  scene.emulator.remote.deleteRule(single);
  scene.emulator.remote.deleteRule(ofSet);
  // One rule per page, two pages per second: more than six minutes, where an operation has five.
  scene.emulator.setSwitches({ pageSize: 1, rateLimit: 120 });
  scene.clock.pass(200_000);
  const startedAt = scene.clock.epochMs();
  const next = scene.newProcess();
  const [read, ...rules] = await Promise.all([
    next.provider('IpPolicyRuleSet').read(set.id, { ...set.props, exclusive: false }),
    ...ids.slice(0, 8).map((id) => next.provider('IpPolicyRule').read(id, stateOf(next))),
  ]);
  expect(scene.clock.epochMs() - startedAt).toBeGreaterThan(320_000);
  expect(rules.map(({ id }) => id)).toEqual(['', '', ...ids.slice(2, 8)]);
  expect(read.props['rules']).not.toMatch(/10\.0\.0\.1\/32/);
  expect(read.props['rules']).toMatch(/10\.0\.0\.2\/32/);
});

test('a list is believed for two minutes after its latest page', async () => {
  const { scene, ids, host } = await start(40);
  await refresh(host, ids);
  const [first = ''] = ids;
  scene.emulator.remote.updateRule(first, { description: 'changed' });
  const rules = host.provider('IpPolicyRule');
  expect((await rules.read(first, {})).props).not.toHaveProperty('description');
  scene.clock.pass(121_000);
  expect((await rules.read(first, {})).props).toMatchObject({ description: 'changed' });
});

test('a set that reads the whole list spares the single rules beside it their requests, however few they are', async () => {
  const { scene, ids, host } = await start(150);
  const hold = scene.emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'before' });
  const set = host.provider('IpPolicyRuleSet').read(policyId, {});
  await hold.reached;
  const single = refresh(host, ids.slice(0, 2));
  hold.release();
  expect([await single, (await set).id]).toEqual([ids.slice(0, 2).sort(), expect.stringContaining(policyId)]);
  // The look-up of the whole policy reads the list twice.
  expect([gets(scene), lists(scene)]).toEqual([0, 4]);
});

test('a look-up of a whole policy, which sees what a create beside it makes, does not make its answer another one', async () => {
  const scene = await startScene();
  const host = scene.newProcess();
  scene.emulator.fault({ method: 'POST', kind: 'drip', bytes: 20, intervalMs: 20 });
  const created = host
    .provider('IpPolicyRule')
    .create({ cidr: '192.0.2.0/24', action: 'allow', ipPolicyId: policyId });
  await eventually('the rule is there', () => (scene.emulator.state().rules.length === 1 ? true : undefined));
  await host.provider('IpPolicyRuleSet').read(policyId, {});
  const { id } = await created;
  expect(scene.emulator.state().rules.map((rule) => rule.id)).toEqual([id]);
  expect(scene.emulator.counts['POST /ip_policy_rules']).toBe(1);
});

describe('a list that must show what has just happened', () => {
  const hold = { method: 'GET', path: '/ip_policy_rules', when: 'after' } as const;

  test('begins after it is asked for, and serves all that ask while another one is read', async () => {
    const scene = await startScene();
    seed(scene, 1);
    const { client } = scene.newProcess();
    const anew = () => accountRulesOf(client).anew(client.startOperation());
    const held = scene.emulator.hold(hold);
    const first = anew();
    await held.reached;
    seed(scene, 1, otherPolicyId);
    const later = Promise.all([anew(), anew(), anew()]);
    held.release();
    expect((await first).size).toBe(1);
    expect((await later).map(({ size }) => size)).toEqual([2, 2, 2]);
    expect(lists(scene)).toBe(2);
  });

  test('fails for those alone that wait for it', async () => {
    const scene = await startScene();
    const { client } = scene.newProcess();
    const anew = () => accountRulesOf(client).anew(client.startOperation());
    scene.emulator.fault({ ...hold, kind: 'status', status: 403 });
    await expect(anew()).rejects.toMatchObject({ status: 403 });
    expect((await anew()).size).toBe(0);
  });
});
