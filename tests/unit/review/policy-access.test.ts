// The sets of addresses that a policy lets in, against deciding address by address.
import fc from 'fast-check';
import { boundsOver, independently } from '../../../review/src/access/bounds';
import {
  cidrSetOf,
  covers,
  intersect,
  isEmptyCidrSet,
  overlap,
  sameCidrSet,
  subtract,
  toCidrs,
  touches,
  union,
  unionAll,
} from '../../../review/src/access/cidr-set';
import { IP_MODELS } from '../../../review/src/access/evaluation-model';
import type { FamilyChange } from '../../../review/src/access/policy-change';
import { type Cidr, networkAt } from '../../../provider/src/values/cidr';
import { decide } from './oracle/addresses';
import { cidrOf } from './pinned-feeds';
import { previewOf, ruleSet } from './preview-builder';
import { reviewed } from './reviewing';

// Spaces small enough to try every address: 64 addresses at the start, in the middle and at the end of a family.
const WIDTH = 64n;
const places = [
  { family: 4, base: 0n, bits: 32 },
  { family: 4, base: 0xc0000200n, bits: 32 },
  { family: 4, base: (1n << 32n) - WIDTH, bits: 32 },
  { family: 6, base: 0x20010db8n << 96n, bits: 128 },
  { family: 6, base: (1n << 128n) - WIDTH, bits: 128 },
] as const;

interface MadeRule {
  readonly offset: number;
  readonly hostBits: number;
  readonly action: 'allow' | 'deny';
}

const rules = fc.array(
  fc.record<MadeRule>({
    offset: fc.nat(Number(WIDTH) - 1),
    hostBits: fc.nat(6),
    action: fc.constantFrom('allow', 'deny'),
  }),
  { maxLength: 8 },
);

const place = fc.constantFrom(...places);
const placed = ({ family, base, bits }: (typeof places)[number], { offset, hostBits }: MadeRule): Cidr =>
  networkAt(family, base + BigInt(offset), bits - hostBits);

test('gained and lost networks are those that deciding address by address finds, and as few as can be', () => {
  fc.assert(
    fc.property(rules, rules, place, fc.constantFrom(...IP_MODELS), (before, after, place, ipModel) => {
      const cidrOf = (made: MadeRule) => placed(place, made);
      const setOf = (made: readonly MadeRule[]) => ({
        ipPolicyId: 'ipp_1',
        exclusive: false,
        // A later rule of the same network takes the place of an earlier one, as keys do.
        rules: JSON.stringify(
          Object.fromEntries(made.map((rule) => [cidrOf(rule).text, { action: rule.action }])),
        ),
      });
      const report = reviewed(previewOf(ruleSet('set', { before: setOf(before), after: setOf(after) })), {
        assumptions: { ipModel },
      });
      const letIn = (made: readonly MadeRule[]): boolean[] => {
        const last = new Map(made.map((rule) => [cidrOf(rule).text, rule]));
        return addresses(place.base).map((address) => {
          const matches = (action: string) =>
            [...last.values()].some((rule) => rule.action === action && contains(cidrOf(rule), address));
          return decide[ipModel](matches('allow'), matches('deny'));
        });
      };
      const [inBefore, inAfter] = [letIn(before), letIn(after)];
      const change = report.policies[0]?.families.find((family) => family.family === place.family);
      const expectNetworks = (key: 'gained' | 'lost', expected: readonly boolean[]) => {
        // Where everybody else is let in too, only this corner changes: nothing outside of it may show up.
        const networks = networksOf(change, key);
        expect(
          addresses(place.base).map((address) => networks.some((network) => contains(network, address))),
        ).toEqual(expected);
        expect(networks.length).toBe(leastNetworks(expected));
      };
      if (before.length === 0 || after.length === 0) return;
      expectNetworks(
        'gained',
        inAfter.map((is, index) => is && inBefore[index] === false),
      );
      expectNetworks(
        'lost',
        inBefore.map((is, index) => is && inAfter[index] === false),
      );
    }),
    { numRuns: 300 },
  );
});

const addresses = (base: bigint): bigint[] =>
  Array.from({ length: Number(WIDTH) }, (_, index) => base + BigInt(index));
const contains = (network: Cidr, address: bigint): boolean =>
  network.first <= address && address <= network.last;
