import { announcedAs, keptRules, newPlaces } from '../../../provider/src/rule-set/claims';
import { rulesInState } from '../../../provider/src/rule-set/rules-text';
import { UNKNOWN } from '../../../provider/src/values/unknowns';

const set = (rules: string) => ({ ipPolicyId: 'ipp_1', exclusive: false, rules });
const two = '@rules\n10.0.0.0/8 allow\n192.0.2.0/24 deny\n';

describe('the places that a set is going to fill', () => {
  test('are those of all its rules where it is new, and of the added ones where it is not', () => {
    const all = ['ipp_1 allow 10.0.0.0/8', 'ipp_1 deny 192.0.2.0/24'];
    expect([...newPlaces(undefined, set(two))]).toEqual(all);
    expect([...newPlaces('@rules\n10.0.0.0/8 allow\n192.0.2.0/24 allow\n', set(two))]).toEqual(all.slice(1));
    expect([...newPlaces(two, set(two))]).toEqual([]);
  });

  test('are not known where an action, or all of it, is not', () => {
    const open = '@rules\n10.0.0.0/8 (unknown)\n192.0.2.0/24 deny\n';
    expect([...newPlaces(undefined, set(open))]).toEqual(['ipp_1 deny 192.0.2.0/24']);
    expect([...newPlaces(undefined, set(UNKNOWN))]).toEqual([]);
  });
});

describe('the live rules that a set goes on standing for', () => {
  const live = [
    { id: 'ipr_1', cidr: '10.0.0.0/8', action: 'allow' as const },
    { id: 'ipr_2', cidr: '192.0.2.0/24', action: 'deny' as const },
  ];
  const olds = { ...set(''), ...rulesInState(live) };
  const kept = (rules: string): string[] => keptRules('set', olds, set(rules)).map(({ id }) => id);

  test('are those that are declared alike in network and action', () => {
    expect(keptRules('set', olds, set(olds.rules))[0]).toEqual({
      ...{ id: 'ipr_1', place: 'ipp_1 allow 10.0.0.0/8', holder: 'set' },
    });
    expect(kept('@rules\n10.0.0.0/8 allow "office"\n192.0.2.0/24 allow\n')).toEqual(['ipr_1']);
  });

  test('are all of them as long as the new rules are not known', () => {
    expect(kept(UNKNOWN)).toEqual(['ipr_1', 'ipr_2']);
  });
});

test('the operations of two sets are told apart by their policies and rules', () => {
  const other = { ...set(two), ipPolicyId: 'ipp_2' };
  expect(new Set([set(two), set('@rules\n'), other].map(announcedAs)).size).toBe(3);
});
