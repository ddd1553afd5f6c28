// A rule that its resource is about to delete is offered to the next one that wants its place: who gets it, and when nobody.
import { typescriptWords } from '../../../provider/src/errors/words';
import { ProcessLedger } from '../../../provider/src/settle/ledger';
import { takeOverOffered, takeOverRule } from '../../../provider/src/settle/take-over';
import { rulePlace } from '../../../provider/src/rule/rule';
import { startScene } from '../../support/host';
import { policyId } from '../../support/ids';

const wanted = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId } as const;
const place = rulePlace(wanted);
const wire = { cidr: wanted.cidr, action: wanted.action, ip_policy_id: policyId };

/** A live rule whose resource gives it up, and what a create that wants its place works with. */
const start = async () => {
  const scene = await startScene();
  const { id } = scene.emulator.remote.createRule(wire);
  const { client } = scene.newProcess();
  const context = { client, ledger: new ProcessLedger(), warn: () => undefined, words: typescriptWords };
  const { holdings } = context.ledger;
  const taking = { context, wanted, deadline: client.startOperation() };
  const offer = (): Promise<boolean> => {
    holdings.activity.noteCheck();
    holdings.wants.add(place);
    return holdings.leave({ id, place, holder: id }, { clock: scene.clock, warn: context.warn });
  };
  const requests = (): number => scene.emulator.journal.length;
  return { scene, id, holdings, ledger: context.ledger, taking, offer, requests };
};

describe('a rule on offer', () => {
  test('is that of the set that takes it, before anybody else may do something to it', async () => {
    const { id, holdings, taking, offer } = await start();
    const left = offer();
    expect(await takeOverOffered(taking, 'set')).toMatchObject({ id });
    expect(holdings.holdOf(id)).toEqual({ id, place, holder: 'set', since: 'written' });
    expect(await left).toBe(false);
  });

  test('is left alone by whoever comes when it is not on offer any more', async () => {
    const { id, holdings, ledger, taking, offer, requests } = await start();
    const left = offer();
    const taken = ledger.oneAtATime(id, async () => {
      holdings.wants.end(place, 'done');
      expect(await left).toBe(true);
    });
    expect(await takeOverOffered(taking)).toBeUndefined();
    await taken;
    expect([holdings.holdOf(id), requests()]).toEqual([undefined, 0]);
  });

  test('is left to the resource that diff names before the request, or while it is answered', async () => {
    for (const isBefore of [true, false]) {
      const { scene, id, holdings, ledger, taking, offer, requests } = await start();
      const other = { id, place, holder: 'other' };
      const left = offer();
      const gate = ledger.oneAtATime(id, () => {
        if (isBefore) holdings.hold(other);
        return Promise.resolve();
      });
      const answer = scene.emulator.hold({ method: 'GET', when: 'after' });
      const taken = takeOverOffered(taking, 'set');
      await gate;
      if (!isBefore) {
        await answer.reached;
        holdings.hold(other);
      }
      answer.release();
      expect(await taken).toBeUndefined();
      expect([await left, holdings.holdOf(id)?.holder, requests()]).toEqual([
        false,
        'other',
        isBefore ? 0 : 1,
      ]);
    }
  });

  test('is not looked for in the list by a rule with overwriteExisting', async () => {
    const { taking, offer, requests } = await start();
    void offer();
    expect(await takeOverRule(taking)).toBeUndefined();
    expect(requests()).toBe(0);
  });
});

describe('a rule with overwriteExisting', () => {
  test('does not take a rule over whose resource moves it to another network in this run', async () => {
    const { id, holdings, taking } = await start();
    holdings.hold({ id, place: rulePlace({ ...wanted, cidr: '10.1.0.0/16' }), holder: id });
    expect(await takeOverRule(taking)).toBeUndefined();
  });

  test('fails where another resource stands for the rule, and says what becomes of both', async () => {
    const { id, holdings, taking } = await start();
    holdings.hold({ id, place, holder: id });
    await expect(takeOverRule(taking)).rejects.toThrow(
      `IP policy rule ${id} belongs to two resources of this program: deleting one would delete the rule of the ` +
        `other. Run "pulumi refresh", then remove one of the two from the program: its delete keeps the rule.`,
    );
  });
});
