// What holds for every plan, on a small policy that a model can be asked about address by address.
import fc from 'fast-check';
import {
  planChanges,
  requestCount,
  type Phase,
  type RuleStep,
} from '../../../provider/src/rule-set/plan-changes';
import type { LiveRule, Rule } from '../../../provider/src/rule/rule';
import { parseCidr } from '../../../provider/src/values/cidr';

/** A policy as the service holds it. */
class SimulatedPolicy {
  readonly rules: LiveRule[];
  private created = 0;

  constructor(
    rules: readonly LiveRule[],
    private readonly refusesDuplicates: boolean,
  ) {
    this.rules = [...rules];
  }

  send(request: Request): void {
    const { id, becomes } = request;
    const at = this.rules.findIndex((rule) => rule.id === id);
    const [rule] = id === undefined ? [] : this.rules.splice(at, at < 0 ? 0 : 1);
    if (id !== undefined && rule === undefined) throw new Error(`there is no rule ${id}`);
    if (becomes === undefined) return;
    if (rule !== undefined && (rule.action !== becomes.action || rule.cidr !== becomes.cidr))
      throw new Error('only the texts of a rule change in place');
    if (this.refusesDuplicates && this.rules.some(({ cidr }) => cidr === becomes.cidr))
      throw new Error(`the policy already has a rule for ${becomes.cidr}`);
    this.rules.push({ ...becomes, id: id ?? `new-${++this.created}` });
  }

  /** The addresses that are let in (under an allow, and under no deny), as bits of a number. */
  letsIn(): number {
    const under = (action: string): number =>
      this.rules.reduce((bits, rule) => (rule.action === action ? bits | addressesIn(rule.cidr) : bits), 0);
    return under('allow') & ~under('deny');
  }
}

const known = new Map<string, number>();

/** The addresses of a network in 10.0.0.0/28, as bits of a number. */
function addressesIn(text: string): number {
  const earlier = known.get(text);
  if (earlier !== undefined) return earlier;
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  let bits = 0;
  for (let at = BigInt(parsed.cidr.first); at <= parsed.cidr.last; at += 1n) bits |= 1 << Number(at & 15n);
  known.set(text, bits);
  return bits;
}

/** A POST has no id, a DELETE has no rule that it leads to, and a PATCH has both. */
interface Request {
  readonly id?: string;
  readonly becomes?: Rule;
}

function requestsOfStep(step: RuleStep): Request[] {
  if (step.kind === 'create') return [{ becomes: step.rule }];
  const { id } = step.rule;
  if (step.kind === 'delete') return [{ id }];
  const { becomes } = step;
  return step.kind === 'update' ? [{ id, becomes }] : [{ id }, { becomes }];
}

/** The requests of a plan in an order that a service might see: the steps of a phase interleave. */
function requestsOf(plan: readonly Phase[], numbers: readonly number[]): Request[] {
  let turn = 0;
  return plan.flatMap((phase) => {
    const queues = phase.map(requestsOfStep);
    const ordered: Request[] = [];
    while (queues.length > 0) {
      const at = (numbers[turn++ % numbers.length] ?? 0) % queues.length;
      ordered.push(...(queues[at]?.splice(0, 1) ?? []));
      if (queues[at]?.length === 0) queues.splice(at, 1);
    }
    return ordered;
  });
}

// Sixteen addresses and every network in them: small enough that overlaps, flips and swaps come up all the time.
const networks = [28, 29, 30, 31, 32].flatMap((length) =>
  Array.from({ length: 2 ** (length - 28) }, (_, index) => `10.0.0.${index * 2 ** (32 - length)}/${length}`),
);

const rulesFor = (cidrs: fc.Arbitrary<string[]>): fc.Arbitrary<Rule[]> => {
  const rest = fc.record(
    {
      action: fc.constantFrom<'allow' | 'deny'>('allow', 'deny'),
      description: fc.constantFrom('office', 'partner'),
    },
    { requiredKeys: ['action'] },
  );
  return cidrs.chain((chosen) => fc.tuple(...chosen.map((cidr) => rest.map((rule) => ({ cidr, ...rule })))));
};

const withIds = (rules: readonly Rule[]): LiveRule[] =>
  rules.map((rule, index) => ({ ...rule, id: `old-${index}` }));

const declared = rulesFor(fc.subarray(networks, { maxLength: 10 }));
const unique = rulesFor(fc.subarray(networks, { maxLength: 10 })).map(withIds);
const repeated = rulesFor(fc.array(fc.constantFrom(...networks), { maxLength: 10 })).map(withIds);
const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
const runs = { numRuns: 1000 };

const without = (rules: readonly LiveRule[]): Rule[] => rules.map(({ id: _id, ...rule }) => rule);
const sorted = (rules: readonly Rule[]): Rule[] => [...rules].sort((a, b) => (a.cidr < b.cidr ? -1 : 1));

describe.each([
  { service: 'refuses two rules for one network', live: unique, refusesDuplicates: true },
  { service: 'accepts two rules for one network', live: repeated, refusesDuplicates: false },
])('a service that $service', ({ live, refusesDuplicates }) => {
  test('no address is let in on the way that is let in neither before nor after', () => {
    fc.assert(
      fc.property(live, declared, picks, (before, after, numbers) => {
        const policy = new SimulatedPolicy(before, refusesDuplicates);
        const open = policy.letsIn() | new SimulatedPolicy(withIds(after), refusesDuplicates).letsIn();
        for (const request of requestsOf(planChanges(before, after), numbers)) {
          policy.send(request);
          expect(policy.letsIn() & ~open).toBe(0);
        }
      }),
      runs,
    );
  });

  test('a plan that stops anywhere, in whatever order its phases allow, can be taken up from what is there', () => {
    fc.assert(
      fc.property(live, declared, picks, fc.nat({ max: 20 }), (before, after, numbers, stop) => {
        const policy = new SimulatedPolicy(before, refusesDuplicates);
        for (const request of requestsOf(planChanges(before, after), numbers).slice(0, stop))
          policy.send(request);
        for (const request of requestsOf(planChanges(policy.rules, after), numbers)) policy.send(request);
        expect(sorted(without(policy.rules))).toEqual(sorted(after));
        expect(planChanges(policy.rules, after)).toEqual([]);
      }),
      runs,
    );
  });
});

test('an address that is let in before and after is never shut out by allows that come and go', () => {
  const allows = (rules: readonly Rule[]): LiveRule[] =>
    withIds(rules.filter(({ action }) => action === 'allow'));
  fc.assert(
    fc.property(unique, declared, picks, (before, after, numbers) => {
      const policy = new SimulatedPolicy(allows(before), true);
      const stays = policy.letsIn() & new SimulatedPolicy(allows(after), true).letsIn();
      for (const request of requestsOf(planChanges(policy.rules, without(allows(after))), numbers)) {
        policy.send(request);
        expect(stays & ~policy.letsIn()).toBe(0);
      }
    }),
    runs,
  );
});

test('an unchanged rule takes no request, another action two, and any other change one', () => {
  fc.assert(
    fc.property(unique, declared, (before, after) => {
      const costOf = (cidr: string): number => {
        const [from, to] = [before, after].map((rules) => rules.find((rule) => rule.cidr === cidr));
        if (from === undefined || to === undefined) return from === to ? 0 : 1;
        if (from.action !== to.action) return 2;
        return from.description === to.description ? 0 : 1;
      };
      const cost = networks.reduce((sum, cidr) => sum + costOf(cidr), 0);
      expect(requestCount(planChanges(before, after))).toBe(cost);
    }),
    runs,
  );
});
