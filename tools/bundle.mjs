// `npm run bundle`: the archives from which "pulumi plugin install resource edge-policy VERSION --file" installs the plugin, and
// their checksums. Without options all contain the same file, which needs Node.js; those of the systems named after --executables
// include Node.js: `npm run bundle -- --executables linux-amd64`, or `all`. Two runs make the same bytes.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as tar from 'tar';
import { bundle, checkout, writeLicences } from './bundling.mjs';
import { makeExecutable } from './plugin/executable.mjs';
import { runtimeLicence, runtimes, runtimeVersion } from './plugin/runtimes.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { executables: { type: 'string', multiple: true, default: [] } },
});
const executableSystems = values.executables.includes('all') ? Object.keys(runtimes) : values.executables;

const source = path.join(checkout, 'provider', 'plugin');
const plugin = 'pulumi-resource-edge-policy';
const target = path.resolve(positionals[0] ?? path.join(checkout, 'dist', 'plugin'));
const { version } = JSON.parse(readFileSync(path.join(checkout, 'provider', 'package.json'), 'utf8'));

const systems = ['linux', 'darwin', 'windows'].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);

if (!existsSync(path.join(checkout, 'provider', 'dist', 'hosts', 'native', 'main.js'))) {
  console.error('The provider is not compiled: run "npm run build" first.');
  process.exit(1);
}

/** The file that Node.js runs, and its accompanying texts. @param {string} folder */
async function writeNodeForm(folder) {
  mkdirSync(folder, { recursive: true });
  const packages = await bundle({ entry: path.join(source, plugin), outfile: path.join(folder, plugin) });
  chmodSync(path.join(folder, plugin), 0o755);
  copyFileSync(path.join(source, `${plugin}.cmd`), path.join(folder, `${plugin}.cmd`));
  copyFileSync(path.join(checkout, 'LICENSE'), path.join(folder, 'LICENSE'));
  writeLicences(packages, folder);
  // Independent of the package.json of any folder above.
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}

/** @param {string} system @param {string} nodeForm @param {string} folder */
async function writeExecutableForm(system, nodeForm, folder) {
  mkdirSync(folder, { recursive: true });
  const file = system.startsWith('windows-') ? `${plugin}.exe` : plugin;
  await makeExecutable({ main: path.join(nodeForm, plugin), system, outfile: path.join(folder, file) });
  copyFileSync(path.join(checkout, 'LICENSE'), path.join(folder, 'LICENSE'));
  const licences = readFileSync(path.join(nodeForm, 'THIRD-PARTY-LICENSES'), 'utf8');
  writeFileSync(
    path.join(folder, 'THIRD-PARTY-LICENSES'),
    `${licences}\n${'-'.repeat(80)}\n\nNode.js ${runtimeVersion}\n\n${runtimeLicence()}`,
  );
}

/** An archive without any trace of when, where and by whom it was made. @param {string} folder @param {string} file */
const archive = (folder, file) =>
  tar.create(
    { cwd: folder, file, gzip: true, portable: true, mtime: new Date(0), sync: true },
    readdirSync(folder).sort(),
  );

rmSync(target, { recursive: true, force: true });
const nodeForm = path.join(target, plugin);
await writeNodeForm(nodeForm);
const archives = systems.map((system) => `${plugin}-v${version}-${system}.tar.gz`);
for (const [index, system] of systems.entries()) {
  const file = path.join(target, String(archives[index]));
  if (executableSystems.includes(system)) {
    const folder = path.join(target, `${plugin}-${system}`);
    await writeExecutableForm(system, nodeForm, folder);
    archive(folder, file);
  } else {
    archive(nodeForm, file);
  }
}
const checksums = archives.map((name) => {
  const sum = createHash('sha256')
    .update(readFileSync(path.join(target, name)))
    .digest('hex');
  return `${sum}  ${name}\n`;
});
writeFileSync(path.join(target, 'SHA256SUMS'), checksums.join(''));
console.log(archives.map((name) => path.join(target, name)).join('\n'));
