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

/** What the lint rules say of these lines, if they stood in this file. */
async function lint(
  file: string,
  lines: readonly string[],
  rules = /restricted|no-console/,
): Promise<string[]> {
  linter.stdin.write(`${JSON.stringify({ file, text: `${lines.join('\n')}\n` })}\n`);
  const [answer] = (await once(answers, 'line')) as [string];
  return (JSON.parse(answer) as { ruleId: string; line: number; message: string }[])
    .filter(({ ruleId }) => rules.test(ruleId))
    .map(({ line, message }) => `${lines[line - 1] ?? ''} // ${message}`);
}

test('an import against the directions of docs/design.md is a lint error that names them', async () => {
  const said = await lint('provider/src/values/cidr.ts', [
    "import '../api/client';",
    "import '../settings/settings';",
    "import './address';",
    "import 'axios';",
    "import '@pulumi/pulumi';",
  ]);
  expect(said).toEqual([
    expect.stringMatching(/^import '..\/api\/client'.*values may reach into no other room/),
    expect.stringMatching(/^import '..\/settings\/settings'.*values may reach into no other room/),
    expect.stringMatching(/^import 'axios'.*used inside api\/transport only/),
    expect.stringMatching(/^import '@pulumi\/pulumi'.*know nothing of Pulumi/),
  ]);
});

test('emulator and provider share nothing', async () => {
  expect(await lint('emulator/src/index.ts', ["import '../../provider/src/api/client';"])).toEqual([
    expect.stringContaining('The emulator shares nothing with the provider'),
  ]);
  expect(await lint('provider/src/api/client.ts', ["import '../../../emulator/src/index';"])).toEqual([
    expect.stringContaining('The provider knows nothing of the emulator'),
  ]);
});

test('two files that import each other are a lint error', async () => {
  const [said] = await lint('cli/src/adopt/adoption.ts', ["import './plan-adoption';"], /no-cycle/);
  expect(said).toContain('Dependency cycle');
});

test('the provider knows nothing of the review, which is pure and takes of the provider what it needs', async () => {
  expect(await lint('provider/src/api/client.ts', ["import '../../../review/src';"])).toEqual([
    expect.stringContaining('The provider knows nothing of the review'),
  ]);
  const said = await lint('review/src/access/bounds.ts', [
    "import 'pulumi-edge-policy/internal/values/cidr';",
    "import 'pulumi-edge-policy/internal/settings/settings';",
    "import '@pulumi/pulumi';",
    "import 'node:fs';",
    "import 'node:child_process';",
    "import 'node:https';",
    "import 'commander';",
    "import '../report/report';",
  ]);
  expect(said).toEqual([
    expect.stringMatching(/^import 'pulumi-edge-policy\/internal\/settings.*The review uses/),
    expect.stringMatching(/^import '@pulumi\/pulumi'.*know nothing of Pulumi/),
    expect.stringMatching(/^import 'node:fs'.*The review is pure/),
    expect.stringMatching(/^import 'node:child_process'.*The review is pure/),
    expect.stringMatching(/^import 'node:https'.*The review is pure/),
    expect.stringMatching(/^import 'commander'.*The review is pure/),
    expect.stringMatching(/^import '..\/report.*access may reach into model, text only/),
  ]);
});

test('the commands take the packages by name, and nothing takes the commands', async () => {
  const said = await lint('cli/src/list/command.ts', [
    "import '../../../provider/src/api/client';",
    "import '../../../review/src';",
    "import 'pulumi-edge-policy-review/posture';",
    "import '../recover/judge';",
  ]);
  expect(said).toEqual([
    expect.stringMatching(/^import '..\/..\/..\/provider.*The commands use pulumi-edge-policy\/internal/),
    expect.stringMatching(/^import '..\/..\/..\/review.*The commands use/),
    expect.stringMatching(/^import 'pulumi-edge-policy-review\/posture.*The commands use/),
    expect.stringMatching(/^import '..\/recover.*list may reach into adopt, command, pulumi only/),
  ]);
  for (const file of ['provider/src/api/client.ts', 'review/src/review.ts']) {
    expect(await lint(file, ["import '../../cli/src/main';", "import '../../../cli/src/main';"])).toEqual([
      expect.stringContaining('Nothing knows of the commands'),
    ]);
  }
});

test('the policies ask the review, take nothing else of ours, and nothing takes them', async () => {
  expect(
    await lint('policy-pack/src/edge-policies.ts', [
      "import 'pulumi-edge-policy-review/posture';",
      "import 'pulumi-edge-policy-review';",
      "import 'pulumi-edge-policy/internal/values/cidr';",
      "import '../../review/src/posture';",
    ]),
  ).toEqual([
    expect.stringMatching(/^import 'pulumi-edge-policy-review'.*use pulumi-edge-policy-review\/posture only/),
    expect.stringMatching(
      /^import 'pulumi-edge-policy\/internal.*use pulumi-edge-policy-review\/posture only/,
    ),
    expect.stringMatching(/^import '..\/..\/review.*use pulumi-edge-policy-review\/posture only/),
  ]);
  expect(await lint('review/src/review.ts', ["import '../../policy-pack/src';"], /restricted-paths/)).toEqual(
    [expect.stringContaining('Nothing knows of the policies')],
  );
});

test('no room of the review reaches back into one that builds on it', async () => {
  const said = [
    await lint('review/src/preview/preview-gaps.ts', ["import '../model/declarations';"]),
    await lint('review/src/access/doubts.ts', ["import '../report/report';", "import '../text/sentence';"]),
    await lint('review/src/findings/severity.ts', ["import '../guards/gate';", "import '../review';"]),
  ];
  expect(said).toEqual([
    [expect.stringMatching(/preview may reach into no other room/)],
    [expect.stringMatching(/^import '..\/report.*access may reach into model, text only/)],
    [
      expect.stringMatching(/^import '..\/guards.*findings may reach into/),
      expect.stringMatching(/^import '..\/review.*findings may reach into/),
    ],
  ]);
});

test('every way to a terminal but the one place that makes texts printable is a lint error', async () => {
  const said = await lint('cli/src/run-cli.ts', [
    'process.stdout.write(text);',
    'process.stderr.write(text);',
    'console.log(text);',
    'print(JSON.stringify(value, undefined, 2));',
    'print(JSON.stringify(value));',
  ]);
  expect(said).toEqual([
    expect.stringMatching(/^process.stdout.*Print through values\/printable.ts/),
    expect.stringMatching(/^process.stderr.*Print through values\/printable.ts/),
    expect.stringMatching(/^console.log/),
    expect.stringMatching(/^print\(JSON.*Use printableJson/),
  ]);
});

test('another dialect than the one of CONTRIBUTING.md is a lint error', async () => {
  const said = await lint('emulator/src/limits.ts', [
    'const most = 3;',
    'const MOST = 3;',
    'export const kinds = [1, 2] as const;',
    'const twice = (one: number): number => { const two = 2; return one * two; };',
    'const thrice = (one: number): number => one * MOST;',
    'class Box { #inside = most; }',
    'class Case { private inside = most; }',
  ]);
  expect(said).toEqual([
    expect.stringMatching(/^const most.*UPPER_CASE/),
    expect.stringMatching(/^export const kinds.*UPPER_CASE/),
    expect.stringMatching(/^const twice.*Write a function/),
    expect.stringMatching(/^class Box.*Write private/),
  ]);
});
