import fc from 'fast-check';
import type { Family } from '../../../provider/src/values/address';
import { networkAt, sizeOfCidr, type Cidr } from '../../../provider/src/values/cidr';
import {
  cidrSetOf,
  covers,
  emptyCidrSet,
  intersect,
  isEmptyCidrSet,
  overlap,
  sameCidrSet,
  sizeOf,
  subtract,
  toCidrs,
  touches,
  union,
  unionAll,
  type CidrSet,
} from '../../../review/src/access/cidr-set';
import { boundsOver, independently } from '../../../review/src/access/bounds';
import { cidrOf } from './pinned-feeds';

const setOf = (...texts: string[]): CidrSet => cidrSetOf(texts.map(cidrOf));
const textsOf = (set: CidrSet): string[] => toCidrs(set).map(({ text }) => text);

describe('the list of a set', () => {
  test.each([
    ['nothing', [], []],
    ['one network', ['10.0.0.0/8'], ['10.0.0.0/8']],
    ['the same network twice', ['10.0.0.0/8', '10.0.0.0/8'], ['10.0.0.0/8']],
    ['a network in another', ['10.1.0.0/16', '10.0.0.0/8'], ['10.0.0.0/8']],
    ['two halves', ['10.0.1.0/24', '10.0.0.0/24'], ['10.0.0.0/23']],
    [
      'neighbours that are no halves of one network',
      ['10.0.1.0/24', '10.0.2.0/24'],
      ['10.0.1.0/24', '10.0.2.0/24'],
    ],
    ['the whole of IPv4 in two parts', ['0.0.0.0/1', '128.0.0.0/1'], ['0.0.0.0/0']],
    ['the whole of IPv6 in two parts', ['::/1', '8000::/1'], ['::/0']],
    ['both families', ['::1', '10.0.0.1'], ['10.0.0.1/32', '::1/128']],
    ['the last addresses', ['255.255.255.255', 'ffff::/16'], ['255.255.255.255/32', 'ffff::/16']],
    ['a staircase', ['10.0.0.0/32', '10.0.0.1/32', '10.0.0.2/31', '10.0.0.4/30'], ['10.0.0.0/29']],
  ])('%s', (_what, texts, list) => {
    expect(textsOf(setOf(...texts))).toEqual(list);
  });
});

describe('operations', () => {
  test('the edges of the address space are nothing special', () => {
    const all = setOf('0.0.0.0/0', '::/0');
    expect(textsOf(subtract(all, setOf('128.0.0.0/1', '8000::/1')))).toEqual(['0.0.0.0/1', '::/1']);
    expect(isEmptyCidrSet(subtract(all, all))).toBe(true);
    expect(sameCidrSet(subtract(all, emptyCidrSet), all)).toBe(true);
  });

  test('sizes are exact', () => {
    const set = setOf('10.0.0.0/8', '10.1.0.0/16', '192.0.2.1', '::/0');
    expect(sizeOf(set, 4)).toBe(2n ** 24n + 1n);
    expect(sizeOf(set, 6)).toBe(2n ** 128n);
    expect(sizeOf(emptyCidrSet, 6)).toBe(0n);
  });
});

// Small enough for brute force: the last 64 addresses of each family, so that the upper edge is in play.
const spaceBits = 6;
const spaceSize = 1 << spaceBits;
const baseOf = (family: Family): bigint => (1n << (family === 4 ? 32n : 128n)) - BigInt(spaceSize);
const bitsOf = (family: Family): number => (family === 4 ? 32 : 128);

const network = fc
  .record({
    family: fc.constantFrom<Family>(4, 6),
    offset: fc.nat({ max: spaceSize - 1 }),
    hostBits: fc.nat({ max: spaceBits }),
  })
  .map(({ family, offset, hostBits }) =>
    networkAt(family, baseOf(family) + BigInt(offset), bitsOf(family) - hostBits),
  );
const networks = fc.array(network, { maxLength: 12 });

