// Lists that show what was deleted, or lack what is live because others delete while their pages are read.
import { declaredRule, declaredSet } from '../../support/declarations';
import { type Bag, type Scene, startScene } from '../../support/host';
import { otherPolicyId, policyId } from '../../support/ids';
import { type Declaration, done, StandInEngine } from '../../support/stand-in-engine';
import { hosts } from '../ip-policy-rule-set/driver';

const setOf = (name: string, count: number, options: Bag): Declaration =>
  declaredSet(name, hosts(count, 'deny'), options);

const liveIds = ({ emulator }: Scene): string[] =>
  emulator
    .state()
    .rules.filter(({ ip_policy: policy }) => policy.id === policyId)
    .map(({ id }) => id)
    .sort();

/** The ids of all rules in the state. */
const heldIds = (engine: StandInEngine): string[] =>
  engine.state
    .flatMap(({ id, outputs: { ruleIdList } }) =>
      typeof ruleIdList === 'string' ? ruleIdList.split('\n') : id,
    )
    .filter((id) => id !== '')
    .sort();

const newEngine = (scene: Scene): StandInEngine => new StandInEngine(() => scene.newProcess());

describe('a list that shows deleted rules for 8 s', () => {
  const taken = { overwriteExisting: true };
  const whole = { overwriteExisting: true, exclusive: true };

  test.each<[string, Declaration[], number]>([
    ['single rules', [declaredRule('one', taken), declaredRule('two', { ...taken, cidr: '10.0.0.0/8' })], 2],
    ['a set of 3 rules', [setOf('set', 3, taken)], 3],
    ['an exclusive set of 3 rules', [setOf('set', 3, whole)], 3],
    ['a set of 25 rules', [setOf('set', 25, taken)], 25],
  ])('%s, destroyed and applied again: what is gone is not taken over', async (_, program, count) => {
    const scene = await startScene({ switches: { deletedListedMs: 8_000 } });
    const engine = newEngine(scene);
    await done(engine.up(program));
    await done(engine.destroy());
    await done(engine.up(program));
    expect(liveIds(scene)).toHaveLength(count);
    expect(heldIds(engine)).toEqual(liveIds(scene));
  });

  test('a take-over of 25 rules, of which 5 are gone, takes the 20 and creates the 5', async () => {
    const scene = await startScene({ switches: { deletedListedMs: 8_000 } });
    const first = newEngine(scene);
    await done(first.up([setOf('set', 25, {})]));
    const before = liveIds(scene);
    for (const id of before.slice(0, 5)) scene.emulator.remote.deleteRule(id);
    scene.emulator.clearJournal();
    const second = newEngine(scene);
    await done(second.up([setOf('set', 25, taken)]));
    expect(heldIds(second)).toEqual(liveIds(scene));
    expect(liveIds(scene)).toEqual(expect.arrayContaining(before.slice(5)));
    // Two lists, a request by its id for each that the second one lacks, and a create for each.
    expect(scene.emulator.counts).toEqual({
      'GET /ip_policy_rules': 2,
      'GET /ip_policy_rules/{id}': 5,
      'POST /ip_policy_rules': 5,
    });
  });

  test('a refresh of an exclusive set does not bring in what others have deleted', async () => {
    const scene = await startScene({ switches: { deletedListedMs: 8_000 } });
    const engine = newEngine(scene);
    await done(engine.up([setOf('set', 2, { exclusive: true })]));
    const { remote } = scene.emulator;
    const foreign = { cidr: '198.51.100.0/24', ip_policy_id: policyId, action: 'allow' } as const;
    remote.deleteRule(remote.createRule(foreign).id);
    await done(engine.refresh());
    expect(heldIds(engine)).toEqual(liveIds(scene));
  });

  test('a rule of a lost answer that others have deleted is created again, and not adopted', async () => {
    const scene = await startScene();
    const { emulator } = scene;
    emulator.setSwitches({ deletedListedMs: 8_000 });
    emulator.fault({ method: 'POST', kind: 'reset', when: 'after' });
    const hold = emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'before' });
    const engine = newEngine(scene);
    const up = engine.up([declaredRule('one')]);
    await hold.reached;
    expect(liveIds(scene)).toHaveLength(1);
    for (const id of liveIds(scene)) emulator.remote.deleteRule(id);
    hold.release();
    await done(up);
    expect(heldIds(engine)).toEqual(liveIds(scene));
    expect(liveIds(scene)).toHaveLength(1);
  });
});

test('a rule that others have deleted since this run read its list is not taken over: 404 without a body', async () => {
  const scene = await startScene();
  const { emulator } = scene;
  emulator.setSwitches({ missingRule: 'empty' });
  emulator.remote.createRule({ cidr: '192.0.2.0/24', ip_policy_id: policyId, action: 'deny' });
  scene.clock.pass(20_000);
  const hold = emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'after' });
  const engine = newEngine(scene);
  const up = engine.up([declaredRule('one', { overwriteExisting: true })]);
  await hold.reached;
  for (const id of liveIds(scene)) emulator.remote.deleteRule(id);
  hold.release();
  await done(up);
  expect(heldIds(engine)).toEqual(liveIds(scene));
});

test('a list whose pages begin at an offset, while others delete: a 404 that is not the service’s own makes no rule gone', async () => {
  const scene = await startScene();
  const { emulator } = scene;
  const engine = newEngine(scene);
  await done(engine.up([setOf('set', 400, {})]));
  const others = emulator.seed({
    rules: hosts(100, 'allow', 1_000).map((rule) => ({ ...rule, ip_policy_id: otherPolicyId })),
  });
  emulator.setSwitches({ listPages: 'offset' });
  // Whenever a page is answered, others delete 30 rules that have been listed.
  const cut = (page: unknown): unknown => {
    for (const { id } of others.splice(0, 30)) emulator.remote.deleteRule(id);
    return page;
  };
  emulator.fault({ method: 'GET', path: '/ip_policy_rules', kind: 'mutate', times: 'always', mutate: cut });
  scene.clock.pass(20_000);
  emulator.clearJournal();
  const page = { kind: 'status', status: 404, rawBody: '<html>' } as const;
  emulator.fault({ method: 'GET', path: '/ip_policy_rules/{id}', ...page });
  await engine.refresh();
  expect(heldIds(engine)).toEqual(liveIds(scene));
  // As many are cut as others delete before the pages that follow, and each of those is asked for, one of them twice.
  expect(emulator.counts).toEqual({ 'GET /ip_policy_rules': 5, 'GET /ip_policy_rules/{id}': 101 });
});
