// `npm run test:languages`: runs every example of the schema in every language that it is written in, on the real CLI. Pulumi's hosts of
// these languages are taken from the PATH, or built once from pinned Go modules into the user's cache.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { build, findGo } from './setup/cli-from-go-modules.mjs';
import { checkout, userCache } from './setup/paths.mjs';
import { say } from './setup/terminal.mjs';

/** The last version of the SDK's module that holds the hosts of Go and Python; it runs programs of today's SDKs. */
const SDK_VERSION = '3.66.0';
const YAML_VERSION = '1.38.0';
const SDK = 'github.com/pulumi/pulumi/sdk/v3';

const hosts = [
  { name: 'pulumi-language-go', module: 'languages', package: `${SDK}/go/pulumi-language-go` },
  {
    name: 'pulumi-language-python',
    module: 'languages',
    package: `${SDK}/python/cmd/pulumi-language-python`,
  },
  {
    name: 'pulumi-language-yaml',
    module: 'yaml',
    package: 'github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml',
  },
];

const bin = path.join(userCache, `language-hosts-${SDK_VERSION}-${YAML_VERSION}`);
const searched = [bin, ...(process.env['PATH'] ?? '').split(path.delimiter)];
const isMissing = (/** @type {string} */ name) =>
  !searched.some((folder) => existsSync(path.join(folder, name)));

const missing = hosts.filter(({ name }) => isMissing(name));
if (missing.length > 0) {
  say(`building ${missing.map(({ name }) => name).join(', ')} from Go modules (once; a minute or two)`);
  const go = findGo();
  if (go === undefined)
    throw new Error('the hosts of other languages are not on the PATH, and there is no Go to build them');
  mkdirSync(bin, { recursive: true });
  for (const { name, module, package: source } of missing) {
    const version = module === 'yaml' ? YAML_VERSION : SDK_VERSION;
    if (!(await build(go, { module, package: source, version, output: path.join(bin, name) })))
      throw new Error(`${name} could not be built`);
  }
  // The host of Python starts programs by a script that is not compiled.
  const script = 'pulumi-language-python-exec';
  const listed = [
    'list',
    '-C',
    path.join(checkout, 'tools', 'pulumi-cli', 'languages'),
    '-m',
    '-f={{.Dir}}',
    SDK,
  ];
  const folder = spawnSync(go, listed, { encoding: 'utf8' }).stdout.trim();
  copyFileSync(path.join(folder, 'python', 'cmd', script), path.join(bin, script));
  chmodSync(path.join(bin, script), 0o755);
}

const jest = path.join(checkout, 'node_modules', 'jest', 'bin', 'jest.js');
const { status } = spawnSync(
  process.execPath,
  [jest, '--selectProjects=languages', ...process.argv.slice(2)],
  { cwd: checkout, stdio: 'inherit', env: { ...process.env, PATH: searched.join(path.delimiter) } },
);
process.exitCode = status ?? 1;
