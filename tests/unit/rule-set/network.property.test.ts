import fc from 'fast-check';
import { NetworkIndex } from '../../../provider/src/rule-set/network-index';
import {
  canonicalNetworkText,
  compareNetworks,
  readNetwork,
  type Network,
} from '../../../provider/src/rule/network';
import { compareCidrs, overlaps, parseCidr, type Cidr } from '../../../provider/src/values/cidr';

const octet = fc.oneof(fc.nat({ max: 255 }).map(String), fc.constantFrom('0', '00', '01', '256', '999', ''));
const prefix = fc.oneof(
  fc.constant(''),
  fc.nat({ max: 32 }).map((length) => `/${length}`),
  fc.constantFrom('/', '/08', '/33', '/032', '/-1', '/8/8'),
);
/** Texts near to IPv4 networks: most are none, or not canonical. */
const ipv4Text = fc
  .tuple(octet, octet, octet, octet, prefix)
  .map(([a, b, c, d, length]) => `${a}.${b}.${c}.${d}${length}`);
const ipv4Network = fc.tuple(fc.nat({ max: 0xffffffff }), fc.nat({ max: 32 })).map(([address, length]) => {
  const first = length === 0 ? 0 : (address & (-1 << (32 - length))) >>> 0;
  return `${[first >>> 24, (first >>> 16) & 255, (first >>> 8) & 255, first & 255].join('.')}/${length}`;
});
const ipv6Network = fc
  .tuple(fc.nat({ max: 0xffff }), fc.nat({ max: 3 }))
  .map(([group, bits]) => `2001:db8:${group.toString(16)}::/${48 + bits * 16}`);
const anyText = fc.oneof(ipv4Text, ipv4Network, ipv6Network, fc.string());

test('the quick reading says what the strict one says, for every text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const [quick, strict] = [readNetwork(text), parseCidr(text)];
      if (strict.ok) expect(quick).toMatchObject({ text: strict.cidr.text });
      else expect(quick).toEqual({ refusal: strict.reason });
    }),
    { numRuns: 3000 },
  );
});

const anyNetwork = fc.oneof(ipv4Network, ipv6Network);
const networkOf = (text: string): Network => {
  const reading = readNetwork(text);
  if ('refusal' in reading) throw new Error(reading.refusal);
  return reading;
};
const cidrOf = (text: string): Cidr => {
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.cidr;
};

test('networks are ordered as the strict comparison orders them', () => {
  fc.assert(
    fc.property(anyNetwork, anyNetwork, (a, b) => {
      const quick = compareNetworks(networkOf(a), networkOf(b));
      expect(Math.sign(quick)).toBe(Math.sign(compareCidrs(cidrOf(a), cidrOf(b))));
    }),
  );
});

test('a network is written in canonical form, and a text that is none stays as it is', () => {
  expect(canonicalNetworkText('10.0.0.1/8')).toBe('10.0.0.1/8');
  expect(canonicalNetworkText('2001:DB8::/32')).toBe('2001:db8::/32');
});

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