const membersOf = (list: readonly Cidr[], family: Family): Set<number> => {
  const members = new Set<number>();
  for (const each of list.filter((one) => one.family === family)) {
    const first = Number(BigInt(each.first) - baseOf(family));
    for (let member = 0; member < Number(sizeOfCidr(each)); member += 1) members.add(first + member);
  }
  return members;
};

/** The fewest networks that make up some addresses: either one for the whole block, or those of its two halves. */
function fewestNetworks(members: ReadonlySet<number>, first: number, size: number): number {
  const inside = [...members].filter((each) => each >= first && each < first + size).length;
  if (inside === 0) return 0;
  if (inside === size) return 1;
  return fewestNetworks(members, first, size / 2) + fewestNetworks(members, first + size / 2, size / 2);
}

const sorted = (members: Iterable<number>): number[] => [...members].sort((a, b) => a - b);

describe.each<Family>([4, 6])('against brute force, IPv%i', (family) => {
  const bruteForce: [string, (a: CidrSet, b: CidrSet) => CidrSet, (inA: boolean, inB: boolean) => boolean][] =
    [
      ['union', union, (inA, inB) => inA || inB],
      ['intersect', intersect, (inA, inB) => inA && inB],
      ['subtract', subtract, (inA, inB) => inA && !inB],
    ];

  test.each(bruteForce)('%s holds exactly the right addresses', (_name, operation, isIn) => {
    fc.assert(
      fc.property(networks, networks, (a, b) => {
        const [inA, inB] = [membersOf(a, family), membersOf(b, family)];
        const expected = Array.from({ length: spaceSize }, (_, each) => each).filter((each) =>
          isIn(inA.has(each), inB.has(each)),
        );
        const result = operation(cidrSetOf(a), cidrSetOf(b));
        expect(sorted(membersOf(toCidrs(result), family))).toEqual(expected);
        expect(sizeOf(result, family)).toBe(BigInt(expected.length));
      }),
      { numRuns: 300 },
    );
  });

  test('two sets overlap where they share an address', () => {
    fc.assert(
      fc.property(networks, networks, (a, b) => {
        const [left, right] = [a, b].map((list) => list.filter((one) => one.family === family));
        const inRight = membersOf(right ?? [], family);
        const isShared = [...membersOf(left ?? [], family)].some((each) => inRight.has(each));
        expect(overlap(cidrSetOf(left ?? []), cidrSetOf(right ?? []))).toBe(isShared);
      }),
      { numRuns: 300 },
    );
  });

  test('the list is sorted, free of overlap and as short as it can be', () => {
    fc.assert(
      fc.property(networks, (list) => {
        const result = toCidrs(cidrSetOf(list)).filter((each) => each.family === family);
        for (const [index, each] of result.entries()) {
          expect(each.first).toBeGreaterThan(result[index - 1]?.last ?? -1n);
        }
        expect(result).toHaveLength(fewestNetworks(membersOf(list, family), 0, spaceSize));
      }),
      { numRuns: 300 },
    );
  });

  test('coverage agrees with the single addresses', () => {
    fc.assert(
      fc.property(networks, network, (list, asked) => {
        fc.pre(asked.family === family);
        const members = membersOf(list, family);
        const isCovered = sorted(membersOf([asked], family)).every((each) => members.has(each));
        expect(covers(cidrSetOf(list), asked)).toBe(isCovered);
        const isTouched = sorted(membersOf([asked], family)).some((each) => members.has(each));
        expect(touches(cidrSetOf(list), asked)).toBe(isTouched);
      }),
      { numRuns: 500 },
    );
  });
});

test('a set and the set of its list are the same, whatever the order', () => {
  const anywhere = fc
    .record({
      family: fc.constantFrom<Family>(4, 6),
      value: fc.bigInt(0n, 2n ** 128n - 1n),
      length: fc.nat({ max: 128 }),
    })
    .map(({ family, value, length }) =>
      networkAt(family, value >> BigInt(128 - bitsOf(family)), length % (bitsOf(family) + 1)),
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
