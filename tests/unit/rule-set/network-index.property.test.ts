import fc from 'fast-check';
import { NetworkIndex } from '../../../provider/src/rule-set/network-index';
import { overlaps, parseCidr, type Cidr } from '../../../provider/src/values/cidr';

const ipv6Network = fc
  .tuple(fc.nat({ max: 0xffff }), fc.nat({ max: 3 }))
  .map(([group, bits]) => `2001:db8:${group.toString(16)}::/${48 + bits * 16}`);
const cidrOf = (text: string): Cidr => {
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.cidr;
};

const crowded = fc
  .tuple(fc.nat({ max: 255 }), fc.integer({ min: 20, max: 32 }))
  .map(
    ([last, length]) =>
      `10.0.${length < 24 ? last & (-1 << (24 - length)) : 0}.${length < 24 ? 0 : last & (-1 << (32 - length))}/${length}`,
  );

test('the index finds exactly the networks that overlap', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(crowded, ipv6Network), { maxLength: 30 }), crowded, (texts, asked) => {
      const items = texts.map((cidr) => ({ cidr }));
      const expected = items.filter(({ cidr }) => overlaps(cidrOf(cidr), cidrOf(asked)));
      const index = new NetworkIndex(items);
      expect(new Set(index.overlapping(asked))).toEqual(new Set(expected));
      expect(index.overlapping(asked, 2)).toHaveLength(Math.min(2, expected.length));
    }),
    { numRuns: 1000 },
  );
});

test('a text that is no network overlaps nothing, wherever it stands', () => {
  const item = { cidr: '10.0.0.0/8' };
  const index = new NetworkIndex([{ cidr: 'anything' }, item, { cidr: '' }]);
  expect(index.overlapping('10.1.0.0/16')).toEqual([item]);
  expect(index.overlapping('anything')).toEqual([]);
});
