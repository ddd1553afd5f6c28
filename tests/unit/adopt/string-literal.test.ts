import vm from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';
import { stringLiteral } from '../../../cli/src/adopt/code/string-literal';
import { anyText } from './support/texts';

/** What a literal means to the compiler, not to our own reading of it. */
const meaningOf = (literal: string): unknown => {
  const { outputText, diagnostics } = ts.transpileModule(`exports.text = ${literal};`, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  expect(diagnostics).toEqual([]);
  const sandbox = { exports: { text: undefined as unknown } };
  vm.runInNewContext(outputText, sandbox);
  return sandbox.exports.text;
};

test.each([
  ['plain', '"plain"'],
  ['', '""'],
  ["it's", '"it\'s"'],
  ['say "hi"', `'say "hi"'`],
  [`both "a" and 'b'`, `"both \\"a\\" and 'b'"`],
  ['{"team":"edge"}', `'{"team":"edge"}'`],
  ['line\nbreak\r\ttab', String.raw`"line\nbreak\r\ttab"`],
  ['back\\slash', String.raw`"back\\slash"`],
  ['`${process.exit()}`', '"`${process.exit()}`"'],
  ['</script>', '"</script>"'],
  ['café 日本 😀', '"café 日本 😀"'],
  ['\u2028\u2029', String.raw`"\u2028\u2029"`],
  ['zero\u200bwidth', String.raw`"zero\u200bwidth"`],
  ['turned\u202earound', String.raw`"turned\u202earound"`],
  ['\ud800', String.raw`"\ud800"`],
  ['\u{e0041}', String.raw`"\u{e0041}"`],
  ['\u0000', String.raw`"\u0000"`],
])('string literal of %j: %s', (text, literal) => {
  expect(stringLiteral(text)).toBe(literal);
});

test('string literal: a family emoji stays one picture', () => {
  expect(stringLiteral('👩‍👩‍👧 home')).toBe('"👩‍👩‍👧 home"');
});

test('string literal: the compiler reads back exactly the text, whatever it is', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(meaningOf(stringLiteral(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('string literal: nothing that is invisible or ends a line stands in the source', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(stringLiteral(text).replaceAll('\u200d', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    }),
  );
});
