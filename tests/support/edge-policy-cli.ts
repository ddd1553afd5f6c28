import path from 'node:path';
import type { CliResult } from './cli-result';
import { CliRun } from './cli-run';
import type { PulumiStack } from './pulumi-stack';
import { checkout } from './workspace';

const CALL_TIMEOUT_MS = 180_000;

/** Runs the built command line in a stack's project, as its user would; all its output is scanned for secrets. */
export const edgePolicy = async (
  stack: PulumiStack,
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv } = {},
): Promise<CliResult> => {
  const run = new CliRun({
    file: process.execPath,
    args: [path.join(checkout, 'cli', 'dist', 'main.js'), ...args],
    cwd: stack.folder.project,
    env: { ...stack.environment(), ...options.env },
    eventLogFile: '/dev/null',
    timeoutMs: CALL_TIMEOUT_MS,
  });
  const result = await run.finished;
  stack.assertNoSecretWritten(result);
  return result;
};
