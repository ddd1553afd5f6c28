import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { checkout } from '../../support/workspace';

jest.setTimeout(120_000);

// One process for all tests: loading the program of the workspace is what takes long.
const script = `
  import { createInterface } from 'node:readline';
  import { ESLint } from 'eslint';
  const eslint = new ESLint();
  for await (const question of createInterface({ input: process.stdin })) {
    const { text, file } = JSON.parse(question);
    const [{ messages }] = await eslint.lintText(text, { filePath: file });
    console.log(JSON.stringify(messages));
  }`;
const linter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
  cwd: checkout,
  stdio: ['pipe', 'pipe', 'inherit'],
  // In a single run the parser would read the file itself.
  env: { ...process.env, TSESTREE_SINGLE_RUN: 'false' },
});
const answers = createInterface({ input: linter.stdout });
afterAll(() => linter.kill());

interface Message {
  readonly ruleId: string;
  readonly line: number;
  readonly message: string;
}

/** What the lint rules say of lines, if they stood in a file. */
async function lint(file: string, lines: readonly string[], rules: RegExp): Promise<Message[]> {
  linter.stdin.write(`${JSON.stringify({ file, text: `${lines.join('\n')}\n` })}\n`);
  const [answer] = (await once(answers, 'line')) as [string];
  return (JSON.parse(answer) as Message[]).filter(({ ruleId }) => rules.test(ruleId));
}

/** Imports, or other lines, by the file that they would stand in, each with what is said of it; none is said of what may be. */
type Lines = Readonly<Record<string, string | undefined>>;

const IMPORTS: readonly (readonly [file: string, imports: Lines])[] = [
  [
    'provider/src/values/cidr.ts',
    {
      '../api/client': 'values may reach into no other room',
      './address': undefined,
      axios: 'used inside api/transport only',
      '@pulumi/pulumi': 'know nothing of Pulumi',
    },
  ],
  [
    'emulator/src/index.ts',
    { '../../provider/src/api/client': 'The emulator shares nothing with the provider' },
  ],
  [
    'provider/src/api/client.ts',
    {
      '../../../emulator/src/index': 'The provider knows nothing of the emulator',
      '../../../review/src': 'The provider knows nothing of the review',
      '../../../cli/src/main': 'Nothing knows of the commands',
    },
  ],
  [
    'review/src/access/bounds.ts',
    {
      'pulumi-edge-policy/internal/values/cidr': undefined,
      'pulumi-edge-policy/internal/settings/settings': 'The review uses',
      '@pulumi/pulumi': 'know nothing of Pulumi',
      'node:fs': 'The review is pure',
      commander: 'The review is pure',
      '../report/report': 'access may reach into model, text only',
      '../text/sentence': undefined,
    },
  ],
  [
    'cli/src/list/command.ts',
    {
      '../../../provider/src/api/client': 'The commands use pulumi-edge-policy/internal',
      '../../../review/src': 'The commands use',
      'pulumi-edge-policy-review/posture': 'The commands use',
      '../recover/judge': 'list may reach into command, pulumi only',
    },
  ],
  [
    'policy-pack/src/edge-policies.ts',
    {
      'pulumi-edge-policy-review/posture': undefined,
      'pulumi-edge-policy-review': 'use pulumi-edge-policy-review/posture only',
      'pulumi-edge-policy/internal/values/cidr': 'use pulumi-edge-policy-review/posture only',
      '../../review/src/posture': 'use pulumi-edge-policy-review/posture only',
    },
  ],
  [
    'review/src/review.ts',
    {
      '../../cli/src/main': 'Nothing knows of the commands',
      '../../policy-pack/src': 'Nothing knows of the policies',
    },
  ],
];

/** Every way to a terminal but the one place that makes texts printable. */
const STATEMENTS: readonly (readonly [file: string, statements: Lines])[] = [
  [
    'cli/src/run-cli.ts',
    {
      'process.stdout.write(text);': 'Print through values/printable.ts',
      'console.log(text);': '',
      'print(JSON.stringify(value, undefined, 2));': 'Use printableJson',
      'print(JSON.stringify(value));': undefined,
    },
  ],
];

const asStatements = (imports: Lines): Lines =>
  Object.fromEntries(Object.entries(imports).map(([name, said]) => [`import '${name}';`, said]));

test.each([...IMPORTS.map(([file, imports]) => [file, asStatements(imports)] as const), ...STATEMENTS])(
  '%s: what may not stand in it is a lint error that says why',
  async (file, lines) => {
    const found = await lint(file, Object.keys(lines), /restricted|no-console/);
    const expected = Object.values(lines).flatMap((said, index) =>
      said === undefined ? [] : [{ line: index + 1, message: expect.stringContaining(said) as string }],
    );
    expect(found).toMatchObject(expected);
  },
);

test('two files that import each other are a lint error', async () => {
  const [said] = await lint('cli/src/adopt/adoption.ts', ["import './plan-adoption';"], /no-cycle/);
  expect(said?.message).toContain('Dependency cycle');
});
