import type { Fault } from '../../emulator/src/index';
import { otherPolicyId, policyId } from '../support/ids';
import { type Declared, hosts, RuleSetDriver } from './rule-set-driver';

const post = { method: 'POST', path: '/ip_policy_rules' } as const;
const patch = { method: 'PATCH', path: '/ip_policy_rules/{id}' } as const;
const remove = { method: 'DELETE', path: '/ip_policy_rules/{id}' } as const;
const list = { method: 'GET', path: '/ip_policy_rules' } as const;
const refusal = { kind: 'status', status: 422 } as const;

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no failure',
    (error: unknown) => String(error),
  );

/** State and service agree, and nothing is there twice. */
function expectStateIsLive(set: RuleSetDriver): void {
  expect(Object.entries(set.ids).sort()).toEqual(set.live.map(({ cidr, id }) => [cidr, id]).sort());
  expect(new Set(set.live.map(({ cidr }) => cidr)).size).toBe(set.live.length);
}

describe('a failure half-way', () => {
  test('leaves in state what is live, says why, and the next up does only the rest', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.fault({ ...post, ...refusal, nth: 4 });
    set.scene.emulator.fault({ ...post, ...refusal, nth: 7 });
    const failure = await failureOf(set.up(hosts(20)));
    expect(failure).toContain(': 18 of 20 requests done, 2 failed');
    expect(failure.match(/create rule \d+: POST .* was answered with 422/g)).toHaveLength(2);
    expect(failure).not.toContain('10.0.0.');
    expectStateIsLive(set);
    expect(set.live).toHaveLength(18);
    set.requests();
    await set.up(hosts(20));
    expect(set.requests()).toEqual(['POST', 'POST']);
    expectStateIsLive(set);
    expect(await set.up(hosts(20))).toBe(false);
  });

  test('shows the first reasons of many and counts the rest', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.fault({ ...post, ...refusal, times: 50 });
    const failure = await failureOf(set.up(hosts(80)));
    expect(failure.match(/was answered with 422/g)).toHaveLength(20);
    expect(failure).toContain('and 30 more failures');
    expect(set.live).toHaveLength(30);
    expectStateIsLive(set);
    set.scene.emulator.fault({ ...post, ...refusal, times: 20 });
    expect(await failureOf(set.up(hosts(80)))).not.toContain('more failures');
  });

  test('ends the run before anything that relies on it: no allow is created over a missing deny', async () => {
    const set = await RuleSetDriver.start();
    await set.up([{ cidr: '192.0.2.0/24', action: 'allow' }]);
    set.scene.emulator.fault({ ...post, ...refusal });
    await failureOf(
      set.up([
        { cidr: '10.0.0.0/8', action: 'allow' },
        { cidr: '10.1.0.0/16', action: 'deny' },
      ]),
    );
    expect(set.liveNames).toEqual(['allow 192.0.2.0/24']);
    expectStateIsLive(set);
  });

  test('where nothing could be created, nothing stays in state', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.fault({ ...post, ...refusal, times: 'always' });
    expect(await failureOf(set.up(hosts(3)))).toContain('0 of 3 requests done');
    expect(set.kept).toBeUndefined();
  });

  test('a wrong key is not tried on every rule', async () => {
    const set = await RuleSetDriver.start({ apiKey: 'wrong-key', maxConcurrency: 4 });
    expect(await failureOf(set.up(hosts(500)))).toContain('check the API key');
    // Those that were under way when the first answer came, and the ones that took their places meanwhile.
    expect(set.requests().length).toBeLessThanOrEqual(8);
  });

  test('a service that is not there is not tried for every rule', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(5));
    await set.scene.emulator.close();
    const failure = await failureOf(set.up(hosts(500)));
    expect(failure).toContain('the connection was refused');
    expect(failure).toMatch(/ 0 of 495 requests done, \d failed/);
    expect(Object.keys(set.rules)).toHaveLength(5);
  });

  test('in a flip, between its delete and its create: the next up creates the missing rule', async () => {
    const set = await RuleSetDriver.start();
    const rule: Declared = { cidr: '10.0.0.0/8', action: 'allow' };
    await set.up([rule]);
    set.scene.emulator.fault({ ...post, ...refusal });
    const failure = await failureOf(set.up([{ ...rule, action: 'deny' }]));
    expect(failure).toMatch(/flip ipr_\w+: POST/);
    expect(set.rules).toEqual({});
    await set.up([{ ...rule, action: 'deny' }]);
    expect(set.liveNames).toEqual(['deny 10.0.0.0/8']);
  });

  test('of every rule is not asked for a thousand times', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.fault({ ...post, ...refusal, times: 'always' });
    expect(await failureOf(set.up(hosts(300)))).toMatch(/: 0 of 300 requests done, 10\d failed/);
  });

  test('of a delete beside a create counts both requests, and keeps what was made', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(2));
    set.scene.emulator.fault({ ...remove, ...refusal });
    const failure = await failureOf(set.up([...hosts(1), { cidr: '192.0.2.0/24', action: 'deny' }]));
    expect(failure).toContain('1 of 2 requests done, 1 failed');
    expectStateIsLive(set);
    expect(Object.keys(set.rules)).toEqual(['10.0.0.0/32', '10.0.0.1/32', '192.0.2.0/24']);
  });

  test('of a create keeps the rules that are no longer declared', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(2));
    set.scene.emulator.fault({ ...post, ...refusal });
    const failure = await failureOf(set.up([...hosts(1), { cidr: '192.0.2.0/24', action: 'deny' }]));
    expect(failure).toContain('0 of 2 requests done, 1 failed');
    expectStateIsLive(set);
    expect(Object.keys(set.rules)).toEqual(['10.0.0.0/32', '10.0.0.1/32']);
  });

  test('of a delete that is refused leaves nothing open', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(2));
    set.scene.emulator.fault({ ...remove, ...refusal });
    await failureOf(set.up(hosts(1)));
    expectStateIsLive(set);
    expect(set.kept?.outs).not.toHaveProperty('unsettledSince');
  });

  test('of a destroy: it says what is left, and the next one deletes that', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(10));
    set.scene.emulator.fault({ ...remove, ...refusal, times: 3 });
    const failure = await failureOf(set.destroy());
    expect(failure).toContain(': 7 of 10 requests done, 3 failed');
    expect(failure.split('\n').slice(1)).toHaveLength(3);
    expect(failure).toContain('run "pulumi refresh" before a change that declares the set again');
    expect(set.live).toHaveLength(3);
    set.scene.clock.pass(60_000);
    await set.destroy();
    expect(set.live).toEqual([]);
  });
});

