import path from 'node:path';
import type { CliResult } from './cli-result';
import type { PulumiStack } from './pulumi-stack';
import { checkout } from './workspace';

/** Runs the built command line in a stack's project, as its user would; all its output is scanned for secrets. */
export const edgePolicy = (
  stack: PulumiStack,
  args: readonly string[],
  { env }: { readonly env?: NodeJS.ProcessEnv } = {},
): Promise<CliResult> =>
  stack.run(process.execPath, [path.join(checkout, 'cli', 'dist', 'main.js'), ...args], env);
