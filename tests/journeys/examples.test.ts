import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { folderOf } from '../support/folder';
import { packed } from '../support/installed-package';
import { stackOnService, startService } from '../support/service-stack';
import { writeJson } from '../support/stack-files';
import { checkout } from '../support/workspace';

jest.setTimeout(900_000);

/** Those in TypeScript; the tests of languages run the others with nothing but their own folder. */
const names = readdirSync(path.join(checkout, 'examples')).filter(
  (name) => !/README|-(go|python|yaml)$/.test(name),
);

/** Copies of the examples, installed at once: npm reads the package.json of each, and brings what they share once. */
async function installAll(root: string): Promise<void> {
  const ours = {
    'pulumi-edge-policy': `file:${packed('provider')}`,
    'pulumi-edge-policy-cli': `file:${packed('cli')}`,
  };
  for (const name of names) {
    cpSync(path.join(checkout, 'examples', name), path.join(root, name), { recursive: true });
    const file = path.join(root, name, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
    for (const kind of ['dependencies', 'devDependencies'])
      for (const dependency of Object.keys(manifest[kind] ?? {}))
        if (dependency in ours)
          manifest[kind] = { ...manifest[kind], [dependency]: ours[dependency as keyof typeof ours] };
    writeJson(file, manifest);
  }
  writeJson(path.join(root, 'package.json'), {
    private: true,
    workspaces: names,
    // Nothing is published, so what the command line depends on is found here.
    overrides: { ...ours, 'pulumi-edge-policy-review': `file:${packed('review')}` },
  });
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: root });
}

test('every example, copied out of the repository and installed by its own package.json, runs without any configuration', async () => {
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
