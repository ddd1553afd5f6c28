// `npm run bundle`: the plugin in one file, in the archives from which "pulumi plugin install resource edge-policy VERSION --file"
// installs it. The archives of all systems hold the same, as Node.js runs it everywhere; the engine asks for its own by name.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const checkout = path.join(import.meta.dirname, '..');
const source = path.join(checkout, 'provider', 'plugin');
const executable = 'pulumi-resource-edge-policy';
const target = path.resolve(process.argv[2] ?? path.join(checkout, 'dist', 'plugin'));
const folder = path.join(target, executable);

const systems = ['linux', 'darwin', 'windows'].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);

/** @returns {Promise<string[]>} the files of the workspace that went into the bundle */
const bundle = async () => {
  const { metafile } = await build({
    entryPoints: [path.join(source, executable)],
    outfile: path.join(folder, executable),
    absWorkingDir: checkout,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    minify: true,
    loader: { '': 'js' },
    metafile: true,
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
};

/** @param {string[]} files */
const packagesOf = (files) =>
  new Set(files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));

/** The licences of what the bundle contains ask for their texts to go with it. @param {string} place */
const licenceOf = (place) => {
  const inside = path.join(checkout, place);
  const { name, version, license } = JSON.parse(readFileSync(path.join(inside, 'package.json'), 'utf8'));
  const texts = readdirSync(inside).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const contents = texts.map((file) => readFileSync(path.join(inside, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...contents].join('\n\n');
};

/** @param {readonly string[]} args */
const tar = (args) => {
  const { status } = spawnSync('tar', args, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
};

if (!existsSync(path.join(checkout, 'provider', 'dist', 'hosts', 'native', 'main.js'))) {
  console.error('The provider is not compiled: run "npm run build" first.');
  process.exit(1);
}
rmSync(target, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const packages = packagesOf(await bundle());
copyFileSync(path.join(source, `${executable}.cmd`), path.join(folder, `${executable}.cmd`));
copyFileSync(path.join(checkout, 'LICENSE'), path.join(folder, 'LICENSE'));
const licences = [...packages].sort().map(licenceOf);
writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES'), `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
// Whatever the package.json of a folder above says.
writeFileSync(path.join(folder, 'package.json'), '{ "type": "commonjs" }\n');

const { version } = JSON.parse(readFileSync(path.join(checkout, 'provider', 'package.json'), 'utf8'));
const archives = systems.map((system) => path.join(target, `${executable}-v${version}-${system}.tar.gz`));
const [first, ...others] = archives;
tar(['-czf', String(first), '-C', folder, '.']);
for (const other of others) copyFileSync(String(first), other);
console.log(archives.join('\n'));
