// The order of a plan, and cases that random rules seldom meet; what holds for all plans is in plan.property.test.ts.
import { planChanges } from '../../../provider/src/rule-set/plan-changes';
import type { LiveRule, Rule } from '../../../provider/src/rule/rule';

const allow = (cidr: string): Rule => ({ cidr, action: 'allow' });
const deny = (cidr: string): Rule => ({ cidr, action: 'deny' });

test('denies come first and go last, and a flip is one step', () => {
  const live = [
    ...[allow('10.0.0.1/32'), allow('10.0.0.2/32'), allow('10.0.0.3/32')],
    ...[deny('10.1.0.1/32'), deny('10.1.0.2/32'), deny('10.1.0.3/32')],
  ].map((rule) => ({ ...rule, id: rule.cidr }));
  const declared = [
    ...[allow('10.2.0.1/32'), deny('10.2.0.2/32'), deny('10.0.0.1/32'), allow('10.1.0.1/32')],
    ...[
      { ...allow('10.0.0.2/32'), description: 'office' },
      { ...deny('10.1.0.2/32'), description: 'scanner' },
    ],
  ];
  const phases = planChanges(live, declared).map((phase) =>
    phase.map(({ kind, rule }) => `${kind} ${rule.cidr}`),
  );
  expect(phases).toEqual([
    ['create 10.2.0.2/32'],
    ['flip 10.0.0.1/32'],
    ['flip 10.1.0.1/32'],
    ['create 10.2.0.1/32'],
    ['delete 10.0.0.3/32'],
    ['update 10.0.0.2/32', 'update 10.1.0.2/32', 'delete 10.1.0.3/32'],
  ]);
});

test('a network in which others have set host bits becomes the declared one in place, before anything opens', () => {
  const live = [allow('10.0.0.1/8'), deny('10.1.2.3/16'), deny('10.2.0.1/16')].map((rule, id) => ({
    ...rule,
    id: `${id}`,
  }));
  const phases = planChanges(live, [allow('10.0.0.0/8'), deny('10.1.0.0/16'), deny('10.2.0.1/32')]);
  expect(phases.map((phase) => phase.map(({ kind, rule }) => `${kind} ${rule.cidr}`))).toEqual([
    ['update 10.1.2.3/16', 'create 10.2.0.1/32'],
    ['update 10.0.0.1/8'],
    ['delete 10.2.0.1/16'],
  ]);
});

const cidr = '10.0.0.0/8';
const rule = (id: string, action: 'allow' | 'deny', description?: string): LiveRule => ({
  ...{ id, cidr, action },
  ...(description === undefined ? {} : { description }),
});

test.each([
  ['says the same', [rule('a', 'allow'), rule('b', 'deny'), rule('c', 'deny', 'office')], []],
  ['has the same action', [rule('c', 'allow', 'office'), rule('a', 'deny'), rule('b', 'deny')], ['update a']],
  ['is the first, if none has it', [rule('a', 'allow'), rule('b', 'allow', 'office')], ['flip a']],
])('of several live rules for one network the one that stays %s', (_, rules, changes) => {
  const steps = planChanges(rules, [{ ...deny(cidr), description: 'office' }]).flat();
  const named = steps.map((step) => `${step.kind} ${'id' in step.rule ? step.rule.id : ''}`);
  expect(named.filter((name) => !name.startsWith('delete'))).toEqual(changes);
  expect(named.filter((name) => name.startsWith('delete'))).toHaveLength(rules.length - 1);
});
