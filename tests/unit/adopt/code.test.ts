import vm from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';
import { codeOf, literal } from '../../../cli/src/adopt/generate';
import { anyText } from './support/texts';

/** What code means to the compiler, not to our own reading of it. */
const meaningOf = (code: string): unknown => {
  const { outputText, diagnostics } = ts.transpileModule(`exports.value = JSON.stringify(${code});`, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  expect(diagnostics).toEqual([]);
  const sandbox = { exports: { value: '' } };
  vm.runInNewContext(outputText, sandbox);
  return JSON.parse(sandbox.exports.value) as unknown;
};

test.each([
  ['plain', '"plain"'],
  ['say "hi"', String.raw`"say \"hi\""`],
  ['line\nbreak\r\ttab', String.raw`"line\nbreak\r\ttab"`],
  ['`${process.exit()}`', '"`${process.exit()}`"'],
  ['café 日本 😀', '"café 日本 😀"'],
  ['\u2028\u2029', String.raw`"\u2028\u2029"`],
  ['zero\u200bwidth', String.raw`"zero\u200bwidth"`],
  ['turned\u202earound', String.raw`"turned\u202earound"`],
  ['\ud800', String.raw`"\ud800"`],
  ['\u{e0041}', String.raw`"\udb40\udc41"`],
])('code: the text %j is written %s', (text, code) => {
  expect(literal(text)).toBe(code);
});

test.each([
  [
    'what fits is on one line',
    { deny: ['a', 'b'], 'a-b': { c: null } },
    '{ deny: ["a", "b"], "a-b": { c: null } }',
  ],
  ['nothing takes no line', { allow: [], config: {} }, '{ allow: [], config: {} }'],
  [
    'what does not fit has a line for each member',
    {
      rules: {
        '10.0.0.0/8': { action: 'allow' },
        '10.1.0.0/16': { action: 'deny', description: 'a'.repeat(30) },
      },
    },
    `{
  rules: {
    "10.0.0.0/8": { action: "allow" },
    "10.1.0.0/16": { action: "deny", description: "${'a'.repeat(30)}" },
  },
}`,
  ],
])('code: %s', (_what, value, code) => {
  expect(codeOf(value)).toBe(code);
});

test('code: the compiler reads back exactly the value, and nothing in the source is invisible', () => {
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      anyText(),
      fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => number + 0),
      fc.constantFrom(true, null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constant('__proto__'), anyText()), tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const code = codeOf(value);
      expect(meaningOf(code)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(code.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    }),
    { numRuns: 300 },
  );
});
