// Sets whose requests stay without an answer for good, whatever is asked afterwards, and what the next `up` makes of it.
import type { Fault } from '../../../emulator/src/index';
import { otherPolicyId, policyId } from '../../support/ids';
import {
  type Declared,
  expectStateIsLive,
  failureOf,
  hosts,
  list,
  look,
  patch,
  post,
  RuleSetDriver,
} from './driver';

/** A service that does not refuse what is there already. */
const switches = { duplicateCidr: 'accepted' } as const;
const forbidden = { kind: 'status', status: 403, body: {}, times: 'always' } as const;

/** What the service does to requests for as long as the work takes. */
async function during<T>(set: RuleSetDriver, faults: readonly Fault[], work: () => Promise<T>): Promise<T> {
  const handles = faults.map((fault) => set.emulator.fault(fault));
  try {
    return await work();
  } finally {
    for (const handle of handles) handle.remove();
  }
}

/** A rule of the policy that somebody makes. */
const wire = { action: 'allow', ip_policy_id: policyId } as const;

const described = (description: string): Declared[] => hosts(2).map((rule) => ({ ...rule, description }));
const texts = (set: RuleSetDriver) => set.live.map(({ description }) => description);

describe('update: a program that goes back after', () => {
  test('an update that nobody could look up writes the old texts again', async () => {
    const set = await RuleSetDriver.applied(described('old'));
    const lost: Fault = { ...patch, kind: 'reset', when: 'after', times: 'always' };
    const failed = during(set, [lost, { ...look, ...forbidden }], () => failureOf(set.up(described('new'))));
    expect(await failed).toContain('0 of 2 requests done, 2 failed');
    expect(texts(set)).toEqual(['new', 'new']);
    await set.up(described('old'));
    expect(texts(set)).toEqual(['old', 'old']);
    expect(await set.up(described('old'))).toBe(false);
  });

  test('an update whose effect is not to be seen yet leaves nothing of it, though it comes later', async () => {
    const set = await RuleSetDriver.applied(described('old'));
    const lost: Fault = { ...patch, kind: 'reset', times: 'always' };
    await during(set, [lost], () => failureOf(set.up(described('new'))));
    expect(Object.values(set.rules)).toEqual(Array(2).fill({ action: 'allow', description: 'old' }));
    for (const { id } of set.live) set.emulator.remote.updateRule(id, { description: 'new' });
    await set.up(described('old'));
    expect(texts(set)).toEqual(['old', 'old']);
  });
});

describe('create: one that is lost for good', () => {
  const lost: readonly Fault[] = [
    { ...post, kind: 'reset', when: 'after' },
    { ...list, ...forbidden },
  ];

  test('in a run without any answer is found by an up at once, though lists lag and our clock is behind', async () => {
    const set = await RuleSetDriver.start({ skewMs: 100_000 });
    await set.up(hosts(1));
    set.scene.clock.pass(600_000);
    set.emulator.setSwitches({ listLagMs: 10_000, duplicateCidr: 'accepted' });
    const silent: readonly Fault[] = [
      { ...post, kind: 'reset', when: 'after', times: 1 },
      { ...post, kind: 'reset', times: 'always' },
      { ...list, kind: 'reset', times: 'always' },
    ];
    await during(set, silent, () => failureOf(set.up(hosts(2))));
    await set.up(hosts(2));
    expect(set.liveNames).toEqual(['allow 10.0.0.0/32', 'allow 10.0.0.1/32']);
    expectStateIsLive(set);
  });

  test('and that several rules could be by then ends in naming them, and changes nothing', async () => {
    const set = await RuleSetDriver.start({ switches });
    await during(set, lost, () => failureOf(set.up(hosts(1))));
    const other = set.emulator.remote.createRule({ ...wire, cidr: '10.0.0.0/32' });
    const [first] = set.live;
    const failure = await failureOf(set.up(hosts(1)));
    expect(failure).toContain('create of this set was lost in an earlier run, and several rules');
    expect(failure).toContain(first?.id);
    expect(failure).toContain(other.id);
    expect(set.live).toHaveLength(2);
  });

  test('is the one with the declared texts, where somebody has made one with others', async () => {
    const declared: Declared[] = [{ cidr: '10.0.0.0/8', action: 'allow', description: 'office' }];
    const set = await RuleSetDriver.start({ switches });
    await during(set, lost, () => failureOf(set.up(declared)));
    const [own] = set.live;
    set.emulator.remote.createRule({ ...wire, cidr: '10.0.0.0/8' });
    await set.up(declared);
    expect(set.ids).toEqual({ '10.0.0.0/8': own?.id });
    expect(set.warnings).toEqual([
      `The response to a create of this set was lost in an earlier run; the rule exists as ${own?.id} and was taken over.`,
    ]);
  });
});

