import type { Fault, Switches } from '../../../emulator/src/index';
import { declaredSet } from '../../support/declarations';
import { type Bag, type HostProcess, type Scene, startScene } from '../../support/host';
import { policyId } from '../../support/ids';
import { done, StandInEngine } from '../../support/stand-in-engine';
import { testedHost } from '../../support/tested-host';
import { failureOf } from '../ip-policy-rule-set/driver';

const wanted = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId, description: 'private' };
const wire = { cidr: '10.0.0.0/8', action: 'deny', ip_policy_id: policyId, description: 'private' } as const;

const post = { method: 'POST', path: '/ip_policy_rules' } as const;
const list = { method: 'GET', path: '/ip_policy_rules' } as const;
const lostAfterEffect: Fault = { ...post, kind: 'reset', when: 'after' };
const lostBeforeEffect: Fault = { ...post, kind: 'reset' };

/** A service with these ways, on which these faults strike. */
async function sceneWith(switches: Partial<Switches>, ...faults: Fault[]): Promise<Scene> {
  const scene = await startScene({ switches });
  for (const fault of faults) scene.emulator.fault(fault);
  return scene;
}

const rules = (host: HostProcess) => host.provider('IpPolicyRule');
const create = (host: HostProcess, inputs: Bag = wanted) => rules(host).create(inputs);
const sent = ({ emulator }: Scene, method: string) =>
  emulator.journal.filter((entry) => entry.method === method).length;
const ids = ({ emulator }: Scene) => emulator.state().rules.map(({ id }) => id);

describe('the answer to a POST is lost', () => {
  test('after its effect: the rule is adopted, with one line that says so, and never sent again', async () => {
    const scene = await sceneWith({}, lostAfterEffect);
    const host = scene.newProcess();
    const { id, outs } = await create(host);
    expect(ids(scene)).toEqual([id]);
    expect(outs).toMatchObject({ cidr: '10.0.0.0/8', description: 'private' });
    expect(sent(scene, 'POST')).toBe(1);
    expect(host.warnings).toEqual([
      `The response to the create of deny 10.0.0.0/8 was lost; the rule exists as ${id} and was taken over.`,
    ]);
  });

  test('and the effect shows up seconds later, or in a list that lags: it is adopted', async () => {
    for (const listLagMs of [0, 10_000]) {
      const scene = await sceneWith({ listLagMs }, listLagMs === 0 ? lostBeforeEffect : lostAfterEffect);
      if (listLagMs === 0) void scene.clock.sleep(6_000).then(() => scene.emulator.remote.createRule(wire));
      const { id } = await create(scene.newProcess());
      expect(ids(scene)).toEqual([id]);
      expect(sent(scene, 'POST')).toBe(1);
    }
  });

  test('and the effect shows up only when it is sent again: the refusal leads to the rule', async () => {
    const scene = await sceneWith({ listLagMs: 10_000 }, lostBeforeEffect);
    void scene.clock.sleep(12_000).then(() => scene.emulator.remote.createRule(wire));
    const { id } = await create(scene.newProcess());
    expect(ids(scene)).toEqual([id]);
    expect(sent(scene, 'POST')).toBe(2);
  });

  test('and a service that accepts duplicates shows the effect after the second POST: the twin is named', async () => {
    const scene = await sceneWith({ duplicateCidr: 'accepted' }, lostBeforeEffect);
    const hold = scene.emulator.hold({ ...post, nth: 2, when: 'before' });
    const host = scene.newProcess();
    const creating = create(host);
    await hold.reached;
    const { id: twin } = scene.emulator.remote.createRule(wire);
    hold.release();
    const { id } = await creating;
    expect(ids(scene)).toEqual([twin, id]);
    expect(host.warnings.join('\n')).toContain(`${id} is managed, and ${twin}, which appeared late`);
  });

  test('twice: the rule is looked up again, and what cannot be found is told as unknown', async () => {
    const scene = await sceneWith({}, { ...lostBeforeEffect, times: 2 });
    const host = scene.newProcess();
    await expect(create(host)).rejects.toThrow('Outcome unknown');
    // What may exist already must not be sent again for another resource of the run.
    await expect(create(host, { ...wanted, overwriteExisting: false })).rejects.toThrow('Outcome unknown');
    expect(sent(scene, 'POST')).toBe(2);

    scene.emulator.reset();
    scene.emulator.fault(lostBeforeEffect);
    scene.emulator.fault({ ...lostAfterEffect, nth: 2 });
    const { id } = await create(scene.newProcess());
    expect(ids(scene)).toEqual([id]);
  });

  test('and the second POST is refused for another reason: the failure still says that the rule may exist', async () => {
    const scene = await sceneWith({}, lostBeforeEffect, { ...post, nth: 2, kind: 'status', status: 403 });
    await expect(create(scene.newProcess())).rejects.toThrow(
      /"deny 10\.0\.0\.0\/8" of ipp_\w+ may exist[^]*returned 403/,
    );
  });
});

