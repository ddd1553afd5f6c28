import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { deferCleanup } from '../support/cleanup';
import { pack } from '../support/installed-package';
import { stackOnService, startService } from '../support/service-stack';
import { checkout } from '../support/workspace';

jest.setTimeout(900_000);

/** Those in TypeScript; the tests of languages run the others with nothing but their own folder. */
const names = readdirSync(path.join(checkout, 'examples')).filter(
  (name) => !/README|-(go|python|yaml)$/.test(name),
);

test('every example, copied out of the repository and installed by its own package.json, runs without any configuration', async () => {
  const packed = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-examples-'));
  deferCleanup(() => {
    rmSync(packed, { recursive: true });
  });
  const tarball = await pack('provider', packed);
  const review = await pack('review', packed);
  const npm = async (cwd: string, ...args: string[]): Promise<void> => {
    await promisify(execFile)('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd });
  };
  const installFor = (name: string) => async (project: string) => {
    await npm(project, 'install', tarball, ...(name === 'review-then-apply' ? [review] : []));
    const compiler = path.join(project, 'node_modules', '.bin', 'tsc');
    await promisify(execFile)(compiler, ['--noEmit'], { cwd: project });
  };
  // What `lookups` reads is what the quickstart has made.
  const shared = await startService();
  for (const name of names.sort((one) => (one === 'quickstart' ? -1 : 0))) {
    const service = /quickstart|lookups/.test(name) ? shared : await startService();
    const program = { folder: path.join(checkout, 'examples', name) };
    const { stack } = await stackOnService({ program, project: name, install: installFor(name) }, service);
    expect((await stack.up()).errors).toEqual([]);
  }
});