const networksOf = (change: FamilyChange | undefined, key: 'gained' | 'lost'): readonly Cidr[] =>
  change?.[key] ?? [];

/** The least number of aligned blocks, found by splitting every block that is neither full nor empty. */
function leastNetworks(members: readonly boolean[]): number {
  if (!members.some(Boolean)) return 0;
  if (members.every(Boolean)) return 1;
  const half = members.length / 2;
  return leastNetworks(members.slice(0, half)) + leastNetworks(members.slice(half));
}

/** Small and near each other, so that a set often holds all of a network but one address. */
const near = fc.array(
  fc.record<MadeRule>({ offset: fc.nat(15), hostBits: fc.nat(2), action: fc.constant('allow') }),
  { maxLength: 12 },
);

test('whether a set covers, touches or overlaps another one is what each address says', () => {
  fc.assert(
    fc.property(fc.oneof(rules, near), fc.oneof(rules, near), place, (made, asked, place) => {
      const [set, networks] = [made, asked].map((list) => list.map((one) => placed(place, one)));
      const isIn = (address: bigint) => set?.some((network) => contains(network, address)) === true;
      const [all, others] = [cidrSetOf(set ?? []), cidrSetOf(networks ?? [])];
      const shares = (networks ?? []).map((network) => {
        const inside = addresses(place.base)
          .filter((address) => contains(network, address))
          .map(isIn);
        expect(covers(all, network)).toBe(inside.every(Boolean));
        expect(touches(all, network)).toBe(inside.some(Boolean));
        return inside.some(Boolean);
      });
      expect(overlap(others, all)).toBe(shares.some(Boolean));
    }),
    { numRuns: 1000 },
  );
});

test('a set and the set of its list are the same, whatever the order', () => {
  const anywhere = fc
    .record({
      family: fc.constantFrom<4 | 6>(4, 6),
      value: fc.bigInt(0n, 2n ** 128n - 1n),
      length: fc.nat({ max: 128 }),
    })
    .map(({ family, value, length }) =>
      family === 4 ? networkAt(4, value >> 96n, length % 33) : networkAt(6, value, length),
    );
  fc.assert(
    fc.property(fc.array(anywhere), fc.array(anywhere), (a, b) => {
      const set = cidrSetOf([...a, ...b]);
      expect(sameCidrSet(set, cidrSetOf(toCidrs(set)))).toBe(true);
      expect(sameCidrSet(set, union(cidrSetOf(b), cidrSetOf(a)))).toBe(true);
      expect(sameCidrSet(set, unionAll([...a, ...b].map((one) => cidrSetOf([one]))))).toBe(true);
      const parts = [subtract(set, cidrSetOf(a)), intersect(set, cidrSetOf(a))] as const;
      expect(sameCidrSet(set, union(...parts))).toBe(true);
      expect(isEmptyCidrSet(intersect(...parts))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('the bounds of a change hold for whichever outcomes its sides have', () => {
  const networks = ['192.0.2.0/26', '192.0.2.64/26', '192.0.2.128/26', '2001:db8::/32'].map(cidrOf);
  const outcomes = fc.array(fc.subarray(networks).map(cidrSetOf), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(outcomes, outcomes, (before, after) => {
      const sides = boundsOver(before.map((set) => ({ before: set, after: set }))).before;
      const wanted = boundsOver(after.map((set) => ({ before: set, after: set }))).after;
      const bounds = independently(sides, wanted);
      const exact = boundsOver(
        before.flatMap((one) => after.map((other) => ({ before: one, after: other }))),
      );
      expect(exact.gained).toEqual(bounds.gained);
      expect(exact.lost).toEqual(bounds.lost);
    }),
  );
});

test('networks come with the largest first', () => {
  const report = reviewed(
    previewOf(
      ruleSet('set', {
        after: {
          ipPolicyId: 'ipp_1',
          rules: JSON.stringify({
            '192.0.2.0/28': { action: 'allow' },
            '198.51.100.0/24': { action: 'allow' },
          }),
        },
      }),
    ),
  );
  expect(networksOf(report.policies[0]?.families[0], 'gained').map((network) => network.text)).toEqual([
    '198.51.100.0/24',
    '192.0.2.0/28',
  ]);
});
