import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { folderOf } from '../support/folder';
import { oneOfEach, runCoreScenario } from '../support/core-scenario';
import { policyId } from '../support/ids';
import {
  addPacked,
  cachedPackages,
  installedVersion,
  installPacked,
  LOWEST_SDK,
} from '../support/installed-package';
import { stackOnService } from '../support/service-stack';

const NEWEST_LTS = '24';

const edgePolicy = (nodeModules: string, ...args: string[]) =>
  promisify(execFile)(path.join(nodeModules, '.bin', 'pulumi-edge-policy-cli'), args, {
    cwd: path.dirname(nodeModules),
  });

test('the packed package, installed in an empty project outside the repository, works on the lowest SDK; the command line and the policies are packages beside it', async () => {
  const nodeModules = await installPacked(folderOf(), LOWEST_SDK);
  expect(installedVersion(nodeModules, '@pulumi/pulumi')).toBe(LOWEST_SDK);
  const { stack, emulator } = await stackOnService({ program: oneOfEach(), nodeModules });
  await runCoreScenario(stack, emulator);

  stack.writeProgram({
    ts: `
      import { IpPolicyRule, type IpPolicyRuleArgs } from 'pulumi-edge-policy';
      const args: IpPolicyRuleArgs = { cidr: '192.0.2.1', action: 'allow', ipPolicyId: '${policyId}' };
      export const cidr = new IpPolicyRule('typed', args).cidr;
    `,
  });
  await stack.up({ env: { PULUMI_NODEJS_TRANSPILE_ONLY: 'false' } });
  expect(emulator.state().rules).toMatchObject([{ cidr: '192.0.2.1/32' }]);

  stack.writeProgram({
    ts: `
      import { AccessAssertions } from 'pulumi-edge-policy';
      new AccessAssertions('access', { policies: [{ ipPolicyId: '${policyId}', mustAllow: ['192.0.2.1'] }] });
    `,
  });
  const { json } = await stack.call(['preview', '--json', '--show-sames']);
  expect(JSON.stringify(json)).toContain('"mustAllow":["192.0.2.1"]');

  for (const name of ['commander', 'refa', '@marcbachmann/cel-js', '.bin/pulumi-edge-policy-cli']) {
    expect(existsSync(path.join(nodeModules, name))).toBe(false);
  }
  const preview = path.join(nodeModules, '..', 'preview.json');
  writeFileSync(preview, JSON.stringify(json));
  await addPacked(path.dirname(nodeModules), 'review', 'cli', 'policy-pack');
  const { stdout } = await edgePolicy(nodeModules, '--help');
  expect(stdout).toContain('Usage: npx --no-install pulumi-edge-policy-cli');
  const report = await edgePolicy(nodeModules, 'review', preview, '--fail-on', 'never', '--format', 'text');
  expect(report.stdout).toMatch(/^Access review/);

  // The policies run on the one SDK that is there: tests/node-host/policy-pack.test.ts.
  expect(installedVersion(nodeModules, '@pulumi/pulumi')).toBe(LOWEST_SDK);
  expect(existsSync(path.join(nodeModules, '@pulumi/policy/node_modules/@pulumi'))).toBe(false);
  expect(existsSync(path.join(nodeModules, 'pulumi-edge-policy-pack/node_modules'))).toBe(false);
});

test('the newest SDK runs on the newest LTS of Node.js', async () => {
  const binaries = await cachedPackages(`node-${NEWEST_LTS}`, [
    `node-${process.platform}-${process.arch}@${NEWEST_LTS}`,
  ]);
  const nodeBin = path.join(binaries, `node-${process.platform}-${process.arch}`, 'bin');
  const { stdout } = await promisify(execFile)(path.join(nodeBin, 'node'), ['--version']);
  expect(stdout).toMatch(new RegExp(`^v${NEWEST_LTS}\\.`));
  const { stack, emulator } = await stackOnService({ program: oneOfEach(), nodeBin });
  await runCoreScenario(stack, emulator);
});
