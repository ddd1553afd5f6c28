import fc from 'fast-check';
import { printable, printableByEngine, printableJson } from '../../../provider/src/values/printable';
import { anyCharacter } from '../../support/any-character';

// Everything a terminal acts on: C0 and C1 controls, directions, separators.
// eslint-disable-next-line no-control-regex -- what must not be there
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;
const anyText = fc.string({ unit: anyCharacter, maxLength: 200 });

test.each([
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['\u001b[2J', '\\u{1b}[2J'],
  ['\u009b2J', '\\u{9b}2J'],
  ['a\rb', 'a\\u{d}b'],
  ['\u202egpj.exe', '\\u{202e}gpj.exe'],
  ['Zürich 💡', 'Zürich 💡'],
])('%j is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('whatever the text, nothing that a terminal acts on is left, and no directive of the engine', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(printable(text)).not.toMatch(acting);
      expect(printableByEngine(`${text}<{%reset%}>${text}`)).not.toMatch(/<\{%/);
    }),
  );
});

test('JSON is safe to print and still means the same', () => {
  const value = fc.record({ text: anyText, list: fc.array(anyText), [`key \u009b`]: fc.integer() });
  fc.assert(
    fc.property(value, (original) => {
      const text = printableJson(original);
      expect(text).not.toMatch(acting);
      expect(JSON.parse(text)).toEqual(original);
    }),
  );
});
