import fc from 'fast-check';
import { canonicalText, parseExpression } from '../../../review/src/traffic-policy/cel';
import { tcp } from './preview-builder';
import { denyIf, edgeInputs } from './inputs';
import { reviewed } from './reviewing';

/** A tree of few leaves and operators, so that two random ones are often nearly the same. */
type Tree = string | readonly [string, ...Tree[]];

const BINARY = ['+', '-', '*', '/', '%', '<', '==', '!=', 'in', '&&', '||'];
const LEAVES = ['conn.geo.a', '1', '1u', '1.5', '"1"', "'\\n'"];

const tree = (depth: number): fc.Arbitrary<Tree> =>
  depth === 0
    ? fc.constantFrom(...LEAVES)
    : fc.oneof(
        fc.constantFrom(...LEAVES),
        fc.tuple(fc.constantFrom(...BINARY), tree(depth - 1), tree(depth - 1)),
        fc.tuple(fc.constantFrom('!', 'neg', '.x', '[0]', 'f()', '.f()'), tree(depth - 1)),
        fc.tuple(fc.constant('?:'), tree(depth - 1), tree(depth - 1), tree(depth - 1)),
        fc.tuple(fc.constantFrom('[]', '{}'), tree(depth - 1), tree(depth - 1)),
      );

/** How each kind is written; an operator stands between two. */
const TEMPLATES: Readonly<Record<string, string>> = {
  ...{ '!': '!$1', neg: '-$1', '.x': '$1.x', '[0]': '$1[0]', 'f()': 'f($1)', '.f()': '$1.f()' },
  ...{ '?:': '$1 ? $2 : $3', '[]': '[$1, $2]', '{}': '{$1: $2}' },
};

/** Written by its own rules, with all parentheses. */
function written(node: Tree): string {
  if (typeof node === 'string') return node;
  const [kind, ...parts] = node;
  const texts = parts.map((part) => `(${written(part)})`);
  const template = TEMPLATES[kind] ?? `$1 ${kind} $2`;
  return template.replace(/\$(\d)/g, (_, at: string) => texts[Number(at) - 1] ?? '');
}

/** The ways to read three operands in a row, and the like. */
const regrouped = fc
  .tuple(fc.constantFrom(...BINARY), fc.constantFrom(...BINARY), tree(1), tree(1), tree(1))
  .map(([first, second, a, b, c]): readonly [Tree, Tree] => [
    [first, a, [second, b, c]],
    [second, [first, a, b], c],
  ]);

const textOf = (node: Tree): string | undefined => {
  const parsed = parseExpression(written(node));
  return parsed && canonicalText(parsed);
};

test('two expressions have one text only if they are one tree', () => {
  let equal = 0;
  fc.assert(
    fc.property(
      fc.oneof(regrouped, fc.tuple(tree(1), tree(1)), fc.tuple(tree(3), tree(3))),
      ([one, other]) => {
        const isOneTree = JSON.stringify(one) === JSON.stringify(other);
        const texts = [textOf(one), textOf(other)];
        expect(texts).not.toContain(undefined);
        expect(texts[0] === texts[1]).toBe(isOneTree);
        if (isOneTree) equal += 1;
      },
    ),
    { numRuns: 10_000 },
  );
  expect(equal).toBeGreaterThan(10);
});

const edge = (expression: string) => edgeInputs(denyIf(expression));
const affectsAccess = (before: string, after: string): boolean =>
  reviewed([tcp('tcp', { before: edge(before), after: edge(after) })]).verdict.affectsAccess;

test.each([
  ['long fractions', '0.12345678901 > size(conn.geo.a)', '0.12345678902 > size(conn.geo.a)'],
  ['bytes that one library cuts off', "string(b'Ā') == conn.geo.a", "string(b'\\x00') == conn.geo.a"],
  [
    'a comment that a carriage return ends',
    "conn.geo.a == 'x' // \r || conn.geo.b == 'y'",
    "conn.geo.a == 'x' // \r || conn.geo.c == 'z'",
  ],
  [
    'a backslash before the end of a raw text',
    "conn.geo.a == r'\\' || conn.geo.b == '\\\\'",
    "conn.geo.a == r'\\' || conn.geo.c == '\\\\'",
  ],
])('expressions are not one because a library writes or reads them alike: %s', (_what, before, after) => {
  expect(affectsAccess(before, after)).toBe(true);
});

test('spacing, quotes and needless parentheses change nothing within a term', () => {
  expect(affectsAccess("conn.geo.a=='x'", '((conn.geo.a) == "x")')).toBe(false);
});

test('an integer beyond those of the language fails where the service evaluates it', () => {
  const [literal, other] = ['9223372036854775808', '9223372036854775807'];
  expect(affectsAccess(`${literal} == ${literal}`, 'true')).toBe(true);
  expect(affectsAccess(`${other} == ${other}`, 'true')).toBe(false);
  // The parser gives both the tree of a negation; only the first is an integer.
  expect(affectsAccess(`conn.geo.a == -${literal}`, `conn.geo.a == -(${literal})`)).toBe(true);
  expect(affectsAccess(`conn.geo.a == -${literal}`, `conn.geo.a == -${literal}`)).toBe(false);
});
