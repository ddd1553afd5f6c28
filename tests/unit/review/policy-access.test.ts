// The sets of addresses that a policy lets in, against deciding address by address.
import fc from 'fast-check';
import { changeInAny, exactly, independently } from '../../../review/src/access/bounds';
import {
  type CidrSet,
  cidrSetOf,
  covers,
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
} from '../../../review/src/access/cidr-set';
import { type Cidr, networkAt } from '../../../provider/src/values/cidr';
import { cidrOf } from './pinned-feeds';
import { added } from './preview-builder';
import { rule } from './inputs';
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

interface Block {
  readonly offset: number;
  readonly hostBits: number;
}

/** Some are small and near each other, so that a set often holds all of a network but one address. */
const blocks = fc.oneof(
  fc.array(fc.record<Block>({ offset: fc.nat(63), hostBits: fc.nat(6) }), { maxLength: 8 }),
  fc.array(fc.record<Block>({ offset: fc.nat(15), hostBits: fc.nat(2) }), { maxLength: 12 }),
);

test('sets hold, share and list, in as few networks as can be, what each address says', () => {
  fc.assert(
    fc.property(blocks, blocks, fc.constantFrom(...places), (one, other, { family, base, bits }) => {
      const addresses = Array.from({ length: Number(WIDTH) }, (_, index) => base + BigInt(index));
      const contains = ({ first, last }: Cidr, address: bigint): boolean =>
        first <= address && address <= last;
      const networksOf = (made: readonly Block[]) =>
        made.map(({ offset, hostBits }) => networkAt(family, base + BigInt(offset), bits - hostBits));
      const membersOf = (networks: readonly Cidr[]) =>
        addresses.map((address) => networks.some((network) => contains(network, address)));
      const [left, right] = [networksOf(one), networksOf(other)];
      const [inLeft, inRight] = [membersOf(left), membersOf(right)];
      const [a, b] = [cidrSetOf(left), cidrSetOf(right)];
      const expectMembers = (set: CidrSet, isMember: (inA: boolean, inB: boolean) => boolean) => {
        const expected = inLeft.map((isIn, index) => isMember(isIn, inRight[index] === true));
        expect(membersOf(toCidrs(set))).toEqual(expected);
        expect(toCidrs(set)).toHaveLength(leastNetworks(expected));
        expect(sizeOf(set, family)).toBe(BigInt(expected.filter(Boolean).length));
      };
      expectMembers(a, (inA) => inA);
      expectMembers(union(a, b), (inA, inB) => inA || inB);
      const parts = [subtract(a, b), intersect(a, b), ...right.map((network) => cidrSetOf([network]))];
      expectMembers(unionAll(parts), (inA, inB) => inA || inB);
      expect(sameCidrSet(unionAll(parts), union(b, a))).toBe(true);
      expect(sameCidrSet(a, b)).toBe(inLeft.every((isIn, index) => isIn === inRight[index]));
      expect(isEmptyCidrSet(a)).toBe(!inLeft.includes(true));
      expectMembers(intersect(a, b), (inA, inB) => inA && inB);
      expectMembers(subtract(a, b), (inA, inB) => inA && !inB);
      expect(overlap(b, a)).toBe(inLeft.some((isIn, index) => isIn && inRight[index]));
      for (const network of right) {
        const inside = inLeft.filter((_, index) => contains(network, addresses[index] ?? 0n));
        expect(covers(a, network)).toBe(inside.every(Boolean));
        expect(touches(a, network)).toBe(inside.some(Boolean));
      }
    }),
    { numRuns: 1000 },
  );
});

/** The least number of aligned blocks, found by splitting every block that is neither full nor empty. */
function leastNetworks(members: readonly boolean[]): number {
  if (!members.some(Boolean)) return 0;
  if (members.every(Boolean)) return 1;
  const half = members.length / 2;
  return leastNetworks(members.slice(0, half)) + leastNetworks(members.slice(half));
}

test('the bounds of a change hold for whichever outcomes its sides have', () => {
  const networks = ['192.0.2.0/26', '192.0.2.64/26', '192.0.2.128/26', '2001:db8::/32'].map(cidrOf);
  const outcomes = fc.array(fc.subarray(networks).map(cidrSetOf), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(outcomes, outcomes, (before, after) => {
      const each = before.flatMap((one) =>
        after.map((other) => ({
          ...{ before: exactly(one), after: exactly(other) },
          ...{ gained: exactly(subtract(other, one)), lost: exactly(subtract(one, other)) },
        })),
      );
      const exact = changeInAny(each);
      const bounds = independently(exact.before, exact.after);
      expect(exact.gained).toEqual(bounds.gained);
      expect(exact.lost).toEqual(bounds.lost);
    }),
  );
});

test('networks come by family, the largest first', () => {
  const cidrs = ['192.0.2.0/28', '2001:db8::/32', '198.51.100.0/24'];
  const { policies } = reviewed(cidrs.map((cidr) => added(cidr, rule(cidr))));
  const networks = policies[0]?.families.map(({ gained }) => gained.map(({ text }) => text));
  expect(networks).toEqual([['198.51.100.0/24', '192.0.2.0/28'], ['2001:db8::/32']]);
});
