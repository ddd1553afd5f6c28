import { CommandLine } from '../../support/command-line';
import { codeBlocks, pages } from '../../support/pages';

/** The calls of the command in all blocks of shell, with the page that shows them. */
const calls = pages().flatMap((page) =>
  codeBlocks(page)
    .filter(({ language }) => ['sh', 'console', ''].includes(language))
    .flatMap(({ text }) => Array.from(text.matchAll(/\bedge-policy ([a-z][a-z-]*)([^|>#\n]*)/g)))
    .map(([, command = '', rest = '']) => ({ page, command, options: rest.match(/--[a-z][a-z-]*/g) ?? [] })),
);

const helpOf = async (command: string): Promise<string> => {
  const { exitCode, stdout } = await new CommandLine().run(command, '--help');
  return exitCode === 0 ? stdout : '';
};

test('every call of edge-policy in the docs names a command that there is, with options that it takes', async () => {
  const commands = [...new Set(calls.map(({ command }) => command))];
  expect(commands.length).toBeGreaterThan(5);
  const help = new Map(await Promise.all(commands.map(async (name) => [name, await helpOf(name)] as const)));
  const unknown = calls.flatMap(({ page, command, options }) =>
    ['', ...options]
      .filter((option) => (option === '' ? help.get(command) === '' : !help.get(command)?.includes(option)))
      .map((option) => `${page}: edge-policy ${command} ${option}`),
  );
  expect(unknown).toEqual([]);
});
