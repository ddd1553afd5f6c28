import fc from 'fast-check';
import { collect } from '../../../cli/src/feeds/collect-networks';
import { PUBLISHERS } from '../../../provider/src/feeds/publishers';
import { cidrSetOf, sameCidrSet } from '../../../review/src/access/cidr-set';
import { networkAt } from '../../../provider/src/values/cidr';
import { declared, documentsOf, SIZES } from '../../support/feeds/documents';
import { networksOf } from '../../support/feeds/networks';

const textsOf = (declaration: object, documents: readonly string[]): string[] =>
  collect(declared(declaration), documents).networks.map(({ text }) => text);

/** A publisher whose address changes is declared with one. */
const addressOf = (publisher: keyof typeof PUBLISHERS): object =>
  PUBLISHERS[publisher].documents.length === 0 ? { url: 'https://lists.example.com/1.json' } : {};

test('every publisher has documents in the tests', () => {
  expect(new Set(SIZES.map(([publisher]) => publisher))).toEqual(new Set(Object.keys(PUBLISHERS)));
});

test.each(SIZES)(
  '%s %j: %j networks, all of them and the fewest that hold the same addresses',
  (publisher, select, amount) => {
    const networks = networksOf(amount);
    const documents = documentsOf[publisher]([...networks].reverse());
    const declaration = { publisher, select, ...addressOf(publisher) };
    expect(textsOf(declaration, documents)).toEqual(networks);
    expect(textsOf({ ...declaration, aggregate: true }, documents)).toHaveLength(amount.aggregated);
  },
);

test('the notice of a publisher is kept', () => {
  const networks = networksOf({ networks: 22, aggregated: 22 });
  const drop = collect(declared({ publisher: 'spamhaus-drop' }), documentsOf['spamhaus-drop'](networks));
  expect(drop.notice).toBe('(c) 2026 The publisher');
});

const three = ['20.0.0.0/24', '20.0.2.0/24', '2a00:1450::/32'];

test.each<[string, object, string]>([
  ['text', { format: 'text' }, '# ours\n20.0.2.0/24 ; second\r\n\r\n20.0.0.0/24\n2a00:1450::/32'],
  ['text that begins with a byte order mark', { format: 'text' }, `\ufeff${three.join('\n')}\n20.0.0.0/24\n`],
  ['JSON: a list', { format: 'json' }, JSON.stringify(three)],
  [
    'JSON: a list inside',
    { format: 'json', pointer: '/a~1b/0/ranges' },
    JSON.stringify({ 'a/b': [{ ranges: three }] }),
  ],
  [
    'JSON: a list of objects',
    { format: 'json', pointer: '/items', field: 'cidr' },
    JSON.stringify({ items: three.map((cidr) => ({ cidr, product: ['x'] })) }),
  ],
  [
    'CSV: a column',
    { format: 'csv', field: 'network' },
    'site,network\r\n"Lisbon, old",20.0.0.0/24\r\n"the ""new""\nsite","20.0.2.0/24"\r\n,2a00:1450::/32\r\n',
  ],
  [
    'CSV: the only column, with a byte order mark and ranges',
    { format: 'csv', field: 'net "work' },
    `\ufeff"net ""work"\n20.0.0.0-20.0.0.255\n20.0.2.0/24\n2a00:1450::/32`,
  ],
])('a document of somebody else: %s', (_, place, document) => {
  expect(textsOf({ url: 'https://lists.example.com/', ...place }, [document])).toEqual(three);
});

