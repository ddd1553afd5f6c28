import { accountRulesOf } from '../../../provider/src/run/account-rules';
import { eventually } from '../../support/eventually';
import { type HostProcess, type Scene, startScene } from '../../support/host';
import { otherPolicyId, policyId } from '../../support/ids';

// Reads of a refresh arrive at most four per CPU at a time.
const AT_ONCE = 8;

const requests = ({ emulator }: Scene): number => emulator.journal.length;
const lists = ({ emulator }: Scene): number => emulator.counts['GET /ip_policy_rules'] ?? 0;
const posts = ({ emulator }: Scene): number => emulator.counts['POST /ip_policy_rules'] ?? 0;
const gets = ({ emulator }: Scene): number => emulator.counts['GET /ip_policy_rules/{id}'] ?? 0;

/** Puts rules into the account, oldest first, and answers their ids. */
const seed = ({ emulator }: Scene, count: number, ipPolicyId = policyId): string[] =>
  emulator
    .seed({
      rules: Array.from({ length: count }, (_, index) => ({
        cidr: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}/32`,
        ip_policy_id: ipPolicyId,
        action: 'allow' as const,
      })),
    })
    .map(({ id }) => id);

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

test('a refresh of one to three rules is one request each', async () => {
  for (const count of [1, 2, 3]) {
    const scene = await startScene();
    const ids = seed(scene, count);
    expect(await refresh(scene.newProcess(), ids)).toEqual([...ids].sort());
    expect([gets(scene), lists(scene)]).toEqual([count, 0]);
  }
});

test('a refresh of all rules of an account is a request per page, and three', async () => {
  const scene = await startScene();
  const ids = seed(scene, 1000);
  expect(await refresh(scene.newProcess(), ids)).toEqual([...ids].sort());
  expect(lists(scene)).toBe(10);
  expect(requests(scene)).toBeLessThanOrEqual(13);
});

test.each([4, 9, 30, 100])(
  '%i rules of an account with far more take at most two requests per rule',
  async (count) => {
    const scene = await startScene();
    const ids = seed(scene, count);
    seed(scene, 5000, otherPolicyId);
    expect(await refresh(scene.newProcess(), ids)).toEqual([...ids].sort());
    expect(requests(scene)).toBeLessThanOrEqual(2 * count);
  },
);

test('rules that are spread over a long list still take far fewer requests than one each', async () => {
  const scene = await startScene();
  const ids = Array.from({ length: 500 }, (_, index) => [
    ...seed(scene, 1, index % 2 === 0 ? policyId : otherPolicyId),
    seed(scene, 9, otherPolicyId),
  ]).map(([id]) => id as string);
  await refresh(scene.newProcess(), ids);
  expect(lists(scene)).toBeLessThanOrEqual(50);
  expect(requests(scene)).toBeLessThan(150);
});

test('pages that hold nothing more of what is asked for are not read', async () => {
  const scene = await startScene();
  seed(scene, 200, otherPolicyId);
  const newest = seed(scene, 20);
  expect(await refresh(scene.newProcess(), newest)).toEqual([...newest].sort());
  expect(lists(scene)).toBe(1);
});

test('a rule that is missing from the list is asked for before it counts as gone', async () => {
  const scene = await startScene();
  const ids = seed(scene, 20);
  const gone = ids.splice(7, 1)[0] ?? '';
  scene.emulator.remote.deleteRule(gone);
  scene.emulator.setSwitches({ listLagMs: 10_000 });
  const late = seed(scene, 1, otherPolicyId);
  expect(await refresh(scene.newProcess(), [...ids, gone, ...late])).toEqual([...ids, ...late].sort());
});

test('where the list cannot be read, each rule is asked for', async () => {
  const scene = await startScene();
  const ids = seed(scene, 12);
  scene.emulator.fault({
    method: 'GET',
    path: '/ip_policy_rules',
    kind: 'status',
    status: 403,
    times: 'always',
  });
  expect(await refresh(scene.newProcess(), ids)).toEqual([...ids].sort());
  expect([gets(scene), lists(scene)]).toEqual([12, 1]);
});

test('a list that could not be read to its end is read anew for a set, and believed in nothing else', async () => {
  const scene = await startScene();
  const ids = seed(scene, 150);
  const fails = { method: 'GET', path: '/ip_policy_rules', nth: 2, kind: 'status', status: 403 } as const;
  scene.emulator.fault(fails);
  const host = scene.newProcess();
  const set = await host.provider('IpPolicyRuleSet').read(policyId, {});
  expect(String(set.props['ruleIdList']).trim().split(/\s+/)).toHaveLength(150);
  expect(lists(scene)).toBe(4);
  // From here on each rule is asked for, and the whole list where it is needed, however old the part of it is.
  scene.clock.pass(121_000);
  expect(await refresh(host, ids.slice(0, 12))).toHaveLength(12);
  await host.provider('IpPolicyRuleSet').read(policyId, {});
  expect([gets(scene), lists(scene)]).toEqual([12, 6]);
});

describe('writes of the same process', () => {
  test('are seen by reads that come after them, without another list', async () => {
    const scene = await startScene();
    const ids = seed(scene, 20);
    const host = scene.newProcess();
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
    const scene = await startScene();
    const ids = seed(scene, 20);
    const host = scene.newProcess();
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

  test('that overtake the reading of the whole list are part of it, and it is read once', async () => {
    const scene = await startScene();
    const ids = seed(scene, 300);
    const host = scene.newProcess();
    const rules = host.provider('IpPolicyRule');
    // The newest one is on the page that will have been read, the oldest on one that will not, and another on the one under way.
    const [oldest, newest] = [await rules.read(ids[0] ?? '', {}), await rules.read(ids.at(-1) ?? '', {})];
    const between = await rules.read(ids[150] ?? '', {});
    const hold = scene.emulator.hold({ method: 'GET', path: '/ip_policy_rules', nth: 2, when: 'after' });
    const set = host.provider('IpPolicyRuleSet').read(policyId, {});
    await hold.reached;
    await rules.delete(newest.id, newest.props);
    await rules.delete(oldest.id, oldest.props);
    await rules.delete(between.id, between.props);
    const added = { cidr: '192.0.2.0/24', action: 'deny', ipPolicyId: policyId };
    await rules.create(added);
    hold.release();
    const { rules: text } = (await set).props;
    expect(text).toContain('192.0.2.0/24');
    expect(text).not.toContain('10.0.0.0/32');
    expect(text).not.toContain('10.0.0.150/32');
    expect(text).not.toContain('10.0.1.43/32');
    expect(text).toContain('10.0.1.42/32');
    // The three reads before it are by id; what the writes were answered with needs no request.
    expect([gets(scene), lists(scene)]).toEqual([3, 3]);
    const { rules: whole } = await accountRulesOf(host.client).whole(host.client.startOperation());
    expect([whole.size, whole.has(oldest.id), whole.has(newest.id)]).toEqual([298, false, false]);
  });

  test('do not hold up the reading of the whole list: beside 3,000 creates it is read once', async () => {
    const scene = await startScene();
    seed(scene, 1000);
    const host = scene.newProcess();
    const sets = host.provider('IpPolicyRuleSet');
    const declared = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [
        `172.16.${index >> 8}.${index & 255}/32`,
        { action: 'allow' },
      ]),
    );
    const rules = JSON.stringify(declared);
    const { inputs } = await sets.check({}, { ipPolicyId: otherPolicyId, rules });
    const created = sets.create(inputs);
    await eventually('creates are under way', () => (posts(scene) > 100 ? true : undefined), 20_000);
    await sets.read(policyId, {});
    expect(posts(scene)).toBeLessThan(3000);
    expect(lists(scene)).toBeLessThanOrEqual(41);
    await created;
  });
});

describe('a refresh that takes longer than one operation has', () => {
  test('ends well where rules are gone, in sets and by themselves', async () => {
    const scene = await startScene();
    const ids = seed(scene, 780);
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

  test('and bulk work on the whole list do not run out of time', async () => {
    const scene = await startScene();
    seed(scene, 780);
    scene.emulator.setSwitches({ pageSize: 1, rateLimit: 120 });
    const { client } = scene.newProcess();
    const startedAt = scene.clock.epochMs();
    let count = 0;
    for await (const page of client.listIpPolicyRules(client.startBulkWork())) count += page.rules.length;
    expect(count).toBe(780);
    expect(scene.clock.epochMs() - startedAt).toBeGreaterThan(320_000);
  });
});

test('a list is believed for two minutes after its latest page', async () => {
  const scene = await startScene();
  const ids = seed(scene, 20);
  const host = scene.newProcess();
  await refresh(host, ids);
  const [first = ''] = ids;
  scene.emulator.remote.updateRule(first, { description: 'changed' });
  const rules = host.provider('IpPolicyRule');
  expect((await rules.read(first, {})).props).not.toHaveProperty('description');
  scene.clock.pass(121_000);
  expect((await rules.read(first, {})).props).toMatchObject({ description: 'changed' });
});

describe('a set that reads the whole list', () => {
  test('spares the single rules beside it their requests, however few they are', async () => {
    const scene = await startScene();
    const ids = seed(scene, 150);
    const host = scene.newProcess();
    const hold = scene.emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'before' });
    const set = host.provider('IpPolicyRuleSet').read(policyId, {});
    await hold.reached;
    const single = refresh(host, ids.slice(0, 2));
    hold.release();
    expect([await single, (await set).id]).toEqual([
      ids.slice(0, 2).sort(),
      expect.stringContaining(policyId),
    ]);
    expect([gets(scene), lists(scene)]).toEqual([0, 2]);
  });

  test('makes no single rule read it again later', async () => {
    const scene = await startScene();
    const [id = ''] = seed(scene, 150);
    const host = scene.newProcess();
    await host.provider('IpPolicyRuleSet').read(policyId, {});
    scene.clock.pass(121_000);
    expect(await refresh(host, [id])).toEqual([id]);
    expect([gets(scene), lists(scene)]).toEqual([1, 2]);
  });
});

test('sets and single rules of one refresh read the list once', async () => {
  const scene = await startScene();
  const ids = seed(scene, 500);
  const host = scene.newProcess();
  const sets = host.provider('IpPolicyRuleSet');
  await Promise.all([sets.read(policyId, {}), sets.read(otherPolicyId, {}), refresh(host, ids.slice(0, 50))]);
  expect(lists(scene)).toBe(5);
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
  expect(posts(scene)).toBe(1);
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
    expect((await first).rules.size).toBe(1);
    expect((await later).map(({ rules }) => rules.size)).toEqual([2, 2, 2]);
    expect(lists(scene)).toBe(2);
  });

  test('fails for those alone that wait for it', async () => {
    const scene = await startScene();
    const { client } = scene.newProcess();
    const anew = () => accountRulesOf(client).anew(client.startOperation());
    scene.emulator.fault({ ...hold, kind: 'status', status: 403 });
    await expect(anew()).rejects.toMatchObject({ status: 403 });
    expect((await anew()).rules.size).toBe(0);
  });
});
