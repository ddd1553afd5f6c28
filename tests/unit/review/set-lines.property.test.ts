// The columns of a set's text say what the strict reading of its lines says: every text that one refuses the other refuses.
import fc from 'fast-check';
import { readRuleLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { ipv4OfCode } from 'pulumi-edge-policy/internal/values/ipv4-network';
import { actionAt, lineAt, matchLines, readSetLines } from '../../../review/src/model/set-lines';

const octet = fc.constantFrom(
  '0',
  '1',
  '9',
  '10',
  '99',
  '100',
  '192',
  '249',
  '255',
  '256',
  '01',
  '00',
  '1000',
  '',
);
const prefix = fc.constantFrom('0', '8', '9', '16', '24', '31', '32', '33', '08', '', '128', 'x');
const ipv4 = fc
  .tuple(octet, octet, octet, octet, prefix)
  .map(([a, b, c, d, length]) => `${a}.${b}.${c}.${d}/${length}`);
const key = fc.oneof(
  { weight: 3, arbitrary: ipv4 },
  fc.constantFrom(
    '10.0.0.0/8',
    '192.0.2.0/24',
    '2001:db8::/32',
    '(unknown 1)',
    '10.0.0.0/8 (duplicate 2)',
    '"x y"',
  ),
);
const action = fc.constantFrom('allow', 'deny', '(unknown)', 'allowed', 'den', '');
const rest = fc.constantFrom(
  '',
  ' "office"',
  ' ""',
  ' "a\\"b"',
  ' "a"b"',
  ' "',
  ' office',
  ' metadata "x"',
  ' "x" metadata "y"',
);
const line = fc.tuple(key, fc.constantFrom(' ', '  ', ''), action, rest).map((parts) => parts.join(''));
const text = fc
  .tuple(fc.array(line, { maxLength: 4 }), fc.constantFrom('\n', ''))
  .map(([lines, end]) => `${['@rules', ...lines].join('\n')}${end}`);

test('columns hold the lines that the strict reading finds, and no text is read that it refuses', () => {
  fc.assert(
    fc.property(text, (each) => {
      const lines = readSetLines(each);
      const read = lines && Array.from({ length: lines.count }, (_, index) => lineAt(lines, index));
      expect(read).toEqual(readRuleLines(each));
    }),
    { numRuns: 5000, examples: [['@rules\n']] },
  );
});

test('a plain line is its network and its action as the strict reading has them', () => {
  fc.assert(
    fc.property(text, (each) => {
      const lines = readSetLines(each);
      if (!lines) return;
      const strict = readRuleLines(each) ?? [];
      const plain = strict.map((_, index) => index).filter((index) => !lines.others.has(index));
      expect(
        plain.map((index) => [ipv4OfCode(lines.codes[index] ?? 0).text, actionAt(lines, index)]),
      ).toEqual(plain.map((index) => [strict[index]?.key, strict[index]?.action]));
    }),
    { numRuns: 5000 },
  );
});

test('lines are matched with lines of the same text, whatever their order', () => {
  const one = readSetLines('@rules\n10.0.0.0/8 allow\n192.0.2.0/24 deny "a"\n2001:db8::/32 allow\n');
  const other = readSetLines('@rules\n192.0.2.0/24 deny "a"\n10.0.0.0/8 deny\n2001:db8::/32 allow\n');
  expect(one && other && [...matchLines(one, other)]).toEqual([-1, 0, 2]);
  expect(one && [...matchLines(one, one)]).toEqual([0, 1, 2]);
});
