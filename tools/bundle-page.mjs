// Makes the script and the style of the access page, which the command `page` puts into every page that it writes. They are not in
// the repository: the build makes them.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { checkout, packagesIn, writeLicences } from './bundling.mjs';

const source = path.join(checkout, 'cli', 'page');

/** The packages are bundled from their sources: as modules, of which only what is used goes into the script. */
const ownPackages = {
  name: 'own packages',
  /** @param {import('esbuild').PluginBuild} bundling */
  setup(bundling) {
    bundling.onResolve({ filter: /^pulumi-edge-policy\/internal\// }, (asked) => ({
      path: path.join(
        checkout,
        'provider',
        'src',
        `${asked.path.slice('pulumi-edge-policy/internal/'.length)}.ts`,
      ),
    }));
    bundling.onResolve({ filter: /^pulumi-edge-policy-review\/lookup$/ }, () => ({
      path: path.join(checkout, 'review', 'src', 'lookup.ts'),
    }));
    bundling.onResolve({ filter: /^node:net$/ }, () => ({ path: path.join(source, 'node-net.ts') }));
  },
};

/** Writes them, unless they are newer than everything that they are made of. */
export async function bundlePage(target = path.join(checkout, 'cli', 'assets')) {
  const file = path.join(target, 'page.cjs');
  if (existsSync(file) && statSync(file).mtimeMs > newestSource()) return;
  const script = await build({
    entryPoints: [path.join(source, 'main.ts')],
    absWorkingDir: checkout,
    bundle: true,
    write: false,
    // Of a file that is found by its place and by its package, esbuild takes the settings of whichever comes first.
    tsconfig: path.join(source, 'tsconfig.json'),
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'error',
    plugins: [ownPackages],
  });
  const style = await build({
    entryPoints: [path.join(source, 'style.css')],
    write: false,
    minify: true,
    logLevel: 'error',
  });
  const [code] = script.outputFiles;
  const [rules] = style.outputFiles;
  mkdirSync(target, { recursive: true });
  const assets = { script: code?.text.trim(), style: rules?.text.trim() };
  writeLicences(packagesIn(script.metafile), target);
  writeFileSync(file, `module.exports = ${JSON.stringify(assets)};\n`);
}

/** The compiler notes every change of a package in its record. */
function newestSource() {
  const files = [
    ...['provider', 'review', 'cli'].map((name) => path.join(checkout, name, 'dist', '.tsbuildinfo')),
    ...readdirSync(source).map((name) => path.join(source, name)),
    import.meta.filename,
  ];
  return Math.max(...files.filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs));
}

if (process.argv[1] === import.meta.filename) await bundlePage();