describe('what is looked up', () => {
  test.each([
    ['right', 0],
    ['90 s ahead', 90_000],
    ['90 s behind', -90_000],
  ])(
    'a rule that was there before is not adopted, where the clock of the service is %s',
    async (_, skewMs) => {
      const scene = await startScene({ skewMs, switches: { duplicateCidr: 'accepted' } });
      const before = scene.emulator.remote.createRule(wire);
      scene.clock.pass(12_000);
      scene.emulator.fault(lostBeforeEffect);
      const first = await create(scene.newProcess());
      expect(first.id).not.toBe(before.id);
      expect(ids(scene)).toHaveLength(2);

      scene.clock.pass(12_000);
      scene.emulator.fault(lostAfterEffect);
      const second = await create(scene.newProcess());
      expect(ids(scene)).toEqual([before.id, first.id, second.id]);
    },
  );

  test.each([-3_000, -2_000])(
    'created_at %i ms from the Date: the rule is named, and no second one is made',
    async (createdAtAheadMs) => {
      const scene = await sceneWith({ duplicateCidr: 'accepted', createdAtAheadMs }, lostAfterEffect);
      const failure = await failureOf(create(scene.newProcess()));
      expect(failure).toContain(`unclear which rule it created: ${ids(scene)[0] ?? ''}`);
      expect(ids(scene)).toHaveLength(1);
    },
  );

  test.each([
    ['with equal clocks', 0],
    ['with a clock that this run has seen to be ahead', 6_000],
  ])('a rule that somebody made 3 s before is named and not adopted, %s', async (_, createdAtAheadMs) => {
    const scene = await sceneWith({ duplicateCidr: 'accepted', createdAtAheadMs });
    const host = scene.newProcess();
    await create(host, { ...wanted, cidr: '192.0.2.0/24' });
    const { id } = scene.emulator.remote.createRule(wire);
    scene.clock.pass(3_000);
    scene.emulator.fault(lostBeforeEffect);
    await expect(create(host)).rejects.toThrow(`unclear which rule it created: ${id}`);
    expect(ids(scene)).toHaveLength(2);
  });

  test('a rule that somebody made while the POST waited for the rate limit is not adopted', async () => {
    const scene = await sceneWith(
      { duplicateCidr: 'accepted' },
      { ...post, kind: 'status', status: 429, headers: { 'Retry-After': '60' } },
    );
    void scene.clock.sleep(30_000).then(() => scene.emulator.remote.createRule(wire));
    scene.emulator.fault({ ...lostBeforeEffect, nth: 2 });
    const { id } = await create(scene.newProcess());
    expect(ids(scene)).toHaveLength(2);
    expect(ids(scene)[1]).toBe(id);
  });

  test('a rule of the same second that the state holds is not adopted: diff has told of it', async () => {
    const scene = await sceneWith({ duplicateCidr: 'accepted' });
    const earlier = await create(scene.newProcess());
    const host = scene.newProcess();
    await rules(host).diff(earlier.id, earlier.outs, wanted);
    scene.emulator.fault(lostAfterEffect);
    const { id } = await create(host);
    expect(ids(scene)).toEqual([earlier.id, id]);
  });

  test('several matches: all are named, and nothing is sent again', async () => {
    const scene = await sceneWith({ duplicateCidr: 'accepted' }, lostAfterEffect);
    const host = scene.newProcess();
    const hold = scene.emulator.hold({ ...post, when: 'after' });
    const creating = failureOf(create(host));
    await hold.reached;
    scene.emulator.remote.createRule(wire);
    hold.release();
    const [one = '', two = ''] = ids(scene);
    expect(await creating).toMatch(new RegExp(`which rule it created: (.*${one}.*${two}|.*${two}.*${one})`));
    expect(sent(scene, 'POST')).toBe(1);
  });

  test('clocks that cannot be read: a rule alike is named instead of adopted or doubled', async () => {
    const scene = await sceneWith({}, lostAfterEffect);
    const undated = (page: unknown) => {
      const { ip_policy_rules: rows, ...rest } = page as { ip_policy_rules: object[] };
      return { ...rest, ip_policy_rules: rows.map((row) => ({ ...row, created_at: 'some day' })) };
    };
    scene.emulator.fault({ ...list, kind: 'mutate', times: 'always', mutate: undated });
    const failure = await failureOf(create(scene.newProcess()));
    expect(failure).toContain('unclear which rule it created');
    expect(failure).toContain(ids(scene)[0]);
    expect(sent(scene, 'POST')).toBe(1);
  });

  test('and the list breaks in all attempts of a look-up: it is repeated', async () => {
    const scene = await sceneWith({}, lostAfterEffect, { ...list, kind: 'reset', times: 4 });
    const { id } = await create(scene.newProcess());
    expect([ids(scene), sent(scene, 'POST')]).toEqual([[id], 1]);
  });

  test.each<[string, lost: Fault, Fault]>([
    ['refuses', lostAfterEffect, { ...list, kind: 'status', status: 403, times: 'always' }],
    ['breaks', lostAfterEffect, { ...list, kind: 'reset', times: 'always' }],
    [
      'breaks after a look that did not find it',
      lostBeforeEffect,
      { ...list, kind: 'reset', nth: 2, times: 'always' },
    ],
    [
      'leads to another host',
      lostAfterEffect,
      { ...list, kind: 'mutate', set: { '/next_page_uri': 'http://localhost:1/' }, times: 'always' },
    ],
    [
      'shows the rule, which cannot be read by its id',
      lostAfterEffect,
      { method: 'GET', path: '/ip_policy_rules/{id}', kind: 'status', status: 500, times: 'always' },
    ],
  ])('the list %s: the outcome is told as unknown, and nothing is sent again', async (_, lost, fault) => {
    const scene = await sceneWith({ duplicateCidr: 'accepted' }, lost, fault);
    const host = scene.newProcess();
    await expect(create(host)).rejects.toThrow(
      `Outcome unknown: IP policy rule "deny 10.0.0.0/8" of ${policyId} may exist, ` +
        `because the response to its create was lost and it could not be looked up. Check the rules of that policy ` +
        `before the next "pulumi up".`,
    );
    await expect(create(host)).rejects.toThrow('Outcome unknown');
    expect(sent(scene, 'POST')).toBe(1);
  });
});

