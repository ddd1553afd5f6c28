import type { LiveRule } from '../../../provider/src/rule-set/rule';
import { idsByKey, liveRulesInState, rulesInState } from '../../../provider/src/rule-set/rules-text';

const rule = (id: string, cidr: string, rest: Partial<LiveRule> = {}): LiveRule => ({
  id,
  cidr,
  action: 'allow',
  ...rest,
});

test('state holds the ids in the order of the networks, and the rules come back from it', () => {
  const live = [
    rule('ipr_c', '2001:db8::/32', { description: 'six' }),
    rule('ipr_b', '192.0.2.0/24', { action: 'deny', metadata: '{"a":1}' }),
    rule('ipr_a', '10.0.0.0/8'),
  ];
  const state = rulesInState(live);
  expect(state.ruleIdList).toBe('ipr_a ipr_b ipr_c');
  expect(liveRulesInState(state)).toEqual([live[2], live[1], live[0]]);
  expect(idsByKey(state)).toEqual({
    '10.0.0.0/8': 'ipr_a',
    '192.0.2.0/24': 'ipr_b',
    '2001:db8::/32': 'ipr_c',
  });
});

test('rules for the same network, and texts that are no network, keep their ids apart', () => {
  const live = [
    rule('ipr_1', 'not a network: 7'),
    rule('ipr_2', '10.0.0.0/8'),
    rule('ipr_3', '10.0.0.0/8', { action: 'deny' }),
    rule('ipr_4', '9.0.0.0/8'),
  ];
  const state = rulesInState(live);
  expect(Object.keys(idsByKey(state))).toEqual([
    '9.0.0.0/8',
    '10.0.0.0/8',
    '10.0.0.0/8 (duplicate 2)',
    'not a network: 7',
  ]);
  expect(new Set(liveRulesInState(state))).toEqual(new Set(live));
});

test('an empty set, and no state at all, hold no rules', () => {
  expect(liveRulesInState(rulesInState([]))).toEqual([]);
  expect(liveRulesInState({})).toEqual([]);
});

test('state whose ids do not match its rules is refused: a wrong id would delete the wrong rule', () => {
  const { rules } = rulesInState([rule('ipr_a', '10.0.0.0/8')]);
  expect(() => liveRulesInState({ rules, ruleIdList: 'ipr_a ipr_b' })).toThrow('holds 1 rules and 2 ids');
});

test('ten thousand rules with short descriptions take less than 200 bytes each in state, inputs and outputs together', () => {
  const live = Array.from({ length: 10_000 }, (_, index) =>
    rule(`ipr_${String(index).padStart(27, 'x')}`, `10.${index >> 8}.${index & 255}.0/24`, {
      description: `site ${index}`,
    }),
  );
  const { rules, ruleIdList } = rulesInState(live);
  const bytes = Buffer.byteLength(JSON.stringify({ inputs: { rules }, outputs: { rules, ruleIdList } }));
  expect(bytes / live.length).toBeLessThan(200);
});
