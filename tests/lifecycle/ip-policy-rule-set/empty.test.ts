// A set without rules in state: an account that never had the set shows none of its rules, either.
import type { Host } from '../../../provider/src/resources/provider-reference';
import { declaredRule, declaredSet } from '../../support/declarations';
import { startScene } from '../../support/host';
import { type Declaration, done, StandInEngine } from '../../support/stand-in-engine';
import { failureOf, hosts, list, post } from './driver';

const set = (count: number): Declaration => declaredSet('set', hosts(count));
const rule = declaredRule('rule');
const [ROTATED, FOREIGN] = ['a-new-key-of-the-account', 'a-key-of-another-account'];
const UNKNOWN = /not count as gone: the key may belong to another account/;

describe.each<Host>(['dynamic', 'native'])('%s host: an empty set', (host) => {
  const start = async () => {
    const scene = await startScene();
    const { emulator } = scene;
    emulator.issueKey(ROTATED);
    emulator.issueKey(FOREIGN, 'another');
    let settings = {};
    const engine = new StandInEngine(() => scene.newProcess(settings, { host }));
    const withKey = (apiKey: string): void => void (settings = { apiKey });
    const mark = (): unknown => engine.state.find(({ name }) => name === 'set')?.outputs['account'];
    return { emulator, engine, withKey, mark };
  };

  test('does not take the mark of a key of another account at a refresh that is refused for another resource', async () => {
    const { engine, withKey, mark } = await start();
    await done(engine.up([set(0), rule]));
    const before = mark();
    withKey(FOREIGN);
    expect(await failureOf(done(engine.refresh()))).toMatch(UNKNOWN);
    expect(mark()).toBe(before);
  });

  test('gets no rule in another account, and is deleted with any key, as that sends nothing', async () => {
    const { emulator, engine, withKey } = await start();
    await done(engine.up([set(0)]));
    withKey(FOREIGN);
    await done(engine.refresh());
    expect(await failureOf(done(engine.up([set(1)])))).toMatch(UNKNOWN);
    expect(emulator.state('another').rules).toEqual([]);
    await done(engine.destroy());
    expect(engine.state).toEqual([]);
  });

  test('is not deleted with a key of another account if the answer to a create was lost', async () => {
    const { emulator, engine, withKey } = await start();
    const lost = [
      emulator.fault({ ...post, kind: 'reset', when: 'after', times: 'always' }),
      emulator.fault({ ...list, kind: 'status', status: 403, body: {}, times: 'always' }),
    ];
    await failureOf(done(engine.up([set(1)])));
    for (const fault of lost) fault.remove();
    withKey(FOREIGN);
    await done(engine.refresh());
    expect(await failureOf(done(engine.destroy()))).toMatch(UNKNOWN);
    expect(engine.state).toHaveLength(1);
  });

  test('takes the mark of a new key that sees another rule of the policy, and is updated with it', async () => {
    const { emulator, engine, withKey, mark } = await start();
    await done(engine.up([set(0), rule]));
    const before = mark();
    withKey(ROTATED);
    await done(engine.refresh());
    expect(mark()).not.toBe(before);
    await done(engine.up([set(1), rule]));
    expect(emulator.state().rules).toHaveLength(2);
  });
});
