// With --live, what is on the service and not in the stack counts before and after the change.
import type { ServiceRule } from '../../../provider/src/rule/rule';
import { added, office, policyRule, removed, ruleSet, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, rule, setInputs, within } from './inputs';
import { demanding, newIds, reviewed, told } from './reviewing';

const live = (id: string, cidr: string, action: ServiceRule['action'] = 'allow'): ServiceRule => ({
  ...{ id, cidr, action, ipPolicyId: 'ipp_1' },
  ...{ uri: '', createdAt: '' },
});
/** What the stack manages, as the service has it if nobody else has been at work. */
const managed = (...resources: MadeResource[]): ServiceRule[] =>
  resources.flatMap(({ type, name, before: { cidr, action } = {} }) =>
    type === 'IpPolicyRule' && typeof cidr === 'string'
      ? [live(`id-${name}`, cidr, action as ServiceRule['action'])]
      : [],
  );
const liveModules = [
  {
    origin: { urn: 'edgtcp_1', name: 'edgtcp_1', type: 'TcpEdgeTrafficPolicyModule' },
    inputs: edgeInputs(denyIf(within('8.8.8.0/24'))),
    outputs: {},
  },
] as const;
const gone = removed('office', rule('8.8.8.0/24'));
const lines = ['9.9.9.0/24: allow'];

test.each(
  Object.entries<[resources: MadeResource[], liveRules: ServiceRule[], found: string[]]>({
    'a rule of the stack is not counted twice, neither by its id nor as part of a set': [
      [gone, ruleSet('set', { before: setInputs(lines) })],
      [live('id-office', '8.8.8.0/24'), live('ipr_of_set', '9.9.9.0/24')],
      ['nobody-let-in'],
    ],
    'a rule with the content of one of the stack is another one, and stays when that one goes': [
      [gone],
      [live('id-office', '8.8.8.0/24'), live('ipr_foreign', '8.8.8.0/24')],
      [],
    ],
    'an exclusive set ends the rules that are not its own, and they are in its way': [
      [ruleSet('set', { after: setInputs(lines, true) })],
      [live('ipr_foreign', '8.8.8.0/24')],
      ['up-would-fail', 'access-narrowed', 'access-widened'],
    ],
    'what is taken over was there before': [
      [office, added('guest', { ...rule('8.8.8.8/32'), overwriteExisting: true })],
      [live('ipr_foreign', '8.8.8.8/32', 'deny')],
      ['access-widened', 'rule-covered'],
    ],
    'a module begins with the one that it takes over': [
      [tcp('edge', { after: { ...edgeInputs(), overwriteExisting: true } })],
      [],
      ['protection-lost', 'traffic-rule-changed'],
    ],
    'a rule that nobody manages is in the way of a new one': [
      [office, added('guest', rule('9.9.9.0/24'))],
      [live('ipr_foreign', '9.9.9.0/24', 'deny')],
      ['up-would-fail', 'allow-without-effect'],
    ],
    'so is a module': [
      [tcp('guest', { after: edgeInputs() })],
      [],
      ['protection-lost', 'up-would-fail', 'traffic-rule-changed'],
    ],
  }),
)('%s', (_fact, [resources, liveRules, found]) => {
  const held = [...managed(...resources), ...liveRules];
  const report = reviewed(resources, { liveRules: held, liveModules });
  expect(newIds(report)).toEqual(found);
  for (const text of told(report, 'up-would-fail'))
    expect(text).toContain('which this stack does not manage');
});

test('a single rule takes over one rule of a network, not several; a set takes over all', () => {
  const liveRules = [live('ipr_one', '9.9.9.0/24'), live('ipr_two', '9.9.9.0/24', 'deny')];
  const forced = { ...rule('9.9.9.0/24'), overwriteExisting: true };
  const judged = (resource: MadeResource, count: number) =>
    reviewed([office, resource], {
      ...{ liveRules: liveRules.slice(0, count), liveModules },
      assumptions: { duplicateNetworks: 'accepted' },
    });
  expect(told(judged(added('guest', forced), 2), 'up-would-fail')).toEqual([
    'high up-would-fail: The up stops at "guest": it needs "9.9.9.0/24" of "ipp_1", held by "ipr_one" and at least one more rule, but a single rule takes over only one: delete the others first.',
  ]);
  expect(newIds(judged(added('guest', forced), 1))).not.toContain('up-would-fail');
  const set = ruleSet('set', { after: { ...setInputs(lines), overwriteExisting: true } });
  expect(newIds(judged(set, 2))).not.toContain('up-would-fail');
});

