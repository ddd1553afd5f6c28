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
  readonly message: string;
}

/** What the lint rules about what may not stand in a file say of a line in it. */
async function lint(file: string, line: string): Promise<Message[]> {
  linter.stdin.write(`${JSON.stringify({ file, text: `${line}\n` })}\n`);
  const [answer] = (await once(answers, 'line')) as [string];
  return (JSON.parse(answer) as Message[]).filter(({ ruleId }) => /restricted|no-console/.test(ruleId));
}

/** A line, the file in which it would stand, and what is said of it; nothing is said of what may be. */
const LINES: readonly (readonly [file: string, line: string, said: string])[] = [
  ...importsIn('provider/src/values/cidr.ts', [
    ['../api/client', 'values may reach into no other folder'],
    ['./address'],
    ['axios', 'used inside api/transport only'],
    ['@pulumi/pulumi', 'know nothing of Pulumi'],
  ]),
  ...importsIn('emulator/src/index.ts', [
    ['../../provider/src/api/client', 'The emulator shares nothing with the provider'],
  ]),
  ...importsIn('provider/src/api/client.ts', [
    ['../../../emulator/src/index', 'The provider knows nothing of the emulator'],
    ['../../../review/src', 'The provider knows nothing of the review'],
    ['../../../cli/src/main', 'Nothing knows of the commands'],
  ]),
  ...importsIn('review/src/access/bounds.ts', [
    ['pulumi-edge-policy/internal/values/cidr'],
    ['pulumi-edge-policy/internal/settings/settings', 'The review uses'],
    ['@pulumi/pulumi', 'know nothing of Pulumi'],
    ['node:fs', 'The review is pure'],
    ['commander', 'The review is pure'],
    ['../report/report', 'access may reach into model, text only'],
    ['../text/sentence'],
  ]),
  ...importsIn('cli/src/list/command.ts', [
    ['../../../provider/src/api/client', 'The commands use pulumi-edge-policy/internal'],
    ['../../../review/src', 'The commands use'],
    ['pulumi-edge-policy-review/posture', 'The commands use'],
    ['../recover/verdicts', 'list may reach into command, judge, pulumi, traffic only'],
  ]),
  ...importsIn('policy-pack/src/edge-policies.ts', [
    ['pulumi-edge-policy-review/posture'],
    ['pulumi-edge-policy-review', 'use pulumi-edge-policy-review/posture only'],
    ['pulumi-edge-policy/internal/values/cidr', 'use pulumi-edge-policy-review/posture only'],
    ['../../review/src/posture', 'use pulumi-edge-policy-review/posture only'],
  ]),
  ...importsIn('review/src/review.ts', [
    ['../../cli/src/main', 'Nothing knows of the commands'],
    ['../../policy-pack/src', 'Nothing knows of the policies'],
  ]),
  // Every way to a terminal but the one place that makes texts printable.
  ['cli/src/run-cli.ts', 'process.stdout.write(text);', 'Print through values/printable.ts'],
  ['cli/src/run-cli.ts', 'console.log(text);', 'Unexpected console'],
  ['cli/src/run-cli.ts', 'print(JSON.stringify(value, undefined, 2));', 'Use printableJson'],
  ['cli/src/run-cli.ts', 'print(JSON.stringify(value));', ''],
];

function importsIn(
  file: string,
  imports: readonly (readonly [name: string, said?: string])[],
): [file: string, line: string, said: string][] {
  return imports.map(([name, said = '']) => [file, `import '${name}';`, said]);
}

test.each(LINES)('%s: %s', async (file, line, said) => {
  const messages = (await lint(file, line)).map(({ message }) => message);
  expect(messages).toEqual(said === '' ? [] : [expect.stringContaining(said)]);
});
