import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PulumiStack } from './pulumi-stack';

/** Every process of the run begins at this time: the machine's clock is somebody else's. */
export function at(stack: PulumiStack, time: string): { readonly env: NodeJS.ProcessEnv } {
  const file = path.join(stack.folder.project, 'set-clock.cjs');
  writeFileSync(
    file,
    `const ahead = Date.parse(process.env.CLOCK_OF_TEST) - Date.now(); const now = Date.now; Date.now = () => now() + ahead;`,
  );
  const { NODE_OPTIONS: cached = '' } = stack.environment();
  return { env: { NODE_OPTIONS: `${cached} --require=${file}`, CLOCK_OF_TEST: time } };
}