describe('lost answers', () => {
  const lostAfterEffect: Fault = { ...post, kind: 'reset', when: 'after' };
  const lostBeforeEffect: Fault = { ...post, kind: 'reset' };

  test('of a flip’s create: the rule is found, and made once', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(1, 'allow'));
    set.scene.emulator.fault(lostAfterEffect);
    set.requests();
    await set.up(hosts(1, 'deny'));
    expect(set.requests()).toEqual(['DELETE', 'POST', 'LIST']);
    expect(set.liveNames).toEqual(['deny 10.0.0.0/32']);
    expectStateIsLive(set);
  });

  test('of an update whose effect a look shows: it is done', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(1));
    set.scene.emulator.fault({ ...patch, kind: 'reset', when: 'after', times: 'always' });
    await set.up(hosts(1).map((rule) => ({ ...rule, description: 'office' })));
    expect(set.rules).toEqual({ '10.0.0.0/32': { action: 'allow', description: 'office' } });
    expect(set.kept?.outs).not.toHaveProperty('unsettledSince');
  });

  test('for good are remembered through a refresh: a destroy then deletes the rule that was lost', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(2));
    set.scene.emulator.fault(lostAfterEffect);
    set.scene.emulator.fault({ ...list, kind: 'status', status: 403, body: {} });
    await failureOf(set.up(hosts(3)));
    expect(Object.keys(set.rules)).toHaveLength(2);
    await set.refresh();
    expect(set.kept?.outs['unsettledRules']).toBe('10.0.0.2/32 allow');
    await set.destroy();
    expect(set.live).toEqual([]);
  });

  test('of several creates are settled with one list for all of them', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.fault({ ...lostAfterEffect, times: 5 });
    await set.up(hosts(60));
    const requests = set.requests();
    expect(requests.filter((request) => request === 'POST')).toHaveLength(60);
    expect(requests.filter((request) => request === 'LIST')).toHaveLength(1);
    expectStateIsLive(set);
    expect(set.live).toHaveLength(60);
  });

  test.each(['400', 'accepted', '409'] as const)(
    'of creates without effect are sent once more, on a service with duplicates %s',
    async (duplicateCidr) => {
      const set = await RuleSetDriver.start();
      set.scene.emulator.setSwitches({ duplicateCidr });
      set.scene.emulator.fault({ ...lostBeforeEffect, times: 3 });
      set.scene.emulator.fault({ ...lostAfterEffect, times: 3 });
      await set.up(hosts(30));
      expect(set.requests().filter((request) => request === 'POST')).toHaveLength(33);
      expectStateIsLive(set);
      expect(set.live).toHaveLength(30);
    },
  );

  test.each([
    { listLagMs: 0, looks: ['LIST'] },
    { listLagMs: 10_000, looks: ['LIST', 'LIST', 'LIST'] },
  ])(
    'that can never be settled are remembered: the next up, at once, finds the rules in a list that lags $listLagMs ms, and creates none twice',
    async ({ listLagMs, looks }) => {
      const set = await RuleSetDriver.start();
      set.scene.emulator.setSwitches({ duplicateCidr: 'accepted', listLagMs });
      set.scene.emulator.fault({ ...lostAfterEffect, times: 4 });
      const list403 = set.scene.emulator.fault({ ...list, kind: 'status', status: 403, times: 'always' });
      expect(await failureOf(set.up(hosts(10)))).toContain('Outcome unknown');
      expect(Object.keys(set.rules)).toHaveLength(6);
      expect(set.live).toHaveLength(10);
      list403.remove();
      set.requests();
      await set.up(hosts(10));
      expect(set.requests()).toEqual(looks);
      expectStateIsLive(set);
      expect(set.warnings.filter((line) => line.includes('was taken over'))).toHaveLength(4);
      expect(await set.up(hosts(10))).toBe(false);
    },
  );

  test('of an update are verified by a read', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(3));
    set.scene.emulator.fault({ ...patch, kind: 'reset', when: 'after', times: 4 });
    await set.up(hosts(3).map((rule) => ({ ...rule, description: 'new' })));
    expectStateIsLive(set);
    expect(Object.values(set.rules)).toEqual(Array(3).fill({ action: 'allow', description: 'new' }));
  });

  test('of a delete are verified by a read', async () => {
    const set = await RuleSetDriver.start({ maxAttempts: 1 });
    await set.up(hosts(3));
    set.scene.emulator.fault({ ...remove, kind: 'reset', when: 'after' });
    await set.up(hosts(2));
    expectStateIsLive(set);
    expect(set.live).toHaveLength(2);
  });
});

