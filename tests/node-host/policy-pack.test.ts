import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Host } from '../../provider/src/resources/provider-reference';
import { folderOf } from '../support/folder';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { addPacked, installedVersion, installPacked, LOWEST_SDK } from '../support/installed-package';
import { literal, program } from '../support/programs';
import type { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

/** Open by a rule and a set together, a secret, and what is not known at preview. */
const openProgram = program(`
  const pulumi = require('@pulumi/pulumi');
  const ipPolicyId = '${policyId}';
  const low = new IpPolicyRule('low', { ipPolicyId, cidr: '0.0.0.0/1', action: 'allow' });
  new IpPolicyRuleSet('high', { ipPolicyId, rules: [{ cidr: '128.0.0.0/1', action: 'allow' }] });
  new IpPolicyRule('later', { ipPolicyId: 'ipp_2', cidr: low.id.apply(() => '8.8.8.0/24'), action: 'allow' });
  new HttpsEdgeRouteUserAgentFilterModule('agents', {
    edgeId: '${httpsEdgeId}', routeId: '${routeId}', allow: [pulumi.secret('^' + process.env.CANARY_SECRET)],
  });
`);

/** Copies a pack into the project of a stack, from where it finds the packages of the tests. */
const copyPack = (pack: string, project: string): string => {
  const copy = path.join(project, path.basename(pack));
  cpSync(pack, copy, { recursive: true });
  return copy;
};

/** Runs a command under the pack that is ready to run, which stops it, and answers what it said of policies. */
async function underPack(stack: PulumiStack, args: readonly string[]) {
  const pack = copyPack(path.join(checkout, 'policy-pack', 'pack'), stack.folder.project);
  const settings = path.join(stack.folder.project, 'settings.json');
  writeFileSync(settings, JSON.stringify({ 'open-to-all': 'mandatory', 'module-off': 'mandatory' }));
  const options = ['--policy-pack', pack, '--policy-pack-config', settings];
  const { stdout } = await stack.call([...args, ...options], { expect: 'failure' });
  const said = [...stdout.matchAll(/- \[(\w+)\] (?: *\[severity: \w+\])? +([\w-]+) +\([^()]*: ([^()]+)\)/g)];
  return {
    stdout,
    violations: said.map(([, level, policy, name]) => `${level ?? ''} ${policy ?? ''} ${name ?? ''}`).sort(),
  };
}

test.each<{ host: Host; args: readonly string[] }>([
  { host: 'dynamic', args: ['up', '--yes'] },
  { host: 'native', args: ['preview'] },
])(
  'on the host $host, $args stops for what the whole stack lets in before anything is written, and names what is not known',
  async ({ host, args }) => {
    const { stack, emulator } = await stackOnService({ program: openProgram, host });
    const { violations, stdout } = await underPack(stack, args);
    expect(emulator.state().rules).toEqual([]);
    expect(violations).toEqual([
      'advisory user-agent-filter-open agents',
      'advisory value-hidden later',
      'mandatory open-to-all low',
    ]);
    expect(stdout).toContain('The "cidr" of "later" is ');
    expect(stdout).toContain('Severity critical, at cidr. ');
  },
);

test('without a preview, what one resource decides stops its write, and what the stack decides comes after the writes', async () => {
  const { stack, emulator } = await stackOnService({ program: openProgram });
  const open = await underPack(stack, ['up', '--yes', '--skip-preview']);
  expect(open.violations).toContain('mandatory open-to-all low');
  expect(open.violations.join()).not.toContain('value-hidden');
  expect(emulator.state().rules).toHaveLength(3);

  const analysed = await underPack(stack, ['policy', 'analyze']);
  expect(analysed.violations).toContain('mandatory open-to-all low');

  stack.writeProgram(
    program(
      `new TcpEdgeTrafficPolicyModule('left-over', { edgeId: '${tcpEdgeId}', enabled: false, value: '{}' });`,
    ),
  );
  const refused = await underPack(stack, ['up', '--yes', '--skip-preview']);
  expect(refused.violations).toContain('mandatory module-off left-over');
  expect(emulator.state().tcpModules).toEqual({});
});

test('examples/policy-pack: the assertion of the organisation, its level, and a policy of its own', async () => {
  const folder = path.join(checkout, 'examples', 'policy-pack');
  const { stack } = await stackOnService({ program: { folder }, project: 'policy-pack' });
  const pack = copyPack(path.join(folder, 'pack'), stack.folder.project);
  const options = { args: ['--policy-pack', pack] };
  const { stdout } = await stack.preview(options);
  expect(stdout).toContain('acme-edge@v1.0.0');
  expect(stdout).toMatch(/\[advisory\] +rule-described +\(.*: office\)/);
  expect(stdout).not.toContain('mandatory');

  await stack.setConfig({ 'policy-pack:officeCidr': '203.0.112.0/23' });
  const refused = await stack.preview({ ...options, expect: 'failure' });
  expect(refused.stdout).toMatch(/\[mandatory\].*assertion-failed +\(.*: office\)/);
  expect(refused.stdout).toContain('"203.0.113.0/24, 198.51.100.0/24"');
});

test('the packed policies, installed in an empty project, run on the lowest SDK beside the provider and the commands', async () => {
  const nodeModules = await installPacked(folderOf(), LOWEST_SDK);
  await addPacked(path.dirname(nodeModules), 'review', 'cli', 'policy-pack');
  expect(installedVersion(nodeModules, '@pulumi/pulumi')).toBe(LOWEST_SDK);
  const open = { cidr: '0.0.0.0/0', action: 'allow', ipPolicyId: policyId };
  const { stack } = await stackOnService({
    program: program(`new IpPolicyRule('site', ${literal(open)});`),
    nodeModules,
  });
  const policies = path.join(nodeModules, 'pulumi-edge-policy-pack/pack');
  const found = await stack.preview({ args: ['--policy-pack', policies] });
  expect(found.stdout).toContain('edge-policy@v0.1.0');
  expect(found.stdout).toMatch(/\[advisory\] +\[severity: critical\] +open-to-all +\(.*IpPolicyRule: site\)/);
});
