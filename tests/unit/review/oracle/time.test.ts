// Who gets in as a function of time, against a judge that looks at each address at each hour.
import fc from 'fast-check';
import type { IpModel } from '../../../../review/src/access/evaluation-model';
import { policyChanges, whoGetsIn } from '../../../../review/src/access/policy-change';
import { snapshotAt } from '../../../../review/src/model/ending-rules';
import { ruleSet, stackOf } from '../preview-builder';
import { setInputs } from '../inputs';
import { actionsFor, ADDRESSES, assumed, getsIn, holds, network } from './addresses';

/** A rule of a set: its end is an hour of the day, never, or not known before the up. */
interface Ending {
  readonly cidr: string;
  readonly action: string;
  readonly end: number | 'never' | 'unknown';
}

const NOW = 3;
const HOURS = [3, 4, 5, 6];
const timeOf = (hour: number): string => `2026-06-15T0${hour}:00:00Z`;

const ends = fc.constantFrom<Ending['end']>('never', 2, 3, 4, 5, 6);
const rulesWith = (end: fc.Arbitrary<Ending['end']>) =>
  fc.uniqueArray(fc.record({ cidr: network, action: fc.constantFrom('allow', 'deny'), end }), {
    maxLength: 4,
    selector: ({ cidr }) => cidr,
  });
/** Two sets, as one set has one rule for a network. */
const sideWith = (end: fc.Arbitrary<Ending['end']>) => fc.tuple(rulesWith(end), rulesWith(end));
type Side = readonly [readonly Ending[], readonly Ending[]];

const inputsOf = (rules: readonly Ending[]) => setInputs(rules.map(lineOf));
const lineOf = ({ cidr, action, end }: Ending): string =>
  `${cidr}: ${action}${end === 'never' ? '' : ` until ${end === 'unknown' ? '(unknown)' : timeOf(end)}`}`;

const changeOf = (before: Side, after: Side) =>
  stackOf(
    ...before.map((rules, index) =>
      ruleSet(`set-${index}`, { before: inputsOf(rules), after: inputsOf(after[index] ?? []), op: 'update' }),
    ),
  );

/** A moment of the judge: the apply, or an hour after which what ends by then is gone. */
type When = 'apply' | number;

/** Each way in which the unknown ends can turn out: which rules count. */
function waysOf(side: Side, when: When): Ending[][] {
  return side.flat().reduce<Ending[][]>(
    (ways, rule) => {
      const { end } = rule;
      // What has ended may be live until the apply, and nobody may rely on it.
      const isOver = typeof end === 'number' && end <= (when === 'apply' ? NOW : when);
      return ways.flatMap((rules) => [
        isOver ? rules : [...rules, rule],
        ...(end === 'unknown' ? [rules] : []),
      ]);
    },
    [[]],
  );
}

type Ways = ReturnType<typeof waysOf>;

const outcomesOf = (ways: Ways, ip: string, model: IpModel): boolean[] =>
  ways.map((rules) => getsIn(actionsFor(rules, ip), model));

/** Whether an address surely and possibly gains or loses access at a moment. */
function moved(
  key: 'gained' | 'lost',
  [before, after]: readonly [readonly boolean[], readonly boolean[]],
): { surely: boolean; possibly: boolean } {
  const [from, to] = key === 'gained' ? [before, after] : [after, before];
  return {
    surely: from.every((isIn) => !isIn) && to.every((isIn) => isIn),
    possibly: from.some((isIn) => !isIn) && to.some((isIn) => isIn),
  };
}

