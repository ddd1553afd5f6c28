import { type HostProcess, type Scene, startScene } from '../support/host';
import { otherPolicyId, policyId } from '../support/ids';

// Reads of a refresh arrive at most four per CPU at a time.
const AT_ONCE = 8;

const requests = ({ emulator }: Scene): number => emulator.journal.length;
const lists = ({ emulator }: Scene): number => emulator.counts['GET /ip_policy_rules'] ?? 0;
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

/** Reads rules as a refresh does; answers the ids that were found. */
async function refresh(host: HostProcess, ids: readonly string[]): Promise<string[]> {
  const rules = host.provider('IpPolicyRule');
  const found: string[] = [];
  const queue = [...ids];
  const worker = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const answer = await rules.read(id, {});
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

test('the order in which the rules are asked for makes no difference', async () => {
  const scene = await startScene();
  const ids = seed(scene, 1000).reverse();
  await refresh(scene.newProcess(), ids);
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

test('a write of the same process ends the list: what it changed is read anew', async () => {
  const scene = await startScene();
  const ids = seed(scene, 20);
  const host = scene.newProcess();
  await refresh(host, ids);
  const rules = host.provider('IpPolicyRule');
  const [first = ''] = ids;
  const before = await rules.read(first, {});
  await rules.update(first, before.props, { ...before.inputs, description: 'changed' });
  expect((await rules.read(first, {})).props).toMatchObject({ description: 'changed' });
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

test('sets and single rules of one refresh read the list once', async () => {
  const scene = await startScene();
  const ids = seed(scene, 500);
  const host = scene.newProcess();
  const sets = host.provider('IpPolicyRuleSet');
  await Promise.all([sets.read(policyId, {}), sets.read(otherPolicyId, {}), refresh(host, ids.slice(0, 50))]);
  expect(lists(scene)).toBe(5);
});
