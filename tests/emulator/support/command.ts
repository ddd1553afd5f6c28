import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The compiled command, as users run it; the setup step of the test command builds it. */
const main = join(__dirname, '../../../emulator/bin/edge-policy-emulator.js');

type Child = ChildProcessByStdio<null, Readable, Readable>;

export interface RunningCommand {
  readonly url: string;
  /** The line it printed when it was ready. */
  readonly line: string;
  /** What it has said on standard error. */
  said(): string;
  /** Sends the signal, waits for the end and returns the exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command and waits until it is ready. */
export async function startCommand(args: readonly string[]): Promise<RunningCommand> {
  const child = launch(args);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exit = once(child, 'close') as Promise<[number | null]>;
  const ready = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const [line] = await Promise.race([
    ready,
    exit.then(([code]) => Promise.reject(new Error(`the command ended with code ${String(code)}`))),
  ]);
  const url = /https?:\S+/.exec(line)?.[0] ?? '';
  return {
    url,
    line,
    said: () => said,
    end: async (signal) => {
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}

/** Runs the command to its end. */
export async function runCommand(
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = launch(args);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

function launch(args: readonly string[]): Child {
  return spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}
