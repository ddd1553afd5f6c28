import { parseCidr, sameCidr } from '../../../provider/src/values/cidr';

function refusal(text: string): { reason: string; suggestions: readonly string[] } {
  const parsed = parseCidr(text);
  if (parsed.ok) throw new Error(`${text} was read as ${parsed.cidr.text}`);
  return { reason: parsed.reason, suggestions: parsed.suggestions };
}

test.each([
  ['blanks before and after', ' 10.0.0.0/8\n', ['10.0.0.0/8']],
  ['a no-break space', '10.0.0.0/8\u00a0', ['10.0.0.0/8']],
  ['a zero before the prefix length', '10.0.0.0/08', []],
  ['an octet beyond 255', '10.0.0.256/32', []],
  ['two prefix lengths', '2001:db8::1/32/48', []],
  ['IPv4-mapped, an address', '::ffff:192.0.2.1', ['192.0.2.1/32']],
  ['IPv4-mapped, a range', '::FFFF:10.0.0.0/104', ['10.0.0.0/8']],
  ['IPv4-mapped, written in hexadecimal', '::ffff:a00:1/128', ['10.0.0.1/32']],
  ['IPv4-mapped, host bits set', '::ffff:10.0.0.1/104', ['10.0.0.0/8', '10.0.0.1/32']],
  ['all IPv4-mapped addresses', '::ffff:0:0/96', ['0.0.0.0/0']],
  ['IPv4-mapped, wider than IPv4', '::ffff:10.0.0.1/64', ['::/64', '10.0.0.1/32']],
])('refused, with the readings it may have: %s: %j', (_what, text, suggestions) => {
  expect(refusal(text).suggestions).toEqual(suggestions);
});

describe('the reason', () => {
  test('names both readings when host bits are set, the narrow one first, with their sizes: large ones of IPv6 as powers of two', () => {
    expect(refusal('10.0.0.1/8').reason).toBe(
      '"10.0.0.1/8" has bits set after its first 8: did you mean 10.0.0.1/32 (1 address) or 10.0.0.0/8 (16,777,216 addresses)?',
    );
    expect(refusal('2001:db8::1/32').reason).toContain(
      '2001:db8::1/128 (1 address) or 2001:db8::/32 (2^96 addresses)?',
    );
  });

  test('says which prefix lengths are allowed', () => {
    expect(refusal('10.0.0.0/33').reason).toContain('from 0 to 32');
    expect(refusal('::/129').reason).toContain('from 0 to 128');
  });

  test('says what is wrong with an IPv4-mapped address and names the IPv4 network', () => {
    expect(refusal('::ffff:10.0.0.0/104').reason).toBe(
      '"::ffff:10.0.0.0/104" is an IPv4 address in IPv6 notation: did you mean 10.0.0.0/8?',
    );
  });

  test('is one short printable line whatever the text is', () => {
    const { reason } = refusal(`\u001b[31m\r\n\u202e<{%fg 1%}>${'9'.repeat(1_000_000)}`);
    expect(reason.length).toBeLessThan(250);
    expect(reason).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(reason).not.toContain('<{%');
  });
});

test.each([
  ['10.0.0.1', '10.0.0.1/32', true],
  ['10.0.0.1/8', '10.0.0.0/8', false],
  ['10.0.0.1/8', '10.0.0.1/8', true],
  ['::ffff:10.0.0.1', '10.0.0.1', false],
  ['not a network', 'no network', false],
])('%s and %s are the same network: %s', (a, b, isSame) => {
  expect(sameCidr(a, b)).toBe(isSame);
});
