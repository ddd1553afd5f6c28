import { execFileSync } from 'node:child_process';
import { CommandLine } from '../../support/command-line';
import { codeBlocks, pages } from '../../support/pages';
import { checkout, textOf } from '../../support/workspace';

/** The calls of the command in all blocks of shell, with the page that shows them. */
const calls = pages().flatMap((page) =>
  codeBlocks(page)
    .filter(({ language }) => ['sh', 'console', ''].includes(language))
    .flatMap(({ text }) => Array.from(text.matchAll(/\bpulumi-edge-policy-cli ([a-z][a-z-]*)([^|>#\n]*)/g)))
    .map(([, command = '', rest = '']) => ({ page, command, options: rest.match(/--[a-z][a-z-]*/g) ?? [] })),
);

const helpOf = async (command: string): Promise<string> => {
  const { exitCode, stdout } = await new CommandLine().run(command, '--help');
  return exitCode === 0 ? stdout : '';
};

test('every call of the command line in the docs names a command that there is, with options that it takes', async () => {
  const commands = [...new Set(calls.map(({ command }) => command))];
  expect(commands.length).toBeGreaterThan(5);
  const help = new Map(await Promise.all(commands.map(async (name) => [name, await helpOf(name)] as const)));
  const unknown = calls.flatMap(({ page, command, options }) =>
    ['', ...options]
      .filter((option) => (option === '' ? help.get(command) === '' : !help.get(command)?.includes(option)))
      .map((option) => `${page}: ${command} ${option}`),
  );
  expect(unknown).toEqual([]);
});

test("no text calls the command line by a name that may be a stranger's package", async () => {
  const folders = ['*.md', '*.yml', 'docs', 'examples', 'action', '.github', 'policy-pack', 'emulator'];
  const sources = ['provider/src', 'review/src', 'review/schemas', 'cli/src', 'tests/**/golden/**'];
  const files = execFileSync('git', ['ls-files', '-z', '--', ...folders, ...sources], { cwd: checkout })
    .toString()
    .split('\0')
    .filter((file) => /\.(md|ts|mjs|sh|ya?ml|json|txt)$/.test(file));
  expect(files.length).toBeGreaterThan(300);
  const commands = (await new CommandLine().run('--help')).stdout.matchAll(/^ {2}([a-z][a-z-]+) /gm);
  const names = Array.from(commands, ([, name = '']) => name).join('|');
  const wrong = new RegExp(
    `npx (--\\S+ )?(pulumi-)?edge-policy(?![\\w-])|(?<![\\w/.:-])edge-policy (${names})\\b`,
  );
  expect(files.filter((file) => wrong.test(textOf(file)))).toEqual([]);
});
