import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { folderOf } from '../support/folder';
import { packed } from '../support/installed-package';
import { stackOnService, startService } from '../support/service-stack';
import { writeJson } from '../support/stack-files';
import { checkout, textOf } from '../support/workspace';

jest.setTimeout(900_000);

/** Those in TypeScript; the tests of languages run the others with nothing but their own folder. */
const names = readdirSync(path.join(checkout, 'examples')).filter(
  (name) => !/README|-(go|python|yaml)$/.test(name),
);

/** Copies of the examples, installed at once as the README says, from packages in the repository, and by their lock file. */
async function installAll(root: string): Promise<void> {
  for (const name of names)
    cpSync(path.join(checkout, 'examples', name), path.join(root, name), { recursive: true });
  for (const name of ['provider', 'review', 'cli', 'policy-pack', 'emulator'] as const)
    cpSync(packed(name), path.join(root, 'vendor', path.basename(packed(name))));
  writeJson(path.join(root, 'package.json'), { private: true, workspaces: names });
  const [install = ''] = /^npm install \.\/vendor.*$/m.exec(textOf('README.md')) ?? [];
  for (const command of [install, 'npm ci'])
    await promisify(execFile)('sh', ['-c', `${command} --no-audit --no-fund --prefer-offline`], {
      cwd: root,
    });
  const ours = readFileSync(path.join(root, 'package-lock.json'), 'utf8').match(
    /"resolved": .*edge-policy.*/g,
  );
  expect(ours).toEqual(Array(5).fill(expect.stringContaining('"file:vendor/')));
}

test('every example, copied out of the repository and installed from packages in its own, runs without any configuration', async () => {
  const root = folderOf();
  await installAll(root);
  const nodeModules = path.join(root, 'node_modules');
  // One run of the compiler for all: their options are the same but for what the example of policies leaves out.
  const tsconfig = { extends: './quickstart/tsconfig.json', include: names, exclude: ['policy-pack/pack'] };
  writeJson(path.join(root, 'tsconfig.json'), tsconfig);
  await promisify(execFile)(path.join(nodeModules, '.bin', 'tsc'), ['--noEmit'], { cwd: root });

  // What `lookups` reads is what the quickstart has made.
  const shared = await startService();
  for (const name of [...names].sort((one) => (one === 'quickstart' ? -1 : 0))) {
    const service = /quickstart|lookups/.test(name) ? shared : await startService();
    const program = { folder: path.join(checkout, 'examples', name) };
    const { stack } = await stackOnService({ program, project: name, nodeModules }, service);
    expect((await stack.up()).errors).toEqual([]);
  }
});