describe('create: one that was lost, and a rule that may be older than it', () => {
  const cidr = '10.0.0.1/32';
  const doubt = 'and a rule matches that may be older';

  /** A set of one rule, whose second was lost; somebody made an equal one 3 s before, or `created_at` is 2 s behind `Date`. */
  const start = async (isOfOthers: boolean) => {
    const createdAtAheadMs = isOfOthers ? 0 : -2_000;
    const set = await RuleSetDriver.start({ switches: { ...switches, createdAtAheadMs } });
    await set.up(hosts(1));
    set.scene.clock.pass(60_000);
    if (isOfOthers) set.emulator.remote.createRule({ ...wire, cidr });
    set.scene.clock.pass(3_000);
    const lost: Fault = { ...post, kind: 'reset', ...(isOfOthers ? {} : { when: 'after' }) };
    await during(set, [lost, { ...list, ...forbidden }], () => failureOf(set.up(hosts(2))));
    set.scene.clock.pass(60_000);
    const [doubtful] = set.live.filter((rule) => rule.cidr === cidr);
    return { set, doubtful: doubtful?.id ?? '' };
  };

  test.each([true, false])(
    'of others: %j; an up names it, and neither adopts it nor creates a second one; the next up creates the rule',
    async (isOfOthers) => {
      const { set, doubtful } = await start(isOfOthers);
      set.requests();
      const failure = await failureOf(set.up(hosts(2)));
      expect(failure).toContain(doubt);
      expect(failure).toContain(doubtful);
      expect(set.requests()).not.toContain('POST');
      expect(Object.keys(set.ids)).toEqual(['10.0.0.0/32']);
      if (!isOfOthers) set.emulator.remote.deleteRule(doubtful);
      await set.up(hosts(2));
      expect(set.live).toHaveLength(isOfOthers ? 3 : 2);
      expect(Object.values(set.ids)).not.toContain(doubtful);
      expect(await set.up(hosts(2))).toBe(false);
    },
  );

  test('dated before its request by a slow clock: the next up finds it by the start of the run', async () => {
    const set = await RuleSetDriver.start({ switches: { ...switches, createdAtAheadMs: -2_000 } });
    await set.up(hosts(1));
    const faults: Fault[] = [
      { ...post, kind: 'status', status: 429, headers: { 'Retry-After': '10' } },
      { ...post, kind: 'reset', when: 'after', nth: 2 },
    ];
    const failure = await during(set, faults, () => failureOf(set.up(hosts(2))));
    expect(failure).toContain('it is unclear which rule it created');
    await set.up(hosts(2));
    expect(await set.up(hosts(2))).toBe(false);
    expectStateIsLive(set);
  });

  test('is named by a destroy, which deletes the others', async () => {
    const { set, doubtful } = await start(false);
    await set.destroy();
    expect(set.warnings).toEqual([
      expect.stringContaining(`${doubt} than the create: ${doubtful}. Delete it`),
    ]);
    expect(set.live.map(({ id }) => id)).toEqual([doubtful]);
  });

  test('by a clock that was seen to be 8 s ahead is not adopted', async () => {
    const set = await RuleSetDriver.start(
      { switches: { ...switches, createdAtAheadMs: 8_000 } },
      { maxConcurrency: 1 },
    );
    set.emulator.remote.createRule({ ...wire, cidr });
    set.scene.clock.pass(3_000);
    const lost: Fault = { ...post, kind: 'reset', nth: 2 };
    await during(set, [lost, { ...list, ...forbidden }], () => failureOf(set.up(hosts(2))));
    set.scene.clock.pass(60_000);
    const [others] = set.live.filter((rule) => rule.cidr === cidr);
    expect(await failureOf(set.up(hosts(2)))).toContain(doubt);
    await set.up(hosts(2));
    expect(Object.values(set.ids)).not.toContain(others?.id);
  });
});

test.each([
  ['a rule of another policy', { ip_policy_id: otherPolicyId }, 'later'],
  ['an older rule for the network', {}, 'earlier'],
  ['a rule of the other action', { action: 'deny' }, 'later'],
  ['a rule for another network', { cidr: '192.0.2.0/24' }, 'later'],
] as const)(
  'create: one that was lost and made nothing is done anew beside %s, which stays, as do the rules of the set',
  async (_, other, order) => {
    const set = await RuleSetDriver.start({ switches });
    const make = (): void => void set.emulator.remote.createRule({ ...wire, cidr: '10.0.0.2/32', ...other });
    if (order === 'earlier') make();
    set.scene.clock.pass(60_000);
    await set.up(hosts(2));
    const lost: Fault = { ...post, kind: 'reset' };
    await during(set, [lost, { ...list, ...forbidden }], () => failureOf(set.up(hosts(3))));
    if (order === 'later') make();
    const before = set.ids;
    // By then every list must show what the lost create may have made.
    set.scene.clock.pass(60_000);
    set.requests();
    await set.up(hosts(3));
    expect(set.ids).toMatchObject(before);
    expect(set.requests()).toEqual(['LIST', 'POST']);
    expect(set.emulator.state().rules).toHaveLength(4);
    expect(set.warnings).toEqual([]);
  },
);

test('create: a run in which a hundred answers were lost stops, keeps what it has found, and the next up does the rest', async () => {
  const set = await RuleSetDriver.start();
  const lost: Fault = { ...post, kind: 'reset', when: 'after', times: 'always' };
  const failure = await during(set, [lost], () => failureOf(set.up(hosts(120))));
  expect(failure).toContain('stopped after too many lost responses');
  expect(set.live.length).toBeLessThan(110);
  expectStateIsLive(set);
  await set.up(hosts(120));
  expect(set.live).toHaveLength(120);
});