describe('identical declarations', () => {
  test('become two rules where the service accepts duplicates, whatever answers are lost', async () => {
    const scene = await sceneWith({ duplicateCidr: 'accepted' }, { ...lostAfterEffect, times: 2 });
    const host = scene.newProcess();
    const [one, two] = await Promise.all([create(host), create(host)]);
    expect(one.id).not.toBe(two.id);
    expect(ids(scene).sort()).toEqual([one.id, two.id].sort());
  });

  test('become one rule and one failure that names it where the service refuses duplicates', async () => {
    for (const duplicateCidr of ['400', '409'] as const) {
      const scene = await sceneWith({ duplicateCidr }, lostAfterEffect);
      const host = scene.newProcess();
      const [one, two] = await Promise.allSettled([create(host), create(host)]);
      expect(one.status).toBe('fulfilled');
      expect(two.status === 'rejected' && String(two.reason)).toContain(ids(scene)[0]);
      expect(ids(scene)).toHaveLength(1);
    }
  });

  test('keep each to its time: the second, which waits for the first, has what is left', async () => {
    const scene = await sceneWith({ duplicateCidr: 'accepted' });
    const limited: Fault = { ...post, kind: 'status', status: 429, headers: { 'Retry-After': '15' } };
    scene.emulator.fault({ ...limited, nth: 1 });
    scene.emulator.fault({ ...limited, nth: 3 });
    const host = scene.newProcess({ operationTimeoutMs: 20_000 });
    const [one, two] = await Promise.allSettled([create(host), create(host)]);
    expect(ids(scene)).toEqual([one.status === 'fulfilled' && one.value.id]);
    expect(String(two.status === 'rejected' && two.reason)).toMatch(
      /not done within 20 s.*raise operationTimeoutSeconds/,
    );
    expect(scene.clock.monotonicMs()).toBeLessThanOrEqual(20_000);
  });
});

