import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { quickNode } from './workspace';

/** A runtime that no language host has: the CLI then starts `pulumi-analyzer-policy-packtest`, which is on PATH here. */
const RUNTIME = 'packtest';
const RUNTIMES = path.join(path.dirname(quickNode), 'policy-runtime');

/** Copies a policy pack into the project of a stack and runs it there, although the language host of the tests runs none. */
export function copyPack(pack: string, project: string): string {
  const copy = path.join(project, path.basename(pack));
  cpSync(pack, copy, { recursive: true });
  makeRunnable(copy);
  return copy;
}

/** Makes a pack use the runtime of the tests. */
export function makeRunnable(pack: string): void {
  const file = path.join(pack, 'PulumiPolicy.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('runtime: nodejs', `runtime: ${RUNTIME}`));
}

/** The environment in which the CLI finds the runtime. */
export const withPolicyRuntime = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: [RUNTIMES, environment['PATH']].join(path.delimiter),
});
