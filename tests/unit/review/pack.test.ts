import { pack, unpack } from '../../../cli/src/judge/judge-apart';
import { parseCidr } from '../../../provider/src/values/cidr';
import { cidrOf } from './pinned-feeds';

test.each(['8.8.8.0/24', '2001:db8::/32'])('%s arrives as the network that it is, with its text', (text) => {
  expect(unpack(pack({ networks: [cidrOf(text)] }))).toEqual({ networks: [cidrOf(text)] });
  expect((unpack(pack(parseCidr(text))) as { cidr: { text: string } }).cidr.text).toBe(text);
});

test('maps, sets, large integers and keys that a prototype has arrive as they are', () => {
  const data = {
    map: new Map([['a', new Set([1n << 70n, undefined, null])]]),
    keys: JSON.parse(
      '{"__proto__":{"text":"x"},"constructor":1,"prefixLength":2,"text":"8.8.8.0/24"}',
    ) as unknown,
  };
  const arrived = unpack(pack(data)) as typeof data;
  expect(arrived).toEqual(data);
  expect(JSON.stringify(arrived.keys)).toBe(JSON.stringify(data.keys));
});

test.each([new Date(0), /x/, new URL('https://a.example/'), new String('8.8.8.0/24')])(
  '%s is no plain data, and does not lose its nature in silence',
  (value) => {
    expect(() => pack([value])).toThrow('Only plain data can be judged in another process.');
  },
);
