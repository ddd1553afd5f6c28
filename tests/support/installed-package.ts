import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The lowest SDK that the provider's package allows. */
export const LOWEST_SDK = '3.216.0';

/** The cache for npm packages that the tests need besides the workspace's. */
const cacheRoot = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'),
  'edge-policy',
  'test-packages',
);

/** Runs npm without notices, in a folder. */
const npm = (folder: string, args: readonly string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'], {
    cwd: folder,
  });

/** Installs npm packages into a folder of the cache, once for all runs, and returns its node_modules. */
export async function cachedPackages(name: string, packages: readonly string[]): Promise<string> {
  const folder = path.join(cacheRoot, name);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(path.join(unfinished, 'package.json'), '{ "private": true }\n');
    await npm(unfinished, ['install', ...packages]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  }
  return path.join(folder, 'node_modules');
}

/** The file of a package as it would be published: see `pack-once.mjs`. */
export const packed = (workspace: 'provider' | 'review' | 'cli' | 'policy-pack' | 'emulator'): string =>
  (JSON.parse(process.env['EDGE_POLICY_PACKAGES'] ?? '{}') as Record<typeof workspace, string>)[workspace];

/** Makes an empty project outside the repository with the packed provider and a version of the SDK installed. */
export async function installPacked(folder: string, sdkVersion: string): Promise<string> {
  const project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }\n');
  await npm(project, [
    'install',
    packed('provider'),
    `@pulumi/pulumi@${sdkVersion}`,
    'typescript@5',
    '@types/node@20',
  ]);
  return path.join(project, 'node_modules');
}

/** Adds other packages of ours to such a project, packed. */
export async function addPacked(
  project: string,
  ...names: ('review' | 'cli' | 'policy-pack')[]
): Promise<void> {
  await npm(project, ['install', '--save-dev', ...names.map(packed)]);
}

/** The version of a package that is installed in a node_modules folder. */
export const installedVersion = (nodeModules: string, name: string): string =>
  (JSON.parse(readFileSync(path.join(nodeModules, name, 'package.json'), 'utf8')) as { version: string })
    .version;