test('a rule that is gone at an update is left out of state, and the next up creates it', async () => {
  const set = await RuleSetDriver.start();
  await set.up(hosts(3));
  set.scene.emulator.remote.deleteRule(set.ids['10.0.0.1/32'] ?? '');
  const wanted = hosts(3).map((rule) => ({ ...rule, description: 'new' }));
  expect(await failureOf(set.up(wanted))).toContain('no longer exists');
  await set.up(wanted);
  expectStateIsLive(set);
  expect(set.live).toHaveLength(3);
});

test('texts are never shown in a failure', async () => {
  const set = await RuleSetDriver.start();
  set.scene.emulator.fault({ ...post, ...refusal, echo: true });
  const failure = await failureOf(
    set.up([
      { cidr: '10.0.0.0/8', action: 'allow', description: 'canary-description', metadata: 'canary-metadata' },
    ]),
  );
  expect(failure).toContain('422');
  expect(failure).not.toContain('canary');
});

describe('a rate limit', () => {
  test('is waited for, with lines that say how far the work is', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.setSwitches({ rateLimit: 120 });
    await set.up(hosts(300));
    expect(set.live).toHaveLength(300);
    expect(set.warnings.join('\n')).toMatch(
      new RegExp(`IP policy rule set of ${policyId}: \\d+ of 300 requests done after \\d+ s, \\d+ a minute`),
    );
    expect(set.warnings.length).toBeLessThanOrEqual(8);
  });

  test('leaves no line that comes when the work has ended', async () => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.setSwitches({ rateLimit: 120 });
    await set.up(hosts(300));
    const lines = [...set.warnings];
    await set.scene.clock.sleep(3_600_000);
    expect(set.warnings).toEqual(lines);
  });

  test('that outlasts one operation does not end work that makes progress', async () => {
    const set = await RuleSetDriver.start({ operationTimeoutMs: 90_000 });
    set.scene.emulator.setSwitches({ rateLimit: 60 });
    await set.up(hosts(240));
    expect(set.live).toHaveLength(240);
  });
});

