import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_VERSION } from '../../provider/src/api/client-settings';
import { deferCleanup } from '../support/cleanup';
import { oneOfEach, runCoreScenario } from '../support/core-scenario';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

/** Makes the archives of a release, and answers that of one system. */
async function archiveFor(system: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-archive-'));
  deferCleanup(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  await promisify(execFile)(process.execPath, [path.join(checkout, 'tools', 'bundle.mjs'), folder]);
  return path.join(folder, `pulumi-resource-edge-policy-v${PACKAGE_VERSION}-${system}.tar.gz`);
}

test('the plugin of a release archive serves a stack that has installed nothing but that', async () => {
  const archive = await archiveFor('linux-amd64');
  expect(statSync(archive).size).toBeLessThan(500_000);
  const { stack, emulator } = await stackOnService({
    program: oneOfEach(),
    config: { 'edge-policy:host': 'native' },
  });
  const { output } = await stack.preview({ expect: 'failure' });
  expect(output).toContain('pulumi-resource-edge-policy');
  const { stdout } = await promisify(execFile)('tar', ['-tzf', archive]);
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(contents));
  await stack.call(['plugin', 'install', 'resource', 'edge-policy', PACKAGE_VERSION, '--file', archive]);
  await runCoreScenario(stack, emulator);
});

const contents = [
  'LICENSE',
  'THIRD-PARTY-LICENSES',
  'package.json',
  'pulumi-resource-edge-policy',
  'pulumi-resource-edge-policy.cmd',
];
