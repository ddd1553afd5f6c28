import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CliResult } from './cli-result';
import { CliRun } from './cli-run';
import type { PulumiStack } from './pulumi-stack';
import { checkout } from './workspace';

const LINE_TIMEOUT_MS = 180_000;

/** The command lines of a page of the documentation, in order: those of its shell blocks. */
export const commandsOf = (page: string): string[] => {
  const text = readFileSync(path.join(checkout, 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
};

/** A node_modules folder as a user's: everything in the workspace, and the package's command where `npx` looks for it. */
export const installedModules = (folder: string): string => {
  const installed = path.join(checkout, 'node_modules');
  const modules = path.join(folder, 'node_modules');
  const bin = path.join(modules, '.bin');
  mkdirSync(bin, { recursive: true });
  for (const name of readdirSync(installed).filter((one) => !one.startsWith('.'))) {
    symlinkSync(path.join(installed, name), path.join(modules, name));
  }
  const command = path.join(bin, 'pulumi-edge-policy-cli');
  const main = path.join(checkout, 'cli', 'dist', 'main.js');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(command, 0o755);
  return modules;
};

/** Runs one line of a page in the stack's project, as a reader would type it. */
export const runLine = async (stack: PulumiStack, line: string): Promise<CliResult> => {
  const result = await new CliRun({
    file: 'sh',
    args: ['-c', line],
    cwd: stack.folder.project,
    env: stack.environment(),
    eventLogFile: '/dev/null',
    timeoutMs: LINE_TIMEOUT_MS,
  }).finished;
  stack.assertNoSecretWritten(result);
  return result;
};
