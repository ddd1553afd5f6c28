import { BlockList } from 'node:net';

import fc from 'fast-check';
import { RE2JS } from 're2js';

import { formatNetwork, parseNetwork, withoutHostBits } from '../../emulator/src/values/cidr';
import { re2Problem } from '../../emulator/src/values/re2';

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

  test.each([
    '',
    '10.0.0',
    '10.0.0.0/',
    '10.0.0.0/+8',
    '10.0.0.0/8/9',
    '010.0.0.0/8',
    '::1%lo/128',
    '::/129',
    ':/8',
  ])('%j is none', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
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

describe('RE2 syntax', () => {
  const isRe2 = (pattern: string): boolean => {
    try {
      RE2JS.compile(pattern);
      return true;
    } catch {
      return false;
    }
  };

  test.each([
    ...[
      '',
      'bot',
      '(?i)bot',
      '(?P<name>x)',
      '(?<name>x)',
      '(?i:x)',
      '(?s-m:x)',
      'a|',
      '|a',
      '()',
      'x*?',
      'x{2,}?',
    ],
    ...[
      '\\Aa\\z',
      '\\bword\\B',
      '\\Qa.b\\E+',
      '\\pL\\PN',
      '\\p{Greek}',
      '\\p{^Lu}',
      '\\x41\\x{10FFFF}',
      '\\012',
    ],
    ...[
      '[a-z]',
      '[^]a]',
      '[]a]',
      '[a-]',
      '[-a]',
      '[[:alpha:]]',
      '[^[:^digit:]x]',
      '[\\d\\-]',
      'x{,5}',
      'x{',
      'x{1',
    ],
    ...['\\.', '\\/', '\\_', 'é+', '😀', '^*', 'a{1000}', '(a{10}){100}', '{', '}', ']'],
  ])('takes %j', (pattern) => {
    expect([re2Problem(pattern), isRe2(pattern)]).toEqual([undefined, true]);
  });

  test.each([
    ...[
      '(',
      ')',
      'a)',
      '(?=x)',
      '(?!x)',
      '(?<=x)',
      '(?<!x)',
      '(?>x)',
      '(a)\\1',
      '\\k<a>',
      '(?',
      '(?P<a',
      '(?P<>x)',
    ],
    ...[
      '(?P<a>x)(?P<a>y)',
      '*',
      '+a',
      'a|*',
      'a**',
      'a+*',
      'a{2}{3}',
      'x{1001}',
      'x{2,1}',
      '((a{100}){100}){100}',
    ],
    ...[
      '[',
      '[a',
      '[z-a]',
      '[\\d-z',
      '[[:foo:]]',
      '[a-\\d]',
      '\\',
      '\\q',
      '\\Z',
      '\\8',
      '\\x{110000}',
      '\\xg',
      '\\é',
    ],
    ...['\\p{Nope}', '\\pX', '(?z)', '(?i'],
  ])('refuses %j', (pattern) => {
    expect([re2Problem(pattern) === undefined, isRe2(pattern)]).toEqual([false, false]);
  });

  const piece = fc.constantFrom(
    ...[
      'a',
      'B',
      '1',
      '.',
      '*',
      '+',
      '?',
      '{2}',
      '{2,}',
      '{2,3}',
      '{',
      '}',
      '(',
      ')',
      '(?:',
      '(?i)',
      '(?P<n>',
      '|',
    ],
    ...[
      '[',
      ']',
      '[^',
      '-',
      '\\d',
      '\\b',
      '\\.',
      '\\\\',
      '^',
      '$',
      '[:alpha:]',
      '\\pL',
      '\\x41',
      '\\1',
      '(?=',
    ],
  );

  test('agrees with an independent implementation on patterns of the usual pieces', () => {
    const pattern = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(pattern, (text) => {
        expect([text, re2Problem(text) === undefined]).toEqual([text, isRe2(text)]);
      }),
      { numRuns: 5000 },
    );
  });
});
