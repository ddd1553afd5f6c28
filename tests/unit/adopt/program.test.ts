import fc from 'fast-check';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import type { Plugin } from 'prettier';
import { format } from 'prettier/standalone';
import { printProgram, type Section } from '../../../cli/src/adopt/code/print-program';
import { type CodeValue, Reference } from '../../../cli/src/adopt/code/value';

const formatted = (source: string): Promise<string> =>
  format(source, { parser: 'typescript', plugins: [estree as Plugin, typescript] });

const section = (args: Record<string, CodeValue>, name = 'office'): Section => ({
  comment: 'IP policy ipp_1: 1 rule',
  declarations: [{ className: 'IpPolicyRule', name, args }],
});

test('program: a rule reads as a person would write it', () => {
  const source = printProgram('pulumi-edge-policy', [
    {
      comment: 'IP policy ipp_1: 1 rule',
      constant: { name: 'ipPolicyId', value: 'ipp_1' },
      declarations: [
        {
          className: 'IpPolicyRule',
          name: 'office',
          args: { ipPolicyId: new Reference('ipPolicyId'), cidr: '203.0.113.0/24', action: 'allow' },
        },
      ],
    },
  ]);
  expect(source).toBe(`import { IpPolicyRule } from "pulumi-edge-policy";

// IP policy ipp_1: 1 rule
const ipPolicyId = "ipp_1";

new IpPolicyRule("office", {
  ipPolicyId,
  cidr: "203.0.113.0/24",
  action: "allow",
});
`);
});

const layouts: [what: string, args: Record<string, CodeValue>, name?: string][] = [
  ['a long text', { description: 'x'.repeat(90) }],
  ['a text that just fits', { description: 'x'.repeat(80 - 2 - 'description: "",'.length) }],
  ['a text that just does not fit', { description: 'x'.repeat(81 - 2 - 'description: "",'.length) }],
  ['wide characters', { description: '日本'.repeat(16) }],
  ['wide characters that do not fit', { description: '日本'.repeat(17) }],
  ['emoji', { description: '😀👍🏽🇩🇪👩‍👩‍👧'.repeat(8) }],
  ['a long name', { cidr: '::/0' }, 'n'.repeat(70)],
  ['lists of all lengths', { deny: ['a', 'b'], allow: Array<string>(30).fill('Mozilla') }],
  ['an empty list and an empty object', { allow: [], config: {} }],
  [
    'nested documents',
    { value: { inbound: [{ name: 'a', expressions: ["x == 'y'"], actions: [{ type: 'deny' }] }] } },
  ],
  [
    'a list of objects',
    {
      value: {
        inbound: [
          { name: 'a', b: 1 },
          { name: 'b', b: 2 },
        ],
      },
    },
  ],
  ['a list of short objects', { actions: [{ type: 'deny' }, { type: 'log' }] }],
  [
    'keys that need quotes',
    { rules: { '10.0.0.0/8': { action: 'allow' }, 'a-b': null, plain: true, '1': 2 } },
  ],
  ['many numbers', { ports: Array.from({ length: 60 }, (_, index) => index * 37 - 300) }],
  ['numbers', { config: { a: [1, 2, 3], b: -0.5, c: 1e21, d: 1e-7 } }],
  [
    'lists of lists',
    {
      a: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
];

test.each(layouts.map(([what, args, name = 'office']) => ({ what, args, name })))(
  'program: the usual formatter leaves it as it is: $what',
  async ({ args, name }) => {
    const source = printProgram('pulumi-edge-policy', [section(args, name)]);
    expect(await formatted(source)).toBe(source);
  },
);

test('program: the usual formatter leaves any tree of values as it is', async () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdef "\'\\xyz-'.split('')), maxLength: 50 });
  const key = fc.oneof(fc.constantFrom('a', 'name', 'type', 'b-c', '10.0.0.0/8', '日'), word);
  const { tree } = fc.letrec<{ tree: CodeValue }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.boolean(),
      fc.constant(null),
      fc.array(word, { maxLength: 6 }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }) as fc.Arbitrary<CodeValue>,
    ),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      const source = printProgram('pulumi-edge-policy', [section({ value })]);
      expect(await formatted(source)).toBe(source);
    }),
    { numRuns: 150 },
  );
});
