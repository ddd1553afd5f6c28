import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { folderOf } from '../support/folder';
import { checkout } from '../support/workspace';
import { gitIn } from '../unit/action/action-folder';

jest.setTimeout(300_000);

let folder: string;
beforeEach(() => (folder = folderOf()));

/** What a clean clone has after `npm ci`: sources, and nothing compiled or copied. */
function cleanClone(): string {
  const clone = path.join(folder, 'clone');
  for (const file of gitIn(checkout, 'ls-files', ':!tests').split('\n'))
    cpSync(path.join(checkout, file), path.join(clone, file));
  symlinkSync(path.join(checkout, 'node_modules'), path.join(clone, 'node_modules'));
  return clone;
}

async function pack(packageFolder: string): Promise<{ tarball: string; files: string[] }> {
  const args = ['pack', '--json', '--pack-destination', folder, '--loglevel=error'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: packageFolder });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: path.join(folder, packed.filename), files: packed.files.map((file) => file.path) };
}

/** The links of a package's README to what the package does not carry. */
function linksOutOf(tarball: string, files: readonly string[]): string[] {
  const readme = execFileSync('tar', ['xzOf', tarball, 'package/README.md'], { encoding: 'utf8' });
  const links = Array.from(readme.matchAll(/\]\(([^)#\s]+)/g), ([, link = '']) => link);
  const isCarried = (link: string): boolean =>
    files.some((file) => file === link || file.startsWith(`${link}/`));
  return links.filter((link) => !/^[a-z]+:/.test(link) && !isCarried(link));
}

/** What users' compilers and bundlers would trip over, judged by the tools that package authors trust. */
async function complaintsAbout(tarball: string): Promise<string> {
  const tool = (name: string): string => path.join(checkout, 'node_modules', '.bin', name);
  const { stdout } = await promisify(execFile)(tool('publint'), [
    'run',
    tarball,
    '--strict',
    '--level=warning',
  ]);
  await promisify(execFile)(tool('attw'), [tarball, '--profile=node16', '--format=ascii']);
  return stdout;
}

/** What the compiler has made of a source that is there no longer. */
function leaveStaleOutputs(packageFolder: string): void {
  const rules = path.join(packageFolder, 'dist', 'rules');
  mkdirSync(rules, { recursive: true });
  for (const name of ['moved.js', 'moved.js.map', 'moved.d.ts']) writeFileSync(path.join(rules, name), '');
}

/** What each package carries besides its page and its licence. */
const CONTENTS: Readonly<Record<string, readonly string[]>> = {
  provider: ['dist/index.js', 'dist/index.d.ts', 'dist/hosts/dynamic/handler.js'],
  review: ['dist/index.js', 'dist/posture.js', 'schemas/review-1.json'],
  cli: ['dist/packed/pulumi-edge-policy-cli.cjs'],
  'policy-pack': [
    ...['dist/index.js', 'dist/index.d.ts'],
    ...['pack/PulumiPolicy.yaml', 'pack/index.cjs', 'pack/package.json'],
  ],
  emulator: ['bin/edge-policy-emulator.js', 'dist/index.js', 'dist/index.d.ts'],
};

test('packed from a clean clone, all packages are complete, and the emulator starts', async () => {
  const clone = cleanClone();
  leaveStaleOutputs(path.join(clone, 'provider'));
  const tarballs = new Map<string, string>();
  for (const [name, expected] of Object.entries(CONTENTS)) {
    const { files, tarball } = await pack(path.join(clone, name));
    tarballs.set(name, tarball);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', ...expected]));
    const commands = files.filter((file) => file.startsWith('bin'));
    expect(commands).toEqual(expected.filter((file) => file.startsWith('bin')));
    expect(files.filter((file) => /^src|tsbuildinfo|node_modules|moved/.test(file))).toEqual([]);
    expect(await complaintsAbout(tarball)).toContain('All good!');
    expect(linksOutOf(tarball, files)).toEqual([]);
  }

  const installed = path.join(folder, 'installed');
  mkdirSync(installed);
  symlinkSync(path.join(checkout, 'node_modules'), path.join(installed, 'node_modules'));
  await promisify(execFile)('tar', ['xzf', tarballs.get('emulator') ?? '', '-C', installed]);
  const child = spawn(
    process.execPath,
    [path.join(installed, 'package/bin/edge-policy-emulator.js'), '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const response = await fetch(`${line.split(' ').at(-1) ?? ''}/healthz`);
  child.kill();
  expect(await response.json()).toEqual({ status: 'ok' });
});
