// A rule of others that the list shows in a form of its own.
import { declaredRule, declaredSet } from '../../support/declarations';
import { type Bag, type Scene, startScene } from '../../support/host';
import { otherPolicyId, policyId } from '../../support/ids';
import { type Declaration, done, StandInEngine } from '../../support/stand-in-engine';

const single = declaredRule('rule');

const set = (options: Bag = {}): Declaration =>
  declaredSet('set', [{ cidr: '10.0.0.0/8', action: 'allow' }], options);

const foreign = (scene: Scene, id: string, ip_policy_id: string): void => {
  scene.emulator.remote.createRule({ id, cidr: '198.51.100.0/24', action: 'allow', ip_policy_id });
};

const newEngine = (scene: Scene): StandInEngine => new StandInEngine(() => scene.newProcess());

const failuresOf = async (work: Promise<{ errors: readonly Error[] }>): Promise<string> =>
  (await work).errors.map(String).join();

const overwrite = { overwriteExisting: true };

test.each([
  ['of any form in the same policy', 'ipr_a.b~c', policyId],
  ['that is none, in another policy', 'ipr_a/b', otherPolicyId],
])('an id %s disturbs no step', async (_, id, ofPolicy) => {
  const scene = await startScene();
  foreign(scene, id, ofPolicy);
  const engine = newEngine(scene);
  scene.emulator.fault({ method: 'POST', kind: 'reset', when: 'after' });
  await done(engine.up([single, set(overwrite)]));
  await done(engine.refresh());
  expect(await engine.preview([single, set(overwrite)])).toEqual({ steps: [], errors: [] });
  await done(engine.destroy());
  expect(scene.emulator.state().rules.map((rule) => rule.id)).toEqual([id]);
});

describe.each([
  ['in the same policy', 'ipr_a/b', policyId],
  ['in a policy that cannot be read, either', 'ipr_c', 'ipp_/'],
])('an id that is none, %s,', (_, id, ofPolicy) => {
  test('disturbs no refresh of what the state names', async () => {
    const scene = await startScene();
    const engine = newEngine(scene);
    await done(engine.up([single, set()]));
    foreign(scene, id, ofPolicy);
    await done(engine.refresh());
    expect(engine.state).toHaveLength(2);
  });

  test('leaves undecided what a policy holds: a take-over, an exclusive set, a lost create', async () => {
    const scene = await startScene();
    const exclusive = newEngine(scene);
    await done(exclusive.up([set({ exclusive: true })]));
    foreign(scene, id, ofPolicy);
    const problem = /body\.ip_policy_rules\[0\]\.(ip_policy\.)?id must be an identifier/;
    expect(await failuresOf(exclusive.refresh())).toMatch(problem);
    expect(await failuresOf(newEngine(scene).up([declaredRule('rule', overwrite)]))).toMatch(problem);
    scene.emulator.fault({ method: 'POST', kind: 'reset' });
    const lost = await failuresOf(newEngine(scene).up([single]));
    expect(lost).toMatch(problem);
    expect(lost).toContain('may exist');
    expect(scene.emulator.state().rules.map(({ cidr }) => cidr)).toEqual(['10.0.0.0/8', '198.51.100.0/24']);
  });
});

test('a row of the state’s own that cannot be read stops its own refresh alone', async () => {
  const scene = await startScene();
  const engine = newEngine(scene);
  await done(engine.up([single, set()]));
  const [rule] = scene.emulator.state().rules.filter(({ action }) => action === 'deny');
  scene.emulator.remote.updateRule(rule?.id ?? '', { action: 'block' as 'deny' });
  const { errors } = await engine.refresh();
  expect(errors.map(String)).toEqual([expect.stringContaining('body.action must be one of allow, deny')]);
  expect(engine.state).toHaveLength(2);
});