test('two new declarations of a network, of which one may overwrite: on a service that accepts both, the order decides', () => {
  const judged = (more: object) =>
    reviewed(
      [office, added('a', { ...rule('9.9.9.0/24'), ...more }), ruleSet('b', { after: setInputs(lines) })],
      {
        assumptions: { duplicateNetworks: 'accepted' },
      },
    );
  expect(told(judged({ overwriteExisting: true }), 'up-would-fail')).toEqual([
    'high up-would-fail: The up may stop at "a": it needs "9.9.9.0/24" of "ipp_1", also declared by "b".',
  ]);
  expect(newIds(judged({}))).not.toContain('up-would-fail');
});

test.each([
  ['10.0.0.1/8', 'can be read as "10.0.0.0/8" and "10.0.0.1/32"'],
  ['office-lan', 'cannot be read'],
])('a rule for %s, which no program can declare, is named, and leaves the rest decidable', (cidr, how) => {
  const liveRules = [live('ipr_allow', cidr), live('ipr_deny', cidr, 'deny')];
  const judged = (resource: MadeResource) =>
    reviewed([resource], { liveRules: [...managed(resource), ...liveRules], noNewAccess: true });
  expect(judged(office).verdict).toMatchObject({ outcome: 'clear', affectsAccess: false });
  expect(told(judged(office), 'rule-not-declarable').join()).toContain(`The "cidr" of "ipr_allow" ${how}`);
  expect(judged(gone).verdict.outcome).not.toBe('not-decidable');
  expect(judged(added('lan', rule('10.9.0.0/16'))).verdict.outcome).toBe('findings');
});

describe('what others have done to what the stack manages', () => {
  const mustDeny = demanding({ mustDeny: ['8.8.8.1'] });
  const set = (before: readonly string[], after = before): MadeResource =>
    ruleSet('set', {
      ...{ before: setInputs(before), after: setInputs(after) },
      state: { outputs: { ...setInputs(before), ruleIdList: before.map((_, at) => `ipr_${at}`).join('\n') } },
    });

  test('an update sends what differs from the state, and leaves the rest as others have made it', () => {
    const turned = policyRule('it', { before: rule('8.8.8.0/24'), after: rule('8.8.8.0/24', 'deny') });
    const at = (cidr: string) =>
      reviewed([office, turned], { liveRules: [...managed(office), live('id-it', cidr)] });
    expect(newIds(at('9.9.9.0/24'))).toContain('access-narrowed');
    expect(told(at('9.9.9.0/24'), 'access-narrowed').join()).toContain('9.9.9.0/24');
    expect(told(at('8.8.8.0/24'), 'access-narrowed').join()).not.toContain('9.9.9.0/24');
  });

  test('a set keeps what it does not send as it is', () => {
    const [allow, denied] = ['8.8.8.0/24: allow', '8.8.8.0/28: deny'];
    const both = set([denied, allow], [denied, allow, '9.9.9.9/32: allow']);
    const held = [live('ipr_0', '8.8.8.0/28', 'deny'), live('ipr_1', '8.8.8.0/24')];
    expect(newIds(reviewed([both], { ...mustDeny, liveRules: held }))).toEqual(['access-widened']);
    const [, ...left] = held;
    const report = reviewed([both], { ...mustDeny, liveRules: left });
    expect(newIds(report)).toEqual(['access-widened', 'state-drifted']);
    expect(told(report, 'assertion-failed')).toHaveLength(1);
  });

  test('a module that leaves is gone, also if it has been read', () => {
    const leaving = tcp('edge', { before: edgeInputs(denyIf(within('8.8.8.0/24'))) });
    const report = reviewed([leaving], { liveRules: [], liveModules });
    expect(newIds(report)).toContain('protection-lost');
    expect(report.verdict.affectsAccess).toBe(true);
  });
});
