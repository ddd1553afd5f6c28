import fc from 'fast-check';
import { contributorsTo } from '../../../../review/src/access/rule-effects';
import { type PolicyChange, policyChanges } from '../../../../review/src/access/policy-change';
import type { AddressAccess } from '../../../../review/src/access/subject-access';
import type { IpModel } from '../../../../review/src/access/evaluation-model';
import { policyRule, stackOf, type MadeResource } from '../preview-builder';
import { SECRET } from '../inputs';
import { ADDRESSES, assumed, getsIn, isInNetwork, network, type Admission, wrongAt } from './addresses';

/** What a preview shows of a rule: each part plainly, or as a secret. */
interface Shown {
  readonly cidr: string;
  readonly action: string;
  readonly policy: string;
}

const mostly = <T>(plain: fc.Arbitrary<T>, other: T) =>
  fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: fc.constant(other) });
const shown: fc.Arbitrary<Shown> = fc.record({
  cidr: mostly(network, SECRET),
  action: mostly(fc.constantFrom('allow', 'deny'), SECRET),
  policy: mostly(fc.constant('ipp_1'), SECRET),
});
/** A resource of which one of both sides may be missing; `isKept` says that the engine calls it unchanged. */
const made = fc.oneof(
  shown.map((rule) => ({ before: rule, after: rule, isKept: true })),
  shown.map((rule) => ({ before: rule, after: undefined, isKept: false })),
  shown.map((rule) => ({ before: undefined, after: rule, isKept: false })),
  fc.tuple(shown, shown).map(([before, after]) => ({ before, after, isKept: false })),
);
type Made = typeof made extends fc.Arbitrary<infer Value> ? Value : never;

const inputsOf = ({ cidr, action, policy }: Shown) => ({ ipPolicyId: policy, cidr, action });

const accessOf = (changes: readonly Made[], model: IpModel): AddressAccess | undefined =>
  policyChangeOf(changes, model)?.access;

function policyChangeOf(changes: readonly Made[], model: IpModel): PolicyChange | undefined {
  const resources = changes.map(({ before, after, isKept }, index): MadeResource =>
    policyRule(`rule-${index}`, {
      before: before && inputsOf(before),
      after: after && inputsOf(after),
      ...(before && after && { op: isKept ? 'same' : 'update' }),
    }),
  );
  return policyChanges(stackOf(...resources), model)[0];
}

/** What a rule may do to an address. */
function casesOf(rule: Shown | undefined, ip: string): string[] {
  if (!rule || (rule.cidr !== SECRET && !isInNetwork(ip, rule.cidr))) return ['none'];
  const actions = rule.action === SECRET ? ['allow', 'deny'] : [rule.action];
  return rule.cidr === SECRET || rule.policy === SECRET ? [...actions, 'none'] : actions;
}

/** Every way in which the hidden parts can turn out for one address. */
function outcomesOf(changes: readonly Made[], ip: string, model: IpModel): Admission[] {
  const ways = changes.reduce<(readonly [before: string[], after: string[]])[]>(
    (begun, { before, after, isKept }) => {
      const now = casesOf(after, ip);
      const cases = casesOf(before, ip).flatMap((old, index) =>
        (isKept ? now.slice(index, index + 1) : now).map((other) => [old, other] as const),
      );
      return begun.flatMap(([olds, news]) =>
        cases.map(
          ([old, other]) =>
            [
              [...olds, old],
              [...news, other],
            ] as const,
        ),
      );
    },
    [[[], []]],
  );
  return ways.map(([before, after]) => [getsIn(before, model), getsIn(after, model)]);
}

/** What is wrong with the bounds of a change, address by address. */
function wrongOf(changes: readonly Made[], model: IpModel): string[] {
  const access = accessOf(changes, model);
  const isExact = !JSON.stringify(changes).includes(SECRET);
  return ADDRESSES.flatMap((ip) =>
    access ? wrongAt(ip, access, { outcomes: outcomesOf(changes, ip, model), isExact }) : [],
  );
}

test('random rules, some of them hidden: bounds hold in every way in which the hidden parts can turn out', () => {
  fc.assert(
    fc.property(fc.array(made, { minLength: 1, maxLength: 4 }), assumed, (changes, model) => {
      expect(wrongOf(changes, model)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

const plain = fc.record({
  cidr: network,
  action: fc.constantFrom('allow', 'deny'),
  policy: fc.constant('ipp_1'),
});
const rules = fc.array(plain, { minLength: 1, maxLength: 4 });
const change = (before: readonly Shown[], after: readonly Shown[]): Made[] => [
  ...before.map((rule) => ({ before: rule, after: undefined, isKept: false })),
  ...after.map((rule) => ({ before: undefined, after: rule, isKept: false })),
];

/** Whether some address gets in after a change that did not before. */
const doesAnyGain = (before: readonly Shown[], after: readonly Shown[], model: IpModel): boolean =>
  ADDRESSES.some((ip) => outcomesOf(change(before, after), ip, model).some(([old, now]) => now && !old));

test.each(['gain', 'loss'])(
  'nobody is concerned if the rules that are said to cause a %s stay as before',
  (what) => {
    const isGain = what === 'gain';
    const isMoved = (old: readonly Shown[], now: readonly Shown[], model: IpModel): boolean =>
      isGain ? doesAnyGain(old, now, model) : doesAnyGain(now, old, model);
    let causes = 0;
    fc.assert(
      fc.property(rules, rules, assumed, (before, after, model) => {
        const changed = policyChangeOf(change(before, after), model);
        if (!changed || !isMoved(before, after, model)) return;
        const { added, removed } = contributorsTo(
          changed,
          changed.access[isGain ? 'gained' : 'lost'].surely,
          { isGain, model },
        );
        const named = new Set(
          [...added, ...removed].map(({ origin }) => Number(origin.name.replace('rule-', ''))),
        );
        // A rule as before: one of before stays, one of after does not come.
        const reverted = [...before, ...after].filter(
          (_, index) => index < before.length === named.has(index),
        );
        expect(isMoved(before, reverted, model)).toBe(false);
        causes += 1;
      }),
      { numRuns: 1000 },
    );
    expect(causes).toBeGreaterThan(200);
  },
);
