import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { checkout } from '../../support/workspace';

jest.setTimeout(120_000);

/** What the lint rules say of these lines, if they stood in this file. */
function lint(file: string, lines: readonly string[]): string[] {
  const eslint = path.join(checkout, 'node_modules', 'eslint', 'bin', 'eslint.js');
  const args = [eslint, '--stdin', '--stdin-filename', file, '--format', 'json'];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: checkout,
    input: `${lines.join('\n')}\n`,
    // In a single run the parser would read the file itself.
    env: { ...process.env, TSESTREE_SINGLE_RUN: 'false' },
    encoding: 'utf8',
  });
  const [result] = JSON.parse(stdout) as { messages: { ruleId: string; line: number; message: string }[] }[];
  return (result?.messages ?? [])
    .filter(({ ruleId }) => /restricted|no-console/.test(ruleId))
    .map(({ line, message }) => `${lines[line - 1] ?? ''} // ${message}`);
}

test('an import against the directions of docs/design.md is a lint error that names them', () => {
  const said = lint('provider/src/values/cidr.ts', [
    "import '../api/client';",
    "import '../lifecycle/diff';",
    "import './address';",
    "import 'axios';",
    "import '@pulumi/pulumi';",
  ]);
  expect(said).toEqual([
    expect.stringMatching(/^import '..\/api\/client'.*values may reach into no other room/),
    expect.stringMatching(/^import '..\/lifecycle\/diff'.*values may reach into no other room/),
    expect.stringMatching(/^import 'axios'.*used inside api\/transport only/),
    expect.stringMatching(/^import '@pulumi\/pulumi'.*know nothing of Pulumi/),
  ]);
});

test('emulator and provider share nothing', () => {
  expect(lint('emulator/src/index.ts', ["import '../../provider/src/api/wire';"])).toEqual([
    expect.stringContaining('The emulator shares nothing with the provider'),
  ]);
  expect(lint('provider/src/cli/run.ts', ["import '../../../emulator/src/index';"])).toEqual([
    expect.stringContaining('The provider knows nothing of the emulator'),
  ]);
});

test('the provider knows nothing of the review, and what decides takes of the provider what it needs', () => {
  expect(lint('provider/src/cli/run.ts', ["import '../../../review/src/commands';"])).toEqual([
    expect.stringContaining('The provider knows nothing of the review'),
  ]);
  const said = lint('review/src/access/bounds.ts', [
    "import 'pulumi-edge-policy/internal/values/cidr';",
    "import 'pulumi-edge-policy/internal/cli/settings';",
    "import '@pulumi/pulumi';",
    "import '../commands/review/command';",
  ]);
  expect(said).toEqual([
    expect.stringMatching(/^import 'pulumi-edge-policy\/internal\/cli.*What decides uses/),
    expect.stringMatching(/^import '@pulumi\/pulumi'.*know nothing of Pulumi/),
    expect.stringMatching(/^import '..\/commands.*knows nothing of the commands/),
  ]);
});

test('every way to a terminal but the one place that makes texts printable is a lint error', () => {
  const said = lint('provider/src/cli/list.ts', [
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
