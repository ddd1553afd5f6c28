import fc from 'fast-check';
import type { AddressAccess } from '../../../../review/src/access/subject-access';
import { isProvedUnchanged } from '../../../../review/src/access/subject-access';
import { ADDRESSES, holds } from './addresses';
import { reviewedEdge } from './reviewed-edge';
import { COUNTRIES, document, expression, rule } from './traffic-documents';
import type { MadeRule } from './traffic-documents';
import type { Connection } from './traffic-oracle';
import { isAdmitted } from './traffic-oracle';

const accessOf = (before: string, after: string): AddressAccess => reviewedEdge(before, after).access;

/** For each address: in how many of the circumstances something is the case. */
type Share = 'all' | 'some' | 'none';
const shareOf = (answers: readonly boolean[]): Share =>
  answers.every(Boolean) ? 'all' : answers.some(Boolean) ? 'some' : 'none';

const PHASES = ['inbound', 'on_tcp_connect'];

/** Everything about a connection besides its address that the documents ask for. */
function circumstancesOf(documents: string): Omit<Connection, 'ip'>[] {
  const countries = documents.includes('conn.geo') ? COUNTRIES : ['DE'];
  if (!documents.includes('forward')) return countries.map((country) => ({ country }));
  return countries.flatMap((country) =>
    (['refuses', 'admits', 'goes on'] as const).flatMap((forward) =>
      [PHASES, PHASES.toReversed()].map((phases) => ({ country, forward, phases })),
    ),
  );
}

/** What is sure holds in all circumstances, and what is not possible in none; where there is one, both are exact. */
function agrees(
  bounds: AddressAccess['gained'],
  answers: readonly boolean[],
  ip: string,
  isExact: boolean,
): boolean {
  const share = shareOf(answers);
  const [surely, possibly] = [holds(bounds.surely, ip), holds(bounds.possibly, ip)];
  if (isExact) return surely === (share === 'all') && possibly === surely;
  return (!surely || share === 'all') && (possibly || share === 'none');
}

test('random documents: what is gained and lost is what single connections say', () => {
  fc.assert(
    fc.property(document, document, (before, after) => {
      const access = accessOf(before, after);
      const circumstances = circumstancesOf(before + after);
      const isExact = circumstances.length === 1;
      const disagreements: string[] = [];
      let moves = false;
      for (const ip of ADDRESSES) {
        const [inBefore, inAfter] = [before, after].map((text) =>
          circumstances.map((other) => isAdmitted(text, true, { ip, ...other })),
        ) as [boolean[], boolean[]];
        const gained = inAfter.map((is, index) => is && !inBefore[index]);
        const lost = inBefore.map((is, index) => is && !inAfter[index]);
        const facts = { gained, lost, before: inBefore, after: inAfter };
        for (const key of ['gained', 'lost', 'before', 'after'] as const)
          if (!agrees(access[key], facts[key], ip, isExact)) disagreements.push(`${key} ${ip}`);
        moves ||= [...gained, ...lost].some(Boolean);
      }
      expect(disagreements).toEqual([]);
      if (moves) expect(isProvedUnchanged(access)).toBe(false);
    }),
    { numRuns: 600 },
  );
});

const inbound = (...rules: readonly MadeRule[]): string => JSON.stringify({ inbound: rules });
const deny = (...expressions: readonly string[]): MadeRule => ({
  name: 'made',
  expressions,
  actions: [{ type: 'deny' }],
});
const rules = fc.array(rule, { maxLength: 3 });
/** Refusals have no order and do the same in each phase; what may let somebody in for good need not. */
const refusals = rules.map((list) => list.filter((made) => !JSON.stringify(made).includes('forward')));

test.each<[string, fc.Arbitrary<readonly [string, string]>]>([
  ['rules in reverse', refusals.map((list) => [inbound(...list), inbound(...[...list].reverse())])],
  [
    'other names and a line in the log',
    rules.map((list) => [
      inbound(...list),
      inbound(
        deny('false'),
        ...list.map((made, index) => ({
          ...made,
          name: `rule ${index}`,
          actions: [{ type: 'log' }, ...made.actions],
        })),
      ),
    ]),
  ],
  [
    'a disjunction as two rules',
    fc
      .tuple(expression, expression, refusals)
      .map(([a, b, list]) => [inbound(...list, deny(`${a} || ${b}`)), inbound(deny(b), deny(a), ...list)]),
  ],
  [
    'a conjunction as two expressions',
    fc.tuple(expression, expression).map(([a, b]) => [inbound(deny(`${a} && ${b}`)), inbound(deny(b, a))]),
  ],
  [
    'De Morgan',
    fc
      .tuple(expression, expression)
      .map(([a, b]) => [inbound(deny(`!(${a} || ${b})`)), inbound(deny(`!(${a}) && !(${b})`))]),
  ],
  [
    'factoring out',
    fc
      .tuple(expression, expression, expression)
      .map(([a, b, c]) => [
        inbound(deny(`(${a}) && (${b}) || (${a}) && (${c})`)),
        inbound(deny(`(${a}) && ((${c}) || (${b}))`)),
      ]),
  ],
  [
    'another phase',
    refusals.map((list) => [inbound(...list), JSON.stringify({ on_tcp_connect: list, outbound: [deny()] })]),
  ],
  [
    'a rule behind one that denies all',
    fc.tuple(rules, rule).map(([list, last]) => [inbound(...list, deny()), inbound(...list, deny(), last)]),
  ],
])('a rewrite that keeps its meaning is proved to change nothing: %s', (_name, pairs) => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      expect(isProvedUnchanged(accessOf(before, after))).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('a mutation that moves a single connection is never called unchanged', () => {
  const mutations: ((text: string) => string)[] = [
    (text) => text.replace('"deny"', '"log"'),
    (text) => text.replace(/\/2[89]'/, "/32'"),
    (text) => text.replace('&&', '||'),
    (text) => text.replace('!(', '('),
    (text) => text.replace("'DE'", "'AT'"),
    (text) => text.replace('inbound', 'inbuond'),
    (text) => text.replace('"enforce":true', '"enforce":false'),
  ];
  fc.assert(
    fc.property(document, fc.constantFrom(...mutations), (before, mutate) => {
      const after = mutate(before);
      const moves = ADDRESSES.some((ip) =>
        circumstancesOf(before + after).some(
          (other) => isAdmitted(before, true, { ip, ...other }) !== isAdmitted(after, true, { ip, ...other }),
        ),
      );
      if (moves) expect(isProvedUnchanged(accessOf(before, after))).toBe(false);
    }),
    { numRuns: 500 },
  );
});
