// Three readers of conditions: the grammar of the language definition, the parser of the product, and that of the oracle.
import { parse as parseOfOracle } from '@bufbuild/cel';
import { parse as parseOfProduct } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { isExpression } from '../../../review/src/traffic-policy/cel';
import { previewOf, tcp } from './preview-builder';
import { denyIf, edgeInputs, within } from './inputs';
import { asserting, reviewed, told } from './reviewing';

const doesAccept = (parse: (text: string) => unknown, text: string): boolean => {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
};

/** What a library reads otherwise than the grammar: a text of the kind, and whether the library accepts that one. */
interface Deviation {
  readonly fact: string;
  readonly sign: RegExp;
  readonly sample: string;
  readonly isAccepted: boolean;
}

const PRODUCT: readonly Deviation[] = [
  { fact: 'a comma after the last argument', sign: /,\s*\)/, sample: 'f(a,)', isAccepted: true },
  { fact: 'a choice within a choice', sign: /\?[^:]*\?/, sample: 'a ? b ? c : d : e', isAccepted: true },
  { fact: 'mixed signs', sign: /!\s*-|-\s*!/, sample: '!-a', isAccepted: true },
  { fact: 'a capital X of a number', sign: /0X/, sample: '0X1', isAccepted: true },
  { fact: 'a message', sign: /[\w\s]\{/, sample: 'a.b{c: 1}', isAccepted: false },
  {
    fact: 'a name that begins with a dot',
    sign: /(?:^|[^\w\s)\]}'"])\s*\./,
    sample: '.a',
    isAccepted: false,
  },
  { fact: 'a number that begins with a dot', sign: /\.\d/, sample: '.5', isAccepted: false },
  { fact: 'a form feed', sign: /\f/, sample: '\fa', isAccepted: false },
  { fact: 'raw bytes', sign: /b[rR]['"]/, sample: "br'a'", isAccepted: false },
  { fact: 'a list of a comma', sign: /[[{]\s*,/, sample: '[,]', isAccepted: false },
  { fact: 'a name that the parser keeps', sign: /\bexists\b/, sample: 'a.exists(1, b)', isAccepted: false },
];

const ORACLE: readonly Deviation[] = [
  { fact: 'a last comment without an end', sign: /\/\/[^\n]*$/, sample: 'a // b', isAccepted: false },
  // The definition has it, and no type does.
  { fact: 'a sign of a number after an exclamation mark', sign: /!\s*-/, sample: '!-1', isAccepted: true },
  { fact: 'a message with a reserved name', sign: /\bas\s*\{/, sample: 'as{}', isAccepted: false },
  { fact: 'an operator that a name begins with', sign: /in\w/, sample: 'a ina', isAccepted: true },
  { fact: 'a list of a comma', sign: /[[{]\s+,/, sample: '[ , ]', isAccepted: false },
  {
    fact: 'a name that begins with a constant',
    sign: /\b(?:true|false|null)\w/,
    sample: 'true1',
    isAccepted: false,
  },
  { fact: 'space where arguments may be', sign: /\(\s+\)/, sample: 'f( )', isAccepted: false },
  { fact: 'any escape', sign: /\\/, sample: "'a\\z'", isAccepted: true },
  { fact: 'space between signs', sign: /([!-])\s+\1/, sample: '- - 1', isAccepted: false },
  { fact: 'a negative unsigned number', sign: /-\s*\w+u/, sample: '-1u', isAccepted: false },
];

const library = [
  ...PRODUCT.map((deviation) => ({ ...deviation, parse: parseOfProduct })),
  ...ORACLE.map((deviation) => ({ ...deviation, parse: parseOfOracle })),
];

test.each(library)('the grammar and a library differ on $fact', ({ sample, sign, isAccepted, parse }) => {
  expect(sample).toMatch(sign);
  expect(doesAccept(parse, sample)).toBe(isAccepted);
  expect(isExpression(sample)).toBe(!isAccepted);
});

const LEAVES = [
  'a',
  'conn.client_ip',
  '1',
  '0x1f',
  '1u',
  '1.5',
  '2e3',
  '"t"',
  "r'u'",
  "b'v'",
  'null',
  'true',
];
const RARE = ['.a', '.5', 'as', "'\\n'", "'\\z'", "br'a'", '0X1', 'a.as', 'm{}', '[,]', '{,}', "'''\n'''"];
const OPERATORS = ['||', '&&', '<', '<=', '>=', '>', '==', '!=', 'in', '+', '-', '*', '/', '%'];

const SIGNS = ['!', '-', '?', ':', '.', ',', '(', ')', '[', ']', '{', '}', '"', "'", '\\'];

/** Expressions as lists of tokens, among them some that only one of the readers accepts. */
const expression: fc.Arbitrary<string[]> = fc.letrec<{ any: string[] }>((tie) => {
  const [one, list] = [tie('any'), fc.array(tie('any'), { maxLength: 2 })];
  const comma = fc.constantFrom([], [], [], [',']);
  const separated = fc
    .tuple(list, comma)
    .map(([items, last]) => [
      ...items.flatMap((item, index) => (index > 0 ? [',', ...item] : item)),
      ...last,
    ]);
  return {
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...LEAVES).map((text) => [text]),
      { weight: 1, arbitrary: fc.constantFrom(...RARE).map((text) => [text]) },
      fc
        .tuple(one, fc.constantFrom(...OPERATORS), one)
        .map(([left, operator, right]) => [...left, operator, ...right]),
      fc.tuple(fc.constantFrom('!', '-', '!!', '--'), one).map(([sign, of]) => [sign, ...of]),
      fc.tuple(one, one, one).map(([of, then, other]) => [...of, '?', ...then, ':', ...other]),
      one.map((of) => ['(', ...of, ')']),
      separated.map((items) => ['f', '(', ...items, ')']),
      fc.tuple(one, separated).map(([of, items]) => [...of, '.', 'g', '(', ...items, ')']),
      fc.tuple(one, one).map(([of, index]) => [...of, '[', ...index, ']']),
      separated.map((items) => ['[', ...items, ']']),
      fc.tuple(one, one, comma).map(([key, value, last]) => ['{', ...key, ':', ...value, ...last, '}']),
    ),
  };
}).any;

const space = fc.constantFrom(' ', ' ', '', '\n', '\t', '\f', ' // c\n', '\v');
const token = fc.constantFrom(...LEAVES, ...RARE, ...OPERATORS, ...SIGNS);

/** An expression as a text, with at most one token too many, missing, or changed. */
const text = fc
  .tuple(
    expression,
    fc.infiniteStream(space),
    fc.option(fc.tuple(fc.nat(), fc.nat(1), fc.array(token, { maxLength: 1 }))),
  )
  .map(([tokens, spaces, mutation]) => {
    const [at = 0, missing = 0, more = []] = mutation ?? [];
    const changed = tokens.toSpliced(at % (tokens.length + 1), missing, ...more);
    return changed.map((each) => `${each}${spaces.next().value ?? ''}`).join('');
  });

test('the grammar accepts what both libraries accept, and refuses what both refuse, but for the known deviations', () => {
  const agreed = { true: 0, false: 0 };
  fc.assert(
    fc.property(text, (made) => {
      const isAccepted = isExpression(made);
      const uncommented = made.replace(/\/\/.*\n/g, ' ');
      for (const [deviations, parse] of [
        [PRODUCT, parseOfProduct],
        [ORACLE, parseOfOracle],
      ] as const) {
        if (deviations.some(({ sign }) => sign.test(uncommented))) continue;
        expect([made, doesAccept(parse, made)]).toEqual([made, isAccepted]);
        agreed[`${isAccepted}`] += 1;
      }
    }),
    { numRuns: 10_000 },
  );
  expect(agreed.true).toBeGreaterThan(1_000);
  expect(agreed.false).toBeGreaterThan(1_000);
});

test('nesting that overflows the stack is refused, and a long chain is not', () => {
  expect(isExpression(Array(10_000).fill('a').join('+'))).toBe(true);
  const nested = `${'('.repeat(9_999)}${within('192.0.2.0/24')}${')'.repeat(9_999)}`;
  const after = edgeInputs(denyIf(nested.slice(0, 19_999)));
  expect(reviewed([tcp('tcp', { after })]).verdict.affectsAccess).toBe(true);
});

const demands = asserting({ tcpEdges: [{ edgeId: 'edgtcp_1', mustDeny: ['192.0.2.0/24'] }] });

test.each([
  ['a comma after the last argument', "inCidrRange(conn.client_ip, '192.0.2.0/24',)"],
  ['a choice within a choice', `true ? true ? ${within('192.0.2.0/24')} : false : false`],
  ['a minus of a truth', `${within('192.0.2.0/24')} || !-size(conn.geo.a)`],
])('a condition that the grammar refuses keeps nobody out for sure: %s', (_what, condition) => {
  const before = edgeInputs(denyIf(within('192.0.2.0/24')));
  const change = previewOf(tcp('tcp', { before, after: edgeInputs(denyIf(condition)) }));
  const report = reviewed(change, { assertions: demands });
  expect(report.verdict.affectsAccess).toBe(true);
  expect(told(report).join('\n')).toMatch(/^high assertion-not-checked/);
});
