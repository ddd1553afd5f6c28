// What a plan does in cases that random rules seldom meet; what holds for all is in plan.property.test.ts.
import { compareRules } from '../../../provider/src/rule-set/comparison';
import { planChanges, requestCount } from '../../../provider/src/rule-set/plan-changes';
import type { LiveRule, Rule } from '../../../provider/src/rule/rule';

const allow = (cidr: string): Rule => ({ cidr, action: 'allow' });
const deny = (cidr: string): Rule => ({ cidr, action: 'deny' });
const live = (rules: readonly Rule[]): LiveRule[] =>
  rules.map((rule, index) => ({ ...rule, id: `ipr_${index}` }));

/** The steps of a plan in their order, as `kind network`. */
const steps = (before: readonly Rule[], after: readonly Rule[]): string[] =>
  planChanges(live(before), after)
    .flat()
    .map(({ kind, rule }) => `${kind} ${rule.cidr}`);

describe('what moves', () => {
  const ending = [allow('10.0.0.1/32'), allow('192.0.2.1/32'), deny('10.0.0.0/24')];

  test.each([0, 1])(
    'of two allows is the one under no deny that ends, so that this one moves too (%i)',
    (turn) => {
      const [under = allow(''), apart = allow(''), over = deny('')] = ending;
      const before = turn === 0 ? [under, apart, over] : [apart, under, over];
      const after = [allow('198.51.100.1/32'), deny('203.0.113.0/24')];
      expect(requestCount(planChanges(live(before), after))).toBe(3);
      expect(steps(before, after)).toEqual([
        'delete 10.0.0.1/32',
        'update 10.0.0.0/24',
        'update 192.0.2.1/32',
      ]);
    },
  );

  test('is an allow under a deny that ends where there is no other', () => {
    const before = [allow('10.0.0.1/32'), deny('10.0.0.0/24')];
    expect(steps(before, [allow('198.51.100.1/32')])).toEqual(['update 10.0.0.1/32', 'delete 10.0.0.0/24']);
  });

  test('is not a deny over an allow that ends, whose addresses others are to let in', () => {
    const before = [allow('10.0.0.0/31'), deny('10.0.0.0/24')];
    const after = [allow('10.0.0.0/32'), allow('10.0.0.1/32'), deny('203.0.113.0/24')];
    expect(steps(before, after)).toEqual([
      'create 203.0.113.0/24',
      'create 10.0.0.0/32',
      'create 10.0.0.1/32',
      'delete 10.0.0.0/31',
      'delete 10.0.0.0/24',
    ]);
  });
});

describe('of several live rules for one network the one that stays', () => {
  const cidr = '10.0.0.0/8';
  const rule = (id: string, action: 'allow' | 'deny', description?: string): LiveRule => ({
    ...{ id, cidr, action },
    ...(description === undefined ? {} : { description }),
  });
  const declared: Rule = { cidr, action: 'deny', description: 'office' };

  test.each([
    ['says the same', [rule('a', 'allow'), rule('b', 'deny'), rule('c', 'deny', 'office')], 'c', 'kept'],
    [
      'has the same action',
      [rule('a', 'allow', 'office'), rule('b', 'deny'), rule('c', 'deny')],
      'b',
      'edited',
    ],
    ['is the first, where none has it', [rule('a', 'allow'), rule('b', 'allow', 'office')], 'a', 'flipped'],
  ])('%s', (_, rules, stays, how) => {
    const { edited, flipped, removed, added } = compareRules(rules, [declared]);
    expect(removed.map(({ id }) => id)).toEqual(rules.map(({ id }) => id).filter((id) => id !== stays));
    expect(edited.map(({ rule: { id } }) => id)).toEqual(how === 'edited' ? [stays] : []);
    expect(flipped.map(({ rule: { id } }) => id)).toEqual(how === 'flipped' ? [stays] : []);
    expect(added).toEqual([]);
  });
});