test.each<[string, string[]]>([
  ['20.0.0.0-20.0.0.255', ['20.0.0.0/24']],
  ['20.0.0.1 - 20.0.0.4', ['20.0.0.1/32', '20.0.0.2/31', '20.0.0.4/32']],
  ['20.0.0.7-20.0.0.7', ['20.0.0.7/32']],
  ['223.255.255.254-223.255.255.255 # the last ones', ['223.255.255.254/31']],
  ['2A00:1450::-2a00:1450:ffff:ffff:ffff:ffff:ffff:ffff', ['2a00:1450::/32']],
])('a range: %s', (line, networks) => {
  expect(textsOf({ url: 'https://lists.example.com/', format: 'text' }, [line])).toEqual(networks);
  const json = { url: 'https://lists.example.com/', format: 'json' };
  expect(textsOf(json, [JSON.stringify([line.replace(/ #.*/, '')])])).toEqual(networks);
});

test.each<[string, RegExp]>([
  ['20.0.0.9-20.0.0.1', /last address is before its first.*20\.0\.0\.9-20\.0\.0\.1/],
  ['20.0.0.1-2a00:1450::', /a range from IPv4 to IPv6/],
  ['20.0.0.1-20.0.0.300', /not a network.*20\.0\.0\.300/],
  ['20.0.0.0/25-20.0.0.255', /not a network/],
  ['20.0.0.0-20.0.0.1-20.0.0.2', /not a network/],
  ['::ffff:20.0.0.1-::ffff:20.0.0.2', /not a network/],
  ['0.0.0.0-255.255.255.255', /0\.0\.0\.0\/0/],
  ['9.255.255.255-10.0.0.1', /10\.0\.0\.0\/31/],
])('a range that is refused: %s', (line, why) => {
  expect(() => textsOf({ url: 'https://lists.example.com/', format: 'text' }, [line])).toThrow(why);
});

test('a publisher whose documents have no ranges is held to that', () => {
  expect(() => textsOf({ publisher: 'cloudflare' }, ['20.0.0.0-20.0.0.255', '2a00:1450::/32'])).toThrow(
    /not a network/,
  );
});

test('an address without a mask is a network of one', () => {
  const stripe = JSON.stringify({ WEBHOOKS: ['20.0.0.1', '2a00:1450::1'] });
  const declaration = { url: 'https://lists.example.com/', format: 'json', pointer: '/WEBHOOKS' };
  expect(textsOf(declaration, [stripe])).toEqual(['20.0.0.1/32', '2a00:1450::1/128']);
});

const hooks = { publisher: 'github', select: { keys: ['hooks'] } };
const ours = { url: 'https://lists.example.com/', format: 'text' };
const drop = { publisher: 'spamhaus-drop' };
const table = { url: 'https://lists.example.com/', format: 'csv', field: 'network' };

test.each<[object, string, RegExp]>([
  [ours, '<!doctype html><title>just a moment</title>', /it is an HTML or XML page/],
  [hooks, '\n <html>', /it is an HTML or XML page/],
  [ours, '', /it is empty/],
  [ours, '\n \n', /it is empty/],
  [ours, '# nothing today\n', /it contains no networks/],
  [ours, '{"message":"rate limited"}', /an entry that is not a network/],
  [hooks, '20.0.0.0/24', /it is not JSON, or was truncated/],
  [hooks, '{"hooks":["20.0.0.0/24","20.0.', /it is not JSON, or was truncated/],
  [drop, '{"cidr":"20.0.0.0/24"}\n', /its last line is not the metadata/],
  [ours, '20.0.0.0/24\n20.0.0.300/32', /not a network.*20\.0\.0\.300/],
  [ours, '20.0.0.1/24', /bits set after its first 24/],
  [hooks, '{"web":["20.0.0.0/24"]}', /no networks for "hooks", which "select.keys" names/],
  [hooks, '{"hooks":[]}', /no networks for "hooks"/],
  [hooks, '{"hooks":{"a":1}}', /"hooks" is an object, not a list/],
  [
    { publisher: 'github', select: { keys: ['constructor'] } },
    '{"hooks":["20.0.0.0/24"]}',
    /no networks for "constructor"/,
  ],
  [hooks, '{"hooks":[1]}', /a member of "hooks" is a number, not a text/],
  [{ publisher: 'aws' }, '{"addresses":["20.0.0.0/24"]}', /"prefixes" is nothing, not a list/],
  [{ publisher: 'aws' }, '[]', /an array instead of an object/],
  [{ ...ours, format: 'json', pointer: '/a/b' }, '{"a":[]}', /the pointer "\/a\/b" does not exist/],
  [ours, '20.0.0.0/7', /20\.0\.0\.0\/7 is wider than \/8.*widestIpv4/],
  [ours, '0.0.0.0/0', /is wider than \/8/],
  [ours, '2a00::/12', /is wider than \/16.*widestIpv6/],
  [ours, '20.0.0.0/24\n10.1.0.0/16', /10\.1\.0\.0\/16 holds special-purpose addresses/],
  [{ ...ours, bounds: { widestIpv4: 0 } }, '128.0.0.0/1', /special-purpose/],
  [ours, '::1', /special-purpose/],
  [table, 'net,site\n20.0.0.0/24,a', /must name the column "network" once, and has "net", "site"/],
  [table, 'network,network\n20.0.0.0/24,20.0.0.0/24', /"network" once/],
  [table, '20.0.0.0/24,a\n20.0.2.0/24,b', /must name the column "network" once/],
  [table, 'network;site\n20.0.0.0/24;a', /must name the column "network" once/],
  [table, 'network,site\n', /it contains no networks/],
  [table, 'network,site\n20.0.0.0/24,a\n20.0.2', /row 3 has another number of cells.*1 instead of 2/],
  [table, 'site,network\n"a,20.0.0.0/24', /row 2 has a quote or a line break/],
  [table, 'network,site\n20.0.0.0/24,a,b', /row 2 has another number of cells.*3 instead of 2/],
  [table, 'network,site\n\n20.0.0.0/24,a', /row 2 has another number/],
  [table, 'network,site\n"20.0.0.0/24"0,a', /row 2 has a quote/],
  [table, 'network,site\n20.0.0.0/24,5" disk', /row 2 has a quote/],
  [table, 'network,site\r20.0.0.0/24,a', /row 1 has a quote or a line break/],
  [table, 'network,site\n,a', /not a network.*empty/],
  [table, 'site,network\na, 20.0.0.0/24', /spaces around it/],
  [table, 'network,site\n"20.0.0.0/24\n0.0.0.0/0",a', /not a network/],
  [table, '<html>network</html>', /it is an HTML or XML page/],
])('refused: %j %j: %s', (declaration, document, reason) => {
  expect(() => collect(declared(declaration), [document])).toThrow(reason);
});

test('one empty document of two is refused: half of a list is not the list', () => {
  expect(() => collect(declared({ publisher: 'cloudflare' }), ['20.0.0.0/24', '# none'])).toThrow(
    'it contains no networks',
  );
});

test('what is wide or special can be declared', () => {
  const bounds = { widestIpv4: 0, specialPurpose: true };
  expect(textsOf({ ...ours, bounds }, ['10.0.0.0/8\n20.0.0.0/6'])).toEqual(['10.0.0.0/8', '20.0.0.0/6']);
});

const network = fc
  .record({ isIpv6: fc.boolean(), value: fc.nat(0xffff), length: fc.nat(8) })
  // Near each other, so that many of them join or lie in each other.
  .map(({ isIpv6, value, length }) =>
    isIpv6
      ? networkAt(6, (0x2a00n << 112n) | (BigInt(value & 0xff) << 80n), 48 - length)
      : networkAt(4, (20n << 24n) | BigInt(value & 0x3ff), 32 - length),
  );

test('aggregation keeps the addresses, and no two of its networks could be one', () => {
  fc.assert(
    fc.property(fc.array(network, { minLength: 1, maxLength: 60 }), (networks) => {
      const document = networks.map(({ text }) => text).join('\n');
      const all = collect(declared(ours), [document]).networks;
      const few = collect(declared({ ...ours, aggregate: true }), [document]).networks;
      expect(sameCidrSet(cidrSetOf(few), cidrSetOf(networks))).toBe(true);
      expect(sameCidrSet(cidrSetOf(all), cidrSetOf(networks))).toBe(true);
      expect(few.length).toBeLessThanOrEqual(all.length);
      const parents = few.map(
        ({ family, first, prefixLength }) => networkAt(family, BigInt(first), prefixLength - 1).text,
      );
      expect(new Set(parents).size).toBe(few.length);
    }),
    { numRuns: 300 },
  );
});

test('a quoted cell of two million characters is read', () => {
  const document = `site,network\n"${'""x'.repeat(700_000)}",20.0.0.0/24`;
  expect(textsOf({ url: 'https://lists.example.com/', format: 'csv', field: 'network' }, [document])).toEqual(
    ['20.0.0.0/24'],
  );
});
