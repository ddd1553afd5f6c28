import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { checkout } from '../support/workspace';

jest.setTimeout(300_000);

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'prepack-'))));
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** What a clean clone has after `npm ci`: sources, and nothing compiled or copied. */
function cleanClone(): string {
  const clone = path.join(folder, 'clone');
  const isSource = (file: string): boolean =>
    !/\/(dist|node_modules)$|\/(provider|review|cli|policy-pack|emulator)\/LICENSE$|provider\/([A-Z]+\.md|docs|examples|emulator)$/.test(
      file,
    );
  for (const name of [
    'package.json',
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'LICENSE',
    'docs',
    'examples',
    'tsconfig.base.json',
    'tools',
    'provider',
    'review',
    'cli',
    'policy-pack',
    'emulator',
  ]) {
    cpSync(path.join(checkout, name), path.join(clone, name), { recursive: true, filter: isSource });
  }
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

test('packed from a clean clone, all packages are complete, and the emulator starts', async () => {
  const clone = cleanClone();
  leaveStaleOutputs(path.join(clone, 'provider'));
  const provider = await pack(path.join(clone, 'provider'));
  expect(provider.files).toEqual(
    expect.arrayContaining([
      'README.md',
      'LICENSE',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/hosts/dynamic/handler.js',
    ]),
  );
  const review = await pack(path.join(clone, 'review'));
  expect(review.files).toEqual(
    expect.arrayContaining([
      'README.md',
      'LICENSE',
      'dist/index.js',
      'dist/posture.js',
      'schemas/review-1.json',
    ]),
  );
  const commands = await pack(path.join(clone, 'cli'));
  expect(commands.files).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'bin/pulumi-edge-policy-cli.js', 'dist/main.js']),
  );
  expect(provider.files.filter((file) => file.startsWith('bin'))).toEqual([]);
  const policies = await pack(path.join(clone, 'policy-pack'));
  expect(policies.files).toEqual(
    expect.arrayContaining([
      'README.md',
      'LICENSE',
      'dist/index.js',
      'dist/index.d.ts',
      'pack/PulumiPolicy.yaml',
      'pack/index.cjs',
      'pack/package.json',
    ]),
  );
  const emulator = await pack(path.join(clone, 'emulator'));
  expect(emulator.files).toEqual(
    expect.arrayContaining([
      'README.md',
      'LICENSE',
      'bin/edge-policy-emulator.js',
      'dist/index.js',
      'dist/index.d.ts',
    ]),
  );
  for (const { files, tarball } of [provider, review, commands, policies, emulator]) {
    expect(files.filter((file) => /^src|tsbuildinfo|node_modules|moved/.test(file))).toEqual([]);
    expect(await complaintsAbout(tarball)).toContain('All good!');
    expect(linksOutOf(tarball, files)).toEqual([]);
  }

  const installed = path.join(folder, 'installed');
  mkdirSync(installed);
  symlinkSync(path.join(checkout, 'node_modules'), path.join(installed, 'node_modules'));
  await promisify(execFile)('tar', ['xzf', emulator.tarball, '-C', installed]);
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
