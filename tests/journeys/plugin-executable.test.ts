// The plugin as an executable, which needs no Node.js: the language host of the program does, so the engine starts it in
// an empty environment.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_VERSION } from '../../provider/src/api/client-settings';
import { deferCleanup } from '../support/cleanup';
import { oneOfEach, runCoreScenario } from '../support/core-scenario';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

const run = promisify(execFile);

function newFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-executable-'));
  deferCleanup(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Makes the archives of a release with an executable for this machine, and answers what the checksums say of them. */
async function makeArchives(): Promise<{ readonly archive: string; readonly checksums: string }> {
  const folder = newFolder();
  const args = [path.join(checkout, 'tools', 'bundle.mjs'), folder, '--executables', 'linux-amd64'];
  await run(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 });
  const name = `pulumi-resource-edge-policy-v${PACKAGE_VERSION}-linux-amd64.tar.gz`;
  return {
    archive: path.join(folder, name),
    checksums: readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8'),
  };
}

/** A folder whose plugin is an executable that runs without a single variable, a PATH or a home. */
function bareFolder(executable: string): string {
  const folder = newFolder();
  const file = path.join(folder, 'pulumi-resource-edge-policy');
  writeFileSync(file, `#!/bin/sh\nexec /usr/bin/env -i ${executable} "$@"\n`, { mode: 0o755 });
  return folder;
}

async function anExecutableNeedsNothing(): Promise<void> {
  const first = await makeArchives();
  expect((await makeArchives()).checksums).toBe(first.checksums);
  const folder = newFolder();
  await run('tar', ['-xzf', first.archive, '-C', folder]);
  const { stack, emulator } = await stackOnService({
    program: oneOfEach(),
    ...{ host: 'native', settingsIn: 'config' },
    pluginFolder: bareFolder(path.join(folder, 'pulumi-resource-edge-policy')),
  });
  await runCoreScenario(stack, emulator);
  const install = ['plugin', 'install', 'resource', 'edge-policy', PACKAGE_VERSION];
  await stack.call([...install, '--file', first.archive]);
  const installed = `resource-edge-policy-v${PACKAGE_VERSION}/pulumi-resource-edge-policy`;
  const file = path.join(stack.environment()['PULUMI_HOME'] ?? '', 'plugins', installed);
  expect((await run(file, ['--version'], { env: {} })).stdout).toBe(`${PACKAGE_VERSION}\n`);
}

async function elsewhereNoneIsMade(): Promise<void> {
  await expect(makeArchives()).rejects.toThrow('Executables are made on Linux only');
}

test(
  'the executable of a release archive needs no Node.js: each resource, in an empty environment; two archives are the same',
  process.platform === 'linux' && process.arch === 'x64' ? anExecutableNeedsNothing : elsewhereNoneIsMade,
  300_000,
);
