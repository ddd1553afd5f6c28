import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '../support/workspace';

test('the pictures of the README show what the CLI and the commands print today', async () => {
  const command = [path.join(checkout, 'tools', 'pictures.mjs'), '--check'];
  const { stdout } = await promisify(execFile)(process.execPath, command).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe('');
});
