// `ip-cidr` stands on version 9 of `ip-address`, whose published advisories are about texts that software reads in two ways:
// leading zeros in IPv4, IPv4 within IPv6. Such a text is refused, or rewritten, before the library gets to see it.
import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import IPCIDR from 'ip-cidr';
import { parseCidr } from '../../../provider/src/values/cidr';

const seen = (text: string): readonly string[] => {
  const library = jest.spyOn(IPCIDR, 'createAddress');
  parseCidr(text);
  const texts = library.mock.calls.map(([address]) => address);
  library.mockRestore();
  return texts;
};

const isPlainIpv4 = (text: string): boolean =>
  isIPv4(text) && text.split('.').every((octet) => String(Number(octet)) === octet);
const isPlainIpv6 = (text: string): boolean => isIPv6(text) && /^[0-9a-f:]+$/i.test(text);

const octet = fc.constantFrom('', ' 1', ...'0 00 01 08 010 0377 0x7f 10 127 255 256'.split(' '));
const ipv4 = fc.array(octet, { minLength: 1, maxLength: 5 }).map((octets) => octets.join('.'));
const head = fc.constantFrom('::ffff:', '64:ff9b::', '::', '2001:db8::', '[::]', '1:2:3:4:5:6:');
const zone = fc.constantFrom('', '', '%eth0', '%25lo');
const address = fc.oneof(
  ipv4,
  fc.tuple(head, ipv4, zone).map((parts) => parts.join('')),
  fc.tuple(fc.ipV6(), zone).map((parts) => parts.join('')),
);
const length = fc.constantFrom('', ...'/0 /8 /08 /24 /32 /96 /128 /255.0.0.0 /0377.0.0.0'.split(' '));

test('no text that has two readings reaches the address library', () => {
  fc.assert(
    fc.property(address, length, (one, prefix) => {
      for (const text of seen(one + prefix))
        expect([text, isPlainIpv4(text) || isPlainIpv6(text)]).toEqual([text, true]);
    }),
    { numRuns: 5000 },
  );
});

test('the library is asked for what has one reading', () => {
  expect(seen('192.0.2.1')).toEqual(['192.0.2.1']);
  expect(seen('64:ff9b::192.0.2.1')).toEqual(['64:ff9b::c000:201']);
});
