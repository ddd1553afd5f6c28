import { BlockList } from 'node:net';

import fc from 'fast-check';

import { formatNetwork, parseNetwork, withoutHostBits } from '../../emulator/src/values/cidr';

describe('CIDR', () => {
  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.0.2.1', '192.0.2.1/32'],
    ['2001:DB8:0:0:1:0:0:1/128', '2001:db8::1:0:0:1/128'],
    ['2001:db8:0:1:1:1:1:1/128', '2001:db8:0:1:1:1:1:1/128'],
    ['::/0', '::/0'],
    ['::1', '::1/128'],
    ['1::/16', '1::/16'],
    ['::ffff:192.0.2.1/128', '::ffff:192.0.2.1/128'],
    ['64:ff9b::192.0.2.33/128', '64:ff9b::c000:221/128'],
  ])('%s has the canonical network %s', (text, canonical) => {
    const network = parseNetwork(text);
    expect(network && formatNetwork(withoutHostBits(network))).toBe(canonical);
  });

  const word = fc.integer({ min: 0, max: 0xffff });
  const ipv6 = fc
    .array(fc.oneof(fc.constant(0), word), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.map((group) => group.toString(16)).join(':'));
  const network = fc.oneof(
    fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
    fc.tuple(fc.oneof(ipv6, fc.ipV6()), fc.integer({ min: 0, max: 128 })),
  );

  test('a canonical network is read back as itself and holds the address it came from', () => {
    fc.assert(
      fc.property(network, ([address, length]) => {
        const parsed = parseNetwork(`${address}/${length}`);
        if (parsed === undefined) throw new Error('not parsed');
        const canonical = formatNetwork(withoutHostBits(parsed));
        expect(formatNetwork(parseNetwork(canonical) ?? parsed)).toBe(canonical);
        const list = new BlockList();
        const family = parsed.family === 4 ? 'ipv4' : 'ipv6';
        list.addSubnet(canonical.replace(/\/.*/, ''), length, family);
        expect(list.check(address, family)).toBe(true);
      }),
    );
  });
});
