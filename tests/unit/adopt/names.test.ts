import fc from 'fast-check';
import { nameFromCidr, nameFromText, NameGiver, shortId } from '../../../cli/src/adopt/names';
import { anyText } from './support/texts';

test.each([
  ['Office Berlin', 'office-berlin'],
  ['Büro Köln, 2. Stock', 'buro-koln-2-stock'],
  ['  VPN   (new!)  ', 'vpn-new'],
  ['crème brûlée', 'creme-brulee'],
  ['ﬁle', 'file'],
  ['a'.repeat(60), 'a'.repeat(40)],
  ['the quick brown fox jumps over the lazy dog', 'the-quick-brown-fox-jumps-over-the-lazy'],
  ['日本 👍', undefined],
  ['', undefined],
])('name from %j: %s', (text, name) => {
  expect(nameFromText(text)).toBe(name);
});

test.each([
  ['allow', '203.0.113.0/24', 'allow-203.0.113.0-24'],
  ['deny', '2001:db8::/32', 'deny-2001-db8-32'],
  ['deny', '::/0', 'deny-0'],
])('name from %s %s: %s', (action, cidr, name) => {
  expect(nameFromCidr(action, cidr)).toBe(name);
});

test.each([
  ['ipp_office', 'office'],
  ['ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa', 'yJd1FsGa'],
])('short form of %s: %s', (id, short) => {
  expect(shortId(id)).toBe(short);
});

test('names: a text becomes a name of letters, digits and dashes, or none', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(nameFromText(text) ?? 'none').toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }),
  );
});

test('names: each is given once, whatever is asked for and taken', () => {
  const name = fc.constantFrom('a', 'a-2', 'a-3', 'b');
  fc.assert(
    fc.property(fc.array(name), fc.array(name), (taken, wanted) => {
      const giver = new NameGiver(taken);
      const given = wanted.map((one) => giver.give(one));
      expect(new Set([...taken, ...given]).size).toBe(new Set(taken).size + given.length);
    }),
  );
});
