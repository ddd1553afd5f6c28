import { readdirSync } from 'node:fs';
import path from 'node:path';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { runLine } from '../support/documentation';
import { SecretsScan } from '../support/secrets-scan';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';
import type { ConfigValue } from '../support/stack-files';

const folder = (name: string) => path.join(checkout, 'examples', name);

const runExample = async (
  name: string,
  options: { stack?: string; config?: Record<string, ConfigValue> } = {},
) => {
  const values = Object.entries(options.config ?? {});
  const config = Object.fromEntries(values.map(([key, value]) => [`${name}:${key}`, value]));
  const program = { folder: folder(name) };
  return stackOnService({ program, project: name, ...options, config });
};

test('every example is run here, those of other languages in languages.test.ts', () => {
  const names = readdirSync(path.join(checkout, 'examples')).filter((name) => name !== 'README.md');
  expect(names.filter((name) => !/-(go|python|yaml)$/.test(name)).sort()).toEqual([
    'bots-and-bogons',
    'lookups',
    'office-allow-list',
    'policy-pack',
    'quickstart',
    'review-then-apply',
    'two-accounts',
  ]);
});

test('quickstart: one of each resource', async () => {
  const { stack, emulator } = await runExample('quickstart');
  expect((await stack.up()).changes).toEqual({ create: 3 });
  const { rules, tcpModules, httpsModules } = emulator.state();
  expect(rules).toMatchObject([{ cidr: '203.0.113.0/24', action: 'allow' }]);
  expect(Object.values(tcpModules)).toHaveLength(1);
  expect(Object.values(httpsModules)).toMatchObject([{ deny: ['(?i)sqlmap', '(?i)nikto'] }]);
});

test('office-allow-list: the rules of the data file, in the policy of the stack', async () => {
  const ipPolicyId = 'ipp_2ZnProdPolicyOfTheOfficeLst1';
  const { stack, emulator } = await runExample('office-allow-list', {
    stack: 'prod',
    config: { ipPolicyId },
  });
  await stack.up();
  const { rules } = emulator.state();
  expect(rules).toHaveLength(6);
  expect(new Set(rules.map(({ ip_policy }) => ip_policy.id))).toEqual(new Set([ipPolicyId]));
  expect(rules.map(({ description }) => description)).toContain('VPN exit (prod)');
  expect(rules.map(({ cidr }) => cidr)).toContain('203.0.113.7/32');
});

test('bots-and-bogons: the special-purpose networks and the crawlers', async () => {
  const { stack, emulator } = await runExample('bots-and-bogons');
  await stack.up();
  const { tcpModules, httpsModules } = emulator.state();
  const [policy] = Object.values(tcpModules);
  expect((JSON.parse(policy?.value ?? '{}') as { inbound: unknown[] }).inbound).toHaveLength(19);
  const [filter] = Object.values(httpsModules);
  expect(filter?.deny.length).toBeGreaterThan(50);
});

test('lookups: what exists is read, and destroy leaves it alone', async () => {
  const { stack, emulator } = await runExample('lookups');
  emulator.seed({
    rules: [
      { cidr: '192.0.2.0/24', action: 'deny', ip_policy_id: policyId },
      { cidr: '203.0.113.0/24', action: 'allow', ip_policy_id: policyId },
    ],
    tcpModules: { [tcpEdgeId]: { enabled: true, value: '{"inbound":[]}' } },
    httpsModules: { [`${httpsEdgeId}/${routeId}`]: { enabled: true, allow: [], deny: ['curl'] } },
  });
  const [, office] = emulator.state().rules;
  await stack.up();
  expect(await stack.outputs()).toEqual({
    deniedCidrs: ['192.0.2.0/24'],
    officeSince: office?.created_at,
    isEdgePolicyEnabled: true,
    deniedUserAgents: ['curl'],
    officeCidr: '203.0.113.0/24',
  });
  const before = emulator.state();
  await stack.destroy();
  expect(emulator.state()).toEqual(before);
});

test('two-accounts: each site is declared and looked up in its own account, with the rule of the transform, and npm test passes', async () => {
  const stagingKey = SecretsScan.makeUp('staging');
  const { stack, emulator } = await runExample('two-accounts', {
    config: { stagingKey: { secret: stagingKey } },
  });
  stack.secrets.watch('staging', stagingKey);
  emulator.issueKey(stagingKey, 'staging');
  const denied = (cidr: string, policy: string) => ({
    rules: [{ cidr, action: 'deny', ip_policy_id: policy } as const],
  });
  emulator.seed(denied('192.0.2.66/32', 'ipp_2ZnShopPolicy'));
  emulator.seed(denied('192.0.2.77/32', 'ipp_2ZnTrialPolicy'), 'staging');
  await stack.up();
  expect(await stack.outputs()).toEqual({
    deniedInShop: ['192.0.2.66/32'],
    deniedInTrial: ['192.0.2.77/32'],
  });
  const allowed = (account?: string) =>
    emulator.state(account).rules.flatMap(({ action, cidr }) => (action === 'allow' ? [cidr] : []));
  expect(allowed().sort()).toEqual(['198.51.100.8/29', '203.0.113.0/24']);
  expect(allowed('staging').sort()).toEqual(['192.0.2.0/24', '198.51.100.8/29', '203.0.113.0/24']);
  expect(emulator.state('staging').tcpModules['edgtcp_2ZnTrialEdge']?.value).toContain('192.0.2.77/32');
  await stack.expectEmptyPreview();
  await runLine(stack, 'npm test');
});