describe('a service that answers a POST with an equal rule that exists', () => {
  const existing = { equalPost: 'existing' } as const;

  test('of others: the create fails, names it, and a destroy does not delete it', async () => {
    const scene = await sceneWith(existing);
    const { id } = scene.emulator.remote.createRule(wire);
    scene.clock.pass(60_000);
    const failure = await failureOf(create(scene.newProcess()));
    expect(failure).toContain(`was not created: the policy already has a rule for this CIDR: ${id}`);
    expect(failure).toContain('set overwriteExisting: true to take it over, or import it');
    expect(sent(scene, 'POST')).toBe(1);
  });

  test('of this program: the second declaration fails and names it', async () => {
    const scene = await sceneWith(existing);
    const host = scene.newProcess();
    const { id } = await create(host);
    await expect(create(host)).rejects.toThrow(`the policy already has a rule for this CIDR: ${id}`);
    expect(ids(scene)).toEqual([id]);
  });

  test('of another set: the one that failed does not delete it', async () => {
    const scene = await sceneWith(existing);
    const engine = new StandInEngine(() => scene.newProcess());
    const sets = ['one', 'two'].map((name) => declaredSet(name, [{ cidr: '10.0.0.0/8', action: 'deny' }]));
    const { errors } = await engine.up(sets, { continuesOnError: true });
    expect(String(errors)).toContain('the policy already has a rule for this CIDR');
    const [failed] = engine.state.filter(({ outputs }) => outputs['ruleIdList'] === '');
    await done(engine.destroy({ targets: [failed?.name ?? 'none'] }));
    expect(ids(scene)).toHaveLength(1);
  });
});

describe('an answer that is about something else', () => {
  test('the very rule, of an unreadable time: it is what was created', async () => {
    const scene = await sceneWith({}, { ...post, kind: 'mutate', set: { '/created_at': 'some day' } });
    const { id } = await create(scene.newProcess());
    expect([ids(scene), sent(scene, 'POST'), sent(scene, 'GET')]).toEqual([[id], 1, 0]);
  });

  test('an older rule for the network, with other texts: what was asked for is looked up', async () => {
    const scene = await sceneWith({ duplicateCidr: 'accepted' });
    const { id: older } = scene.emulator.remote.createRule({ ...wire, description: 'older' });
    scene.clock.pass(60_000);
    scene.emulator.fault({ ...post, kind: 'mutate', mutate: () => scene.emulator.state().rules[0] });
    const { id } = await create(scene.newProcess());
    expect(ids(scene)).toEqual([older, id]);
  });

  test('the rule with other texts than were sent: it is kept, as a failure that names the fields', async () => {
    const scene = await startScene();
    const host = scene.newProcess();
    scene.emulator.fault({ ...post, kind: 'mutate', set: { '/description': 'shortened' } });
    const failed = await create(host).catch((error: unknown) => error as { id: string; properties: Bag });
    expect(failed).toMatchObject({
      id: ids(scene)[0],
      message: expect.stringContaining('values that differ from those sent: description') as string,
      properties: {
        description: 'shortened',
        // By this a later refresh finds the handler; the plugin needs none.
        ...(testedHost === 'dynamic' && { __provider: expect.stringContaining('IpPolicyRule') as string }),
      },
    });
  });
});