/** What is wrong with the moments of a review, address by address and hour by hour. */
function wrongOf(before: Side, after: Side, model: IpModel): string[] {
  const nowMs = Date.parse(timeOf(NOW));
  const [policy] = policyChanges(changeOf(before, after), model, nowMs);
  if (!policy) return [];
  const wrong: string[] = [];
  // A part that is not known may widen what is possible, and narrow what is sure.
  // Only a gain that was possible earlier may then become a sure one unseen.
  const isExact = !JSON.stringify([before, after]).includes('unknown');
  const check = (what: string, said: boolean, isSo: boolean, mayBe?: boolean): void => {
    if (said !== isSo && (isExact || said !== mayBe)) wrong.push(`${what}: said ${said}`);
  };
  const times = (['apply', ...HOURS] as const).map((when) => ({
    when,
    ways: [waysOf(before, when), waysOf(after, when)] as const,
  }));
  for (const ip of ADDRESSES) {
    let earlier: ReturnType<typeof moved>[] = [];
    for (const { when, ways } of times) {
      const atMs = when === 'apply' ? undefined : Date.parse(timeOf(when));
      const moment = atMs === undefined ? policy.access : policy.moments.find((each) => each.atMs === atMs);
      const outcomes = [outcomesOf(ways[0], ip, model), outcomesOf(ways[1], ip, model)] as const;
      const now = (['gained', 'lost'] as const).map((key, index) => {
        const facts = moved(key, outcomes);
        const past = earlier[index];
        const surely = facts.surely && past?.surely !== true;
        const possibly = (isExact && surely) || (facts.possibly && past?.possibly !== true);
        check(`${ip} ${when} ${key} surely`, moment ? holds(moment[key].surely, ip) : false, surely, false);
        check(
          `${ip} ${when} ${key} possibly`,
          moment ? holds(moment[key].possibly, ip) : false,
          possibly,
          true,
        );
        return facts;
      });
      if (moment && 'concerned' in moment && holds(moment.concerned, ip)) {
        check(`${ip} ${when} after`, holds(moment.after.surely, ip), outcomes[1].every(Boolean), false);
        check(`${ip} ${when} before`, holds(moment.before.possibly, ip), outcomes[0].some(Boolean), true);
      }
      earlier = now;
    }
  }
  const everybody = policy.later.map(({ gained, lost }) => [gained.possibly, lost.possibly]);
  const begins = policy.moments.map(({ gained, lost }) => [gained.possibly, lost.possibly]);
  for (const ip of ADDRESSES) {
    const isIn = (all: typeof begins) => all.some((pair) => pair.some((set) => holds(set, ip)));
    check(`${ip} told`, isIn(everybody), isIn(begins));
  }
  // A policy that may let somebody in is not said to be shut.
  check(
    'shut',
    policy.moments.some(({ isShut }) => isShut),
    times.some((time, index) => {
      const isShut = ({ ways: [, ways] }: typeof time) =>
        [...ADDRESSES, ELSEWHERE].every((ip) => !outcomesOf(ways, ip, model).includes(true));
      const past = times[index - 1];
      return past !== undefined && isShut(time) && !isShut(past);
    }),
    false,
  );
  return wrong;
}

/** An address that no rule matches. */
const ELSEWHERE = '203.0.113.1';

const RUNS = 400;

test('random rules that end, some at a time that is not known: gains and losses begin when and where they do', () => {
  let begun = 0;
  const unsure = fc.oneof(ends, fc.constant('unknown' as const));
  const sides: fc.Arbitrary<[Side, Side]> = fc.oneof(
    fc.tuple(sideWith(ends), sideWith(ends)),
    fc.tuple(sideWith(ends), sideWith(unsure)),
    // A few rules that change among others that end alike.
    fc.tuple(rulesWith(ends), rulesWith(ends), rulesWith(ends)).map(([kept, before, after]): [Side, Side] => [
      [kept, before],
      [kept, after],
    ]),
  );
  fc.assert(
    fc.property(sides, assumed, ([before, after], model) => {
      expect(wrongOf(before, after, model)).toEqual([]);
      const [policy] = policyChanges(changeOf(before, after), model, Date.parse(timeOf(NOW)));
      begun += policy?.later.length ?? 0;
    }),
    { numRuns: 3 * RUNS },
  );
  expect(begun).toBeGreaterThan(RUNS);
});

test('who gets in at a time', () => {
  fc.assert(
    fc.property(sideWith(ends), fc.constantFrom(...HOURS), assumed, (side, hour, model) => {
      const { after } = changeOf([[], []], side);
      const [policy] = whoGetsIn(snapshotAt(after, Date.parse(timeOf(hour))), model);
      const ways = waysOf(side, hour);
      for (const ip of policy ? ADDRESSES : []) {
        const isIn = policy !== undefined && holds(policy.access.after.surely, ip);
        expect([ip, isIn]).toEqual([ip, outcomesOf(ways, ip, model)[0]]);
      }
    }),
    { numRuns: RUNS },
  );
});