describe('a service that answers 404 for rules that are seconds old', () => {
  const unknown = { kind: 'status', status: 404, body: { msg: 'no such rule' }, times: 3 } as const;

  test('is asked again in an update: no rule is forgotten', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(3));
    const ids = Object.values(set.ids).sort();
    set.scene.emulator.fault({ ...patch, ...unknown });
    await set.up(hosts(3).map((rule) => ({ ...rule, description: 'office' })));
    expect(Object.values(set.ids).sort()).toEqual(ids);
    expectStateIsLive(set);
    expect(set.live.map(({ description }) => description)).toEqual(['office', 'office', 'office']);
  });

  test('is asked again in a delete: no rule is left behind', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(3));
    set.scene.emulator.fault({ ...remove, ...unknown });
    await set.up(hosts(2));
    expectStateIsLive(set);
    expect(set.live).toHaveLength(2);
  });
});

describe('an answer about a rule of another policy', () => {
  const foreign = (pointer: string) =>
    ({ kind: 'mutate', set: { [pointer]: otherPolicyId }, times: 'always' }) as const;

  test('is an error for a refresh, and the set stays in state', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(3));
    const { kept } = set;
    set.scene.emulator.fault({ ...list, ...foreign('/ip_policy_rules/0/ip_policy/id') });
    expect(await failureOf(set.refresh())).toContain('in another policy');
    expect(set.kept).toBe(kept);
  });

  test('is an error for an update, and the rule stays in state', async () => {
    const set = await RuleSetDriver.start();
    await set.up(hosts(3));
    const ids = Object.values(set.ids).sort();
    for (const method of ['PATCH', 'GET'])
      set.scene.emulator.fault({ ...patch, method, ...foreign('/ip_policy/id') });
    const edited = hosts(3).map((rule) => ({ ...rule, description: 'office' }));
    expect(await failureOf(set.up(edited))).toContain('the body is about a rule of another policy');
    expect(Object.values(set.ids).sort()).toEqual(ids);
  });
});

test('an update that the service answers with other values names the field, and not what was sent', async () => {
  const set = await RuleSetDriver.start();
  await set.up(hosts(2));
  const stored = { kind: 'mutate', set: { '/description': 'something else' }, times: 'always' } as const;
  set.scene.emulator.fault({ ...patch, ...stored });
  set.scene.emulator.fault({ method: 'GET', path: '/ip_policy_rules/{id}', ...stored });
  const failure = await failureOf(
    set.up(hosts(2).map((rule) => ({ ...rule, description: 'secret office' }))),
  );
  expect(failure).toContain('the service answered with values other than those sent for: description');
  expect(failure).not.toContain('secret office');
  expect(failure).not.toContain('internal error');
});
