import fc from 'fast-check';
import { compareRules } from '../../../provider/src/rule-set/comparison';
import { planChanges, requestCount } from '../../../provider/src/rule-set/plan-changes';
import type { LiveRule, Rule } from '../../../provider/src/rule/rule';
import { overlaps, parseCidr, type Cidr } from '../../../provider/src/values/cidr';
import { requestsOf, SimulatedPolicy } from './simulated-policy';

// Sixteen addresses and every network in them: small enough that overlaps, flips and swaps come up all the time.
const networks = [28, 29, 30, 31, 32].flatMap((length) =>
  Array.from({ length: 2 ** (length - 28) }, (_, index) => `10.0.0.${index * 2 ** (32 - length)}/${length}`),
);

const ruleFor = (cidr: string): fc.Arbitrary<Rule> =>
  fc
    .record({
      action: fc.constantFrom<'allow' | 'deny'>('allow', 'deny'),
      description: fc.constantFrom(undefined, 'office', 'partner'),
    })
    .map(({ action, description }) => ({
      cidr,
      action,
      ...(description === undefined ? {} : { description }),
    }));

const rulesFor = (cidrs: fc.Arbitrary<string[]>): fc.Arbitrary<Rule[]> =>
  cidrs.chain((chosen) => fc.tuple(...chosen.map(ruleFor)));

const withIds = (rules: readonly Rule[]): LiveRule[] =>
  rules.map((rule, index) => ({ ...rule, id: `old-${index}` }));

const declared = rulesFor(fc.subarray(networks, { maxLength: 10 }));
const unique = rulesFor(fc.subarray(networks, { maxLength: 10 })).map(withIds);
const repeated = rulesFor(fc.array(fc.constantFrom(...networks), { maxLength: 10 })).map(withIds);
const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });

const picker = (numbers: readonly number[]): ((count: number) => number) => {
  let turn = 0;
  return (count) => (numbers[turn++ % numbers.length] ?? 0) % count;
};

const without = (rules: readonly LiveRule[]): Rule[] => rules.map(({ id: _id, ...rule }) => rule);
const byNetwork = (a: Rule, b: Rule): number => (a.cidr < b.cidr ? -1 : 1);

describe.each([
  { service: 'refuses two rules for one network', live: unique, refusesDuplicates: true },
  { service: 'accepts two rules for one network', live: repeated, refusesDuplicates: false },
])('a service that $service', ({ live, refusesDuplicates }) => {
  test('the plan, in whatever order its phases allow, ends in the declared rules', () => {
    fc.assert(
      fc.property(live, declared, picks, (before, after, numbers) => {
        const policy = new SimulatedPolicy(before, { refusesDuplicates });
        const pick = picker(numbers);
        for (const phase of planChanges(before, after))
          requestsOf(phase, pick).forEach((send) => {
            send(policy);
          });
        expect(without(policy.rules).sort(byNetwork)).toEqual([...after].sort(byNetwork));
        expect(planChanges(policy.rules, after)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('no address is let in on the way that is let in neither before nor after', () => {
    fc.assert(
      fc.property(live, declared, picks, (before, after, numbers) => {
        const policy = new SimulatedPolicy(before, { refusesDuplicates });
        const open = policy.letsIn() | new SimulatedPolicy(withIds(after), { refusesDuplicates }).letsIn();
        const pick = picker(numbers);
        for (const phase of planChanges(before, after)) {
          for (const send of requestsOf(phase, pick)) {
            send(policy);
            expect(policy.letsIn() & ~open).toBe(0);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a plan that stops anywhere can be taken up from what is there', () => {
    fc.assert(
      fc.property(live, declared, picks, fc.nat({ max: 20 }), (before, after, numbers, stop) => {
        const policy = new SimulatedPolicy(before, { refusesDuplicates });
        const pick = picker(numbers);
        const requests = planChanges(before, after).flatMap((phase) => requestsOf(phase, pick));
        requests.slice(0, stop).forEach((send) => {
          send(policy);
        });
        for (const phase of planChanges(policy.rules, after))
          requestsOf(phase, pick).forEach((send) => {
            send(policy);
          });
        expect(without(policy.rules).sort(byNetwork)).toEqual([...after].sort(byNetwork));
      }),
      { numRuns: 1000 },
    );
  });
});

test('an address that is let in before and after is never shut out by allows that come and go', () => {
  const allows = (rules: readonly Rule[]): Rule[] => rules.filter(({ action }) => action === 'allow');
  fc.assert(
    fc.property(unique, declared, picks, (before, after, numbers) => {
      const policy = new SimulatedPolicy(withIds(allows(before)), { refusesDuplicates: true });
      const stays =
        policy.letsIn() & new SimulatedPolicy(withIds(allows(after)), { refusesDuplicates: true }).letsIn();
      const pick = picker(numbers);
      for (const phase of planChanges(policy.rules, allows(after))) {
        for (const send of requestsOf(phase, pick)) {
          send(policy);
          expect(stays & ~policy.letsIn()).toBe(0);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

const read = (cidr: string): Cidr => {
  const parsed = parseCidr(cidr);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.cidr;
};

/** The most pairs there can be, found by trying them all. */
function mostPairs(removed: readonly Rule[], added: readonly Rule[]): number {
  const mayMove = (rule: Rule, to: Rule): boolean =>
    added.every((other) => other === to || !overlaps(read(rule.cidr), read(other.cidr)));
  const most = ([rule, ...others]: readonly Rule[], free: readonly Rule[]): number => {
    if (rule === undefined) return 0;
    const targets = free.filter((to) => mayMove(rule, to));
    return Math.max(
      most(others, free),
      ...targets.map(
        (to) =>
          1 +
          most(
            others,
            free.filter((each) => each !== to),
          ),
      ),
    );
  };
  return most(removed, added);
}

test('rules of one action take as few requests as there can be', () => {
  const networksOfOne = fc.subarray(networks, { maxLength: 5 });
  fc.assert(
    fc.property(
      networksOfOne,
      networksOfOne,
      fc.constantFrom<'allow' | 'deny'>('allow', 'deny'),
      (from, to, action) => {
        const before = withIds(from.map((cidr) => ({ cidr, action })));
        const after = to.map((cidr) => ({ cidr, action }));
        const { removed, added } = compareRules(before, after);
        const least = removed.length + added.length - mostPairs(removed, added);
        expect(requestCount(planChanges(before, after))).toBe(least);
      },
    ),
    { numRuns: 200 },
  );
});

test('rules that do not overlap take one request per edit, two per flip, and one per removed or added rule', () => {
  const hosts = rulesFor(
    fc.subarray(
      networks.filter((cidr) => cidr.endsWith('/32')),
      { maxLength: 12 },
    ),
  );
  fc.assert(
    fc.property(hosts, hosts, (from, after) => {
      const before = withIds(from);
      const { edited, flipped, removed, added } = compareRules(before, after);
      const pairs = (action: string): number =>
        Math.max(...[removed, added].map((rules) => rules.filter((rule) => rule.action === action).length));
      const least = edited.length + 2 * flipped.length + pairs('allow') + pairs('deny');
      expect(requestCount(planChanges(before, after))).toBe(least);
    }),
    { numRuns: 1000 },
  );
});
