// A service on which a PATCH clears the texts that it does not name.
import { declaredRule, declaredSet } from '../../support/declarations';
import { type Bag, startScene } from '../../support/host';
import { type Declaration, done, StandInEngine } from '../../support/stand-in-engine';

const single = (fields: Bag): Declaration => declaredRule('rule', fields);

const setOf = (fields: Bag): Declaration =>
  declaredSet('set', [{ cidr: '192.0.2.0/24', action: 'deny', ...fields }]);

const start = async (declared: Declaration) => {
  const scene = await startScene({ switches: { partialPatch: 'cleared' } });
  const engine = new StandInEngine(() => scene.newProcess());
  await done(engine.up([declared]));
  return { scene, engine };
};

const texts = { description: 'Office', metadata: 'ticket 1' };

test.each<[string, typeof single, before: Bag, change: Bag, patches: number]>([
  ['a network of a rule', single, texts, { cidr: '198.51.100.0/24' }, 2],
  ['one text of a rule', single, texts, { metadata: 'x' }, 2],
  ['one text of a rule of a set', setOf, texts, { metadata: 'x' }, 2],
  ['the only text of a rule', single, { metadata: 'a' }, { metadata: 'b' }, 1],
])('a change of %s ends as declared', async (_, of, before, change, patches) => {
  const { scene, engine } = await start(of(before));
  const after = of({ ...before, ...change });
  await done(engine.up([after]));
  expect(scene.emulator.state().rules).toMatchObject([{ ...before, ...change }]);
  expect(scene.emulator.counts['PATCH /ip_policy_rules/{id}']).toBe(patches);
  expect(await engine.preview([after])).toEqual({ steps: [], errors: [] });
});

test.each([
  ['rule', single],
  ['set', setOf],
])(
  'a text that the service does not take back fails the update of a %s in part, and the next up sends it',
  async (_, of) => {
    const { scene, engine } = await start(of(texts));
    const fault = scene.emulator.fault({
      ...{ method: 'PATCH', kind: 'status', nth: 2, times: 'always', status: 400 },
      body: { msg: 'no' },
    });
    const after = of({ ...texts, metadata: 'x' });
    expect((await engine.up([after])).errors).toHaveLength(1);
    expect(scene.emulator.state().rules[0]).not.toHaveProperty('description');
    fault.remove();
    await done(engine.up([after]));
    expect(scene.emulator.state().rules).toMatchObject([{ ...texts, metadata: 'x' }]);
  },
);

test('a text that the service stores otherwise when it is sent again fails the update in part', async () => {
  const { scene, engine } = await start(single(texts));
  const [rule] = scene.emulator.state().rules;
  const stored = { ...rule, metadata: 'x', description: 'Off' };
  scene.emulator.fault({ method: 'PATCH', kind: 'status', nth: 2, status: 200, body: stored });
  const after = single({ ...texts, metadata: 'x' });
  expect((await engine.up([after])).errors.join()).toContain('differ from those sent: description;');
  await done(engine.up([after]));
  expect(scene.emulator.state().rules).toMatchObject([{ ...texts, metadata: 'x' }]);
});

test('edits of others that are no cleared texts survive the update of another field', async () => {
  const { scene, engine } = await start(single(texts));
  const [rule] = scene.emulator.state().rules;
  scene.emulator.setSwitches({ partialPatch: 'kept' });
  scene.emulator.remote.updateRule(rule?.id ?? '', { description: 'edited' });
  await done(engine.up([single({ ...texts, metadata: 'x' })]));
  expect(scene.emulator.state().rules).toMatchObject([{ description: 'edited', metadata: 'x' }]);
});
