import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { checkout } from '../../support/workspace';

jest.setTimeout(60_000);

test('a reader that ends early changes neither the exit code nor what is said', async () => {
  const hook = path.join(checkout, 'tests', 'support', 'typescript-require.cjs');
  const main = path.join(checkout, 'cli', 'src', 'main.ts');
  const child = spawn(process.execPath, ['-r', hook, main, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ said, exitCode: child.exitCode }).toEqual({ said: '', exitCode: 0 });
});
