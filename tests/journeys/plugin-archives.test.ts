// What a release offers to install the plugin from: an archive that needs Node.js, and one with an executable, which needs nothing:
// the language host of the program does, so the engine starts it in an empty environment.
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_VERSION } from '../../provider/src/api/client-settings';
import type { Lifetime } from '../support/cleanup';
import { oneOfEach, runCoreScenario } from '../support/core-scenario';
import { folderOf } from '../support/folder';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

jest.setTimeout(300_000);

const run = promisify(execFile);
const canMakeExecutables = process.platform === 'linux' && process.arch === 'x64';
const PLUGIN = 'pulumi-resource-edge-policy';
const INSTALL = ['plugin', 'install', 'resource', 'edge-policy', PACKAGE_VERSION, '--file'];

/** Makes the archives of a release in a folder; that of this machine has an executable if asked for. */
async function makeArchives(withExecutable: boolean, lifetime?: Lifetime): Promise<string> {
  const folder = folderOf({}, lifetime);
  const args = [
    path.join(checkout, 'tools', 'bundle.mjs'),
    ...[folder, ...(withExecutable ? ['--executables', 'linux-amd64'] : [])],
  ];
  await run(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 });
  return folder;
}

const archiveIn = (folder: string, system: string): string =>
  path.join(folder, `${PLUGIN}-v${PACKAGE_VERSION}-${system}.tar.gz`);

let archives: string;
beforeAll(async () => {
  archives = await makeArchives(canMakeExecutables, 'file');
});

test('the plugin of a release archive serves a stack that has installed nothing but that', async () => {
  const archive = archiveIn(archives, 'linux-arm64');
  expect(statSync(archive).size).toBeLessThan(500_000);
  const { stdout } = await run('tar', ['-tzf', archive]);
  const contents = ['LICENSE', 'THIRD-PARTY-LICENSES', 'package.json', PLUGIN, `${PLUGIN}.cmd`];
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(contents));
  const { stack, emulator } = await stackOnService({
    program: oneOfEach(),
    config: { 'edge-policy:host': 'native' },
  });
  const { output } = await stack.preview({ expect: 'failure' });
  expect(output).toContain(PLUGIN);
  await stack.call([...INSTALL, archive]);
  // The executable has the same JavaScript, and goes through the whole scenario.
  expect((await stack.up()).changes).toEqual({ create: 4 });
  await stack.destroy();
  expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {}, httpsModules: {} });
});

/** A folder whose plugin is an executable that runs without a single variable, a PATH or a home. */
const bareFolder = (executable: string): string =>
  folderOf({ [PLUGIN]: `#!/bin/sh\nexec /usr/bin/env -i ${executable} "$@"\n` });

async function anExecutableNeedsNothing(): Promise<void> {
  const checksums = (folder: string): string => readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8');
  expect(checksums(await makeArchives(true))).toBe(checksums(archives));
  const archive = archiveIn(archives, 'linux-amd64');
  const folder = folderOf();
  await run('tar', ['-xzf', archive, '-C', folder]);
  const { stack, emulator } = await stackOnService({
    program: oneOfEach(),
    ...{ host: 'native', settingsIn: 'config' },
    pluginFolder: bareFolder(path.join(folder, PLUGIN)),
  });
  await runCoreScenario(stack, emulator);
  await stack.call([...INSTALL, archive]);
  const installed = `resource-edge-policy-v${PACKAGE_VERSION}/${PLUGIN}`;
  const file = path.join(stack.environment()['PULUMI_HOME'] ?? '', 'plugins', installed);
  expect((await run(file, ['--version'], { env: {} })).stdout).toBe(`${PACKAGE_VERSION}\n`);
}

async function elsewhereNoneIsMade(): Promise<void> {
  await expect(makeArchives(true)).rejects.toThrow('Executables are made on Linux only');
}

test(
  'the executable of a release archive needs no Node.js: each resource, in an empty environment; two archives are the same',
  canMakeExecutables ? anExecutableNeedsNothing : elsewhereNoneIsMade,
);
