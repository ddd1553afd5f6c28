import { echo, firstOf } from '../../../provider/src/values/failure';

test.each([
  ['10.0.0.1/8', '"10.0.0.1/8"'],
  ['zürich', '"zürich"'],
  ['a\nb\tc', String.raw`"a\u{a}b\u{9}c"`],
  ['\u001b[31m', String.raw`"\u{1b}[31m"`],
  ['a\u202eb\u200bc', String.raw`"a\u{202e}b\u{200b}c"`],
  ['half \ud83d', String.raw`"half \u{d83d}"`],
  ['<{%reset%}>', String.raw`"\u{3c}{%reset%}>"`],
  ['a < b', '"a < b"'],
])('%j is echoed as %s', (text, shown) => {
  expect(echo(text)).toBe(shown);
});

test('a long text is cut, between characters', () => {
  expect(echo('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
  expect(echo('x'.repeat(61))).toBe(`"${'x'.repeat(60)}…"`);
  expect(echo('😀'.repeat(1000))).toBe(`"${'😀'.repeat(60)}…"`);
});

test('of many names the first are shown, and the others counted', () => {
  expect(firstOf(['a', 'b'], 2)).toBe('a, b');
  expect(firstOf(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
});
