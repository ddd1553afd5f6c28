// `npm run bundle`: the plugin in one file, in the archives from which "pulumi plugin install resource edge-policy VERSION --file"
// installs it. The archives of all systems hold the same, as Node.js runs it everywhere; the engine asks for its own by name.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, checkout, writeLicences } from './bundling.mjs';

const source = path.join(checkout, 'provider', 'plugin');
const executable = 'pulumi-resource-edge-policy';
const target = path.resolve(process.argv[2] ?? path.join(checkout, 'dist', 'plugin'));
const folder = path.join(target, executable);

const systems = ['linux', 'darwin', 'windows'].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);

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
const packages = await bundle({
  entry: path.join(source, executable),
  outfile: path.join(folder, executable),
});
copyFileSync(path.join(source, `${executable}.cmd`), path.join(folder, `${executable}.cmd`));
copyFileSync(path.join(checkout, 'LICENSE'), path.join(folder, 'LICENSE'));
writeLicences(packages, folder);
// Whatever the package.json of a folder above says.
writeFileSync(path.join(folder, 'package.json'), '{ "type": "commonjs" }\n');

const { version } = JSON.parse(readFileSync(path.join(checkout, 'provider', 'package.json'), 'utf8'));
const archives = systems.map((system) => path.join(target, `${executable}-v${version}-${system}.tar.gz`));
const [first, ...others] = archives;
tar(['-czf', String(first), '-C', folder, '.']);
for (const other of others) copyFileSync(String(first), other);
console.log(archives.join('\n'));
