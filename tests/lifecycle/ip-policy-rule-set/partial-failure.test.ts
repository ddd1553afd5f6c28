// What fails half-way: what stays in state, what is said, and what the next `up` does.
import { SECRET_INPUTS_KEY } from '../../../provider/src/fields/field';
import { otherPolicyId, policyId } from '../../support/ids';
import { testedHost } from '../../support/tested-host';
import {
  type Declared,
  expectStateIsLive,
  failureOf,
  hosts,
  list,
  patch,
  post,
  remove,
  RuleSetDriver,
} from './driver';

const refusal = { kind: 'status', status: 422 } as const;

describe('partial failure:', () => {
  test('leaves in state what is live, says why, and the next up does only the rest', async () => {
    const set = await RuleSetDriver.start();
    set.emulator.fault({ ...post, ...refusal, nth: 4 });
    set.emulator.fault({ ...post, ...refusal, nth: 7 });
    const failure = await failureOf(set.up(hosts(20)));
    expect(failure).toContain(': 18 of 20 requests done, 2 failed');
    expect(failure.match(/create allow 10\.0\.0\.\d+\/32: POST .* returned 422/g)).toHaveLength(2);
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
    set.emulator.fault({ ...post, ...refusal, times: 50 });
    const failure = await failureOf(set.up(hosts(80)));
    expect(failure.match(/returned 422/g)).toHaveLength(20);
    expect(failure).toContain('and 30 more failures');
    expect(set.live).toHaveLength(30);
    expectStateIsLive(set);
    set.emulator.fault({ ...post, ...refusal, times: 20 });
    expect(await failureOf(set.up(hosts(80)))).not.toContain('more failures');
  });

  test('ends the run before anything that relies on it: no allow is created over a missing deny', async () => {
    const set = await RuleSetDriver.applied([{ cidr: '192.0.2.0/24', action: 'allow' }]);
    set.emulator.fault({ ...post, ...refusal });
    await failureOf(
      set.up([
        { cidr: '10.0.0.0/8', action: 'allow' },
        { cidr: '10.1.0.0/16', action: 'deny' },
      ]),
    );
    expect(set.liveNames).toEqual(['allow 192.0.2.0/24']);
    expectStateIsLive(set);
  });

  test('a wrong key is not tried on every rule', async () => {
    const set = await RuleSetDriver.start({}, { apiKey: 'wrong-key', maxConcurrency: 4 });
    expect(await failureOf(set.up(hosts(500)))).toContain('check the API key');
    // Those that were under way when the first answer came, and the ones that took their places meanwhile.
    expect(set.requests().length).toBeLessThanOrEqual(8);
  });

  test('a service that is not there is not tried for every rule', async () => {
    const set = await RuleSetDriver.applied(hosts(5));
    await set.emulator.close();
    const failure = await failureOf(set.up(hosts(500)));
    expect(failure).toContain('cannot be reached');
    expect(failure).toMatch(/ 0 of 495 requests done, \d failed/);
    expect(Object.keys(set.rules)).toHaveLength(5);
  });

  test('in a flip, between its delete and its create: the next up creates the missing rule', async () => {
    const rule: Declared = { cidr: '10.0.0.0/8', action: 'allow' };
    const set = await RuleSetDriver.applied([rule]);
    set.emulator.fault({ ...post, ...refusal });
    const failure = await failureOf(set.up([{ ...rule, action: 'deny' }]));
    expect(failure).toMatch(/flip ipr_\w+: POST/);
    expect(set.rules).toEqual({});
    await set.up([{ ...rule, action: 'deny' }]);
    expect(set.liveNames).toEqual(['deny 10.0.0.0/8']);
  });

  test('of every rule is not asked for a thousand times, and leaves nothing in state', async () => {
    const set = await RuleSetDriver.start();
    set.emulator.fault({ ...post, ...refusal, times: 'always' });
    expect(await failureOf(set.up(hosts(300)))).toMatch(/: 0 of 300 requests done, 10\d failed/);
    expect(set.kept).toBeUndefined();
  });

  test.each([
    ['delete', remove, 1, ['10.0.0.0/32', '10.0.0.1/32', '192.0.2.0/24']],
    ['create', post, 0, ['10.0.0.0/32', '10.0.0.1/32']],
  ])(
    'of a %s counts both requests, keeps what is live, and leaves nothing open',
    async (_what, request, doneCount, networks) => {
      const set = await RuleSetDriver.applied(hosts(2));
      set.emulator.fault({ ...request, ...refusal });
      const failure = await failureOf(set.up([...hosts(1), { cidr: '192.0.2.0/24', action: 'deny' }]));
      expect(failure).toContain(`${doneCount} of 2 requests done, 1 failed`);
      expectStateIsLive(set);
      expect(Object.keys(set.rules)).toEqual(networks);
      expect(set.kept?.outs).not.toHaveProperty('unsettledSince');
    },
  );

  test('of a destroy: it says what is left, and the next one deletes that', async () => {
    const set = await RuleSetDriver.applied(hosts(10));
    set.emulator.fault({ ...remove, ...refusal, times: 3 });
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

test('update: a rule that is gone is left out of state, and the next up creates it', async () => {
  const set = await RuleSetDriver.applied(hosts(3));
  set.emulator.remote.deleteRule(set.ids['10.0.0.1/32'] ?? '');
  const wanted = hosts(3).map((rule) => ({ ...rule, description: 'new' }));
  expect(await failureOf(set.up(wanted))).toContain('no longer exists');
  await set.up(wanted);
  expectStateIsLive(set);
  expect(set.live).toHaveLength(3);
});

test('create: what a failure quotes of the rules is shown, unless they are secret', async () => {
  const set = await RuleSetDriver.start();
  set.emulator.fault({ ...post, ...refusal, echo: true, times: 'always' });
  const rules = [{ cidr: '10.0.0.0/8', action: 'allow', description: 'of the vault' }] as const;
  expect(await failureOf(set.up(rules))).toContain('"description":"of the vault"');
  const failure = await failureOf(set.up(rules, { [SECRET_INPUTS_KEY]: ['rules'] }));
  // The engine marks the whole text of the rules for the plugin, the members between its values included.
  expect(failure).toContain(`returned 422: Refused: ${testedHost === 'native' ? '***' : '{"cidr":"***"'}`);
  expect(failure).not.toMatch(/of the vault|10\.0\.0\.0/);
});

describe('create: a rate limit', () => {
  test('is waited for, with lines that say how far the work is', async () => {
    const set = await RuleSetDriver.start({ switches: { rateLimit: 120 } });
    await set.up(hosts(300));
    expect(set.live).toHaveLength(300);
    expect(set.warnings).toContain(`IP policy rule set of ${policyId}: 120 of 300 requests done`);
    expect(set.warnings.length).toBeLessThanOrEqual(4);
    // None comes when the work has ended.
    const lines = [...set.warnings];
    await set.scene.clock.sleep(3_600_000);
    expect(set.warnings).toEqual(lines);
  });

  test('that outlasts one operation does not end work that makes progress', async () => {
    const set = await RuleSetDriver.start({ switches: { rateLimit: 60 } }, { operationTimeoutMs: 90_000 });
    await set.up(hosts(240));
    expect(set.live).toHaveLength(240);
  });
});

test('read: an answer about a rule of another policy is an error, and the set stays in state', async () => {
  const set = await RuleSetDriver.applied(hosts(3));
  const { kept } = set;
  const foreign = { '/ip_policy_rules/0/ip_policy/id': otherPolicyId };
  set.emulator.fault({ ...list, kind: 'mutate', set: foreign, times: 'always' });
  expect(await failureOf(set.refresh())).toContain('in another policy');
  expect(set.kept).toEqual(kept);
});

test('update: an answer with other values names the field, and not what was sent', async () => {
  const set = await RuleSetDriver.applied(hosts(2));
  const stored = { kind: 'mutate', set: { '/description': 'something else' }, times: 'always' } as const;
  set.emulator.fault({ ...patch, ...stored });
  set.emulator.fault({ method: 'GET', path: '/ip_policy_rules/{id}', ...stored });
  const failure = await failureOf(
    set.up(hosts(2).map((rule) => ({ ...rule, description: 'secret office' }))),
  );
  expect(failure).toContain('the service returned values that differ from those sent: description');
  expect(failure).not.toContain('secret office');
  expect(failure).not.toContain('internal error');
});
