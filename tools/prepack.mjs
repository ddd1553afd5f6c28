// Completes a package of the workspace before npm packs it, also in a clean clone: compiles it, and copies the texts of the root.
// npm runs it in the package's folder.
import { copyFileSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';

const checkout = path.join(import.meta.dirname, '..');
const packageFolder = process.cwd();

const compiler = path.join(checkout, 'node_modules', 'typescript', 'bin', 'tsc');
if (!existsSync(compiler)) {
  console.error('The compiler is not installed: run "npm ci" in the root of the repository first.');
  process.exit(1);
}
const { status } = spawnSync(process.execPath, [compiler, '--build', packageFolder], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

if (path.basename(packageFolder) === 'cli') {
  const { bundlePage } = await import('./bundle-page.mjs');
  await bundlePage();
  // Only the provider stays a package of its own: every package manager then finds all that the command line needs.
  const { bundle, commandLineEntry, writeLicences } = await import('./bundling.mjs');
  const folder = path.join(packageFolder, 'dist', 'packed');
  const files = { entry: commandLineEntry, outfile: path.join(folder, 'pulumi-edge-policy-cli.cjs') };
  const settings = {
    external: ['pulumi-edge-policy/*'],
    minify: false,
    banner: { js: '#!/usr/bin/env node' },
  };
  writeLicences(await bundle(files, settings), folder);
}

// The compiler leaves the output of sources that have moved since. The folder itself stays, as others may be reading from it.
const outputs = path.join(packageFolder, 'dist');
for (const file of readdirSync(outputs, { recursive: true, encoding: 'utf8' })) {
  const [, source] = /^(.*?)(?:\.d)?\.(?:js|ts)(?:\.map)?$/.exec(file) ?? [];
  const isStale = source !== undefined && !existsSync(path.join(packageFolder, 'src', `${source}.ts`));
  if (isStale) rmSync(path.join(outputs, file));
}

// The README of the repository is also the provider's, and comes with everything that it links to.
const WITH_THE_README = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  'examples',
  'template',
  'emulator/README.md',
];
if (path.basename(packageFolder) === 'provider') {
  for (const name of WITH_THE_README) {
    const copy = path.join(packageFolder, name);
    rmSync(copy, { recursive: true, force: true });
    cpSync(path.join(checkout, name), copy, {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    });
  }
}
copyFileSync(path.join(checkout, 'LICENSE'), path.join(packageFolder, 'LICENSE'));
