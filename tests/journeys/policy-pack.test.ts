import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deferCleanup } from '../support/cleanup';
import { policyId } from '../support/ids';
import { addPacked, installedVersion, installPacked } from '../support/installed-package';
import { makeRunnable, withPolicyRuntime } from '../support/policy-pack';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';

const LOWEST_SDK = '3.216.0';

test('the packed policies, installed in an empty project outside the repository, run on the one SDK that is there', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-pack-'));
  deferCleanup(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const nodeModules = await installPacked(folder, LOWEST_SDK);
  await addPacked(path.dirname(nodeModules), 'review', 'policy-pack');
  expect(installedVersion(nodeModules, '@pulumi/pulumi')).toBe(LOWEST_SDK);
  expect(existsSync(path.join(nodeModules, '@pulumi/policy/node_modules/@pulumi'))).toBe(false);
  expect(existsSync(path.join(nodeModules, 'pulumi-edge-policy-pack/node_modules'))).toBe(false);

  const pack = path.join(nodeModules, 'pulumi-edge-policy-pack/pack');
  makeRunnable(pack);
  const { stack } = await stackOnService({
    program: program(
      `new IpPolicyRule('site', { ipPolicyId: '${policyId}', cidr: '0.0.0.0/0', action: 'allow' });`,
    ),
    nodeModules,
  });
  const { stdout } = await stack.preview({
    env: withPolicyRuntime(stack.environment()),
    args: ['--policy-pack', pack],
  });
  expect(stdout).toContain('edge-policy@v0.1.0');
  expect(stdout).toMatch(/\[advisory\] +\[severity: critical\] +open-to-all +\(.*IpPolicyRule: site\)/);
});
