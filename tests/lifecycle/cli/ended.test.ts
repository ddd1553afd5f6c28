// A command that a signal ends, and one whose output cannot be written: its exit code, and what it leaves behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { CommandLine, FROM_SOURCES, noted } from '../../support/command-line';
import { eventually } from '../../support/eventually';
import { serviceWith } from '../../support/service-stack';

const project = async (hangsAt: string): Promise<CommandLine> =>
  new CommandLine(await serviceWith({ cidr: '10.0.0.0/8' })).withLastingCall(hangsAt);

/** Starts the command in a process of its own. */
function started(line: CommandLine, args: readonly string[], stdout: 'pipe' | number = 'pipe') {
  const child: ChildProcess = spawn(process.execPath, [...FROM_SOURCES, ...args], {
    ...{ cwd: line.folder, env: line.variables },
    stdio: ['ignore', stdout, 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (output.stderr += text.toString()));
  const ended = new Promise<typeof output & { readonly exitCode: number | null }>((resolve) => {
    child.on('close', (exitCode) => {
      resolve({ ...output, exitCode });
    });
  });
  return { child, ended };
}

test.each([
  ['page --live', 'stack export', 'SIGINT', 130],
  ['import --all --run', 'stack ls', 'SIGINT', 130],
  ['recover', 'stack export', 'SIGTERM', 143],
] as const)(
  '%s: a signal while "pulumi %s" is read ends it with %s: %d',
  async (command, at, signal, exitCode) => {
    const line = await project(at);
    const { child, ended } = started(line, command.split(' '));
    await eventually('the CLI works', () => (line.read('calls') === '' ? undefined : true));
    child.kill(signal);
    expect(await ended).toEqual({
      exitCode,
      stdout: '',
      stderr: expect.stringMatching(/Interrupted\. Nothing was done\.\n$/) as string,
    });
    // Nothing new is begun, and nothing written.
    expect(line.read('calls').match(/working/g)).toHaveLength(1);
    expect(['access.html', 'adopted'].filter((name) => existsSync(path.join(line.folder, name)))).toEqual([]);
  },
);

test.each([['--help'], ['list']])(
  'an output that cannot be written: %s ends with 3 and one line',
  async (command) => {
    const line = await project('nothing');
    const { ended } = started(line, [command], openSync('/dev/full', 'w'));
    expect(await ended).toMatchObject(noted(3, /^The output cannot be written \(ENOSPC\)\.\n*$/));
  },
);

test('a reader that ends early changes neither the exit code nor what is said', async () => {
  const { child, ended } = started(new CommandLine(), ['--help']);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ stderr: '', exitCode: 0 });
});

test('help of a command that there is none is wrong usage', async () => {
  const { exitCode, stderr } = await new CommandLine().run('help', 'bogus');
  expect([exitCode, stderr]).toEqual([3, "error: unknown command 'bogus'\n"]);
});