describe('a refusal of a duplicate', () => {
  const refused =
    `IP policy rule "deny 10.0.0.0/8" of ${policyId} was not created: the policy already has a rule for ` +
    `this CIDR`;

  test('is told as it is where the list cannot be read', async () => {
    const scene = await startScene();
    scene.emulator.remote.createRule(wire);
    scene.emulator.fault({ ...list, kind: 'status', status: 403, times: 'always' });
    await expect(create(scene.newProcess())).rejects.toThrow(`${refused}.\nIf no resource manages it`);
  });

  test('names the rule also where the list shows it only seconds later', async () => {
    const scene = await sceneWith({ listLagMs: 3_000 });
    const { id } = scene.emulator.remote.createRule(wire);
    await expect(create(scene.newProcess())).rejects.toThrow(
      `${refused}: ${id} (deny 10.0.0.0/8).\nIf no resource manages it`,
    );
  });

  test('names all that are there, and says so where one of them is of this program', async () => {
    const scene = await sceneWith({ duplicateCidr: 'accepted' });
    const { id: foreign } = scene.emulator.remote.createRule({ ...wire, action: 'allow' });
    const own = await create(scene.newProcess());
    scene.emulator.setSwitches({ duplicateCidr: '409' });
    const named = `${own.id} (deny 10.0.0.0/8), ${foreign} (allow 10.0.0.0/8)`;
    const host = scene.newProcess();
    const advice = await failureOf(create(host));
    const [, likely, others, said] = advice.split('\n');
    expect(likely).toContain('set overwriteExisting: true to take it over, or import it: npx');
    expect(others).toMatch(/pending operations.* recover\. .*see docs\/troubleshooting\.md#/);
    expect(said).toContain('The service said');
    // Once is enough for a run, however many rules are in the way.
    const second = await failureOf(create(host));
    expect(second.split('\n')).toEqual([
      advice.split('\n')[0],
      likely,
      expect.stringContaining('The service said'),
    ]);
    await rules(host).diff(own.id, own.outs, wanted);
    const again = await failureOf(create(host));
    expect(again).toContain(`${refused}: ${named}.\nAnother resource of this program has it`);
    expect(again).not.toContain('import it');
  });
});

test('a lost answer to the create of a rule whose CIDR is taken by another one ends in naming that one', async () => {
  const scene = await startScene();
  const before = scene.emulator.remote.createRule({ ...wire, action: 'allow' });
  scene.emulator.fault(lostBeforeEffect);
  await expect(create(scene.newProcess())).rejects.toThrow(`${before.id} (allow 10.0.0.0/8)`);
});

test('a replacement with the same CIDR adopts the new rule, though a list that lags still shows the old one', async () => {
  const scene = await sceneWith({ duplicateCidr: 'accepted' });
  const old = await create(scene.newProcess());
  const host = scene.newProcess();
  const stale = { ...scene.emulator.state().rules[0] };
  await rules(host).delete(old.id, old.outs);
  scene.emulator.fault(lostAfterEffect);
  const withStale = (page: unknown) => {
    const { ip_policy_rules: rows, ...rest } = page as { ip_policy_rules: object[] };
    return { ...rest, ip_policy_rules: [...rows, stale] };
  };
  scene.emulator.fault({ ...list, kind: 'mutate', times: 'always', mutate: withStale });
  const { id } = await create(host);
  expect(id).not.toBe(old.id);
  expect(ids(scene)).toEqual([id]);
});

test('a 409 for another reason is passed on as it is', async () => {
  const scene = await startScene();
  const body = { msg: 'the policy is being changed', status_code: 409 };
  scene.emulator.fault({ ...post, kind: 'status', status: 409, body, times: 'always' });
  const refused = await failureOf(create(scene.newProcess()));
  expect(refused).toContain('the policy is being changed');
  expect(refused).not.toContain('already has a rule');
  for (const fault of scene.emulator.faults) fault.remove();
  scene.emulator.remote.createRule(wire);
  await expect(create(scene.newProcess())).rejects.toThrow('already has a rule');
});
