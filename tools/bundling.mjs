// Bundles a program with all its dependencies into one file, for machines on which nothing is installed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

export const checkout = path.join(import.meta.dirname, '..');

/** The command line in one file: the commands, the review and its parsers. */
export const commandLineEntry = path.join(checkout, 'tools', 'command-line.cjs');

/**
 * @param {{ entry: string, outfile: string }} files
 * @param {import('esbuild').BuildOptions} [settings]
 * @returns {Promise<Set<string>>} the folders of the packages that went into the bundle
 */
export async function bundle({ entry, outfile }, settings) {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    absWorkingDir: checkout,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    minify: true,
    loader: { '': 'js' },
    logLevel: 'error',
    ...settings,
    metafile: true,
  });
  return packagesIn(metafile);
}

/** The folders of the packages in a bundle. @param {import('esbuild').Metafile} metafile */
export const packagesIn = ({ inputs }) =>
  new Set(
    Object.keys(inputs).flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );

/** The licences of the bundled packages require that their texts are included. @param {string} place */
const licenceOf = (place) => {
  const inside = path.join(checkout, place);
  const { name, version, license } = JSON.parse(readFileSync(path.join(inside, 'package.json'), 'utf8'));
  const texts = readdirSync(inside).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const contents = texts.map((file) => readFileSync(path.join(inside, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...contents].join('\n\n');
};

/** Writes the licences of these packages next to a bundle. @param {ReadonlySet<string>} packages @param {string} folder */
export const writeLicences = (packages, folder) => {
  const licences = [...packages].sort().map(licenceOf);
  writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES'), `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
};
