import { readdirSync } from 'node:fs';
import path from 'node:path';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';
import type { ConfigValue } from '../support/stack-files';

const folder = (name: string) => path.join(checkout, 'examples', name);

/** What an example must be told, under its own name. */
const configOf = (name: string, values: Record<string, ConfigValue>): Record<string, ConfigValue> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}:${key}`, value]));

const runExample = async (
  name: string,
  options: { stack?: string; config?: Record<string, ConfigValue> } = {},
) => {
  const { stack, emulator } = await stackOnService({
    program: { folder: folder(name) },
    project: name,
    ...(options.stack === undefined ? {} : { stack: options.stack }),
    config: configOf(name, options.config ?? {}),
  });
  return { stack, emulator };
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
  ]);
});

test('quickstart: one of each resource', async () => {
  const { stack, emulator } = await runExample('quickstart');
  expect((await stack.up()).changes).toEqual({ create: 3 });
  const { rules, tcpModules, httpsModules } = emulator.state();
  expect(rules).toMatchObject([{ cidr: '203.0.113.0/24', action: 'allow' }]);
  expect(Object.values(tcpModules)).toHaveLength(1);
  expect(Object.values(httpsModules)).toMatchObject([{ deny: ['(?i)sqlmap', '(?i)nikto'] }]);
  await stack.expectEmptyPreview();
  await stack.destroy();
  expect(emulator.state().rules).toEqual([]);
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
  await stack.expectEmptyPreview();
});

test('bots-and-bogons: the special-purpose networks and the crawlers', async () => {
  const { stack, emulator } = await runExample('bots-and-bogons');
  await stack.up();
  const { tcpModules, httpsModules } = emulator.state();
  const [policy] = Object.values(tcpModules);
  expect((JSON.parse(policy?.value ?? '{}') as { inbound: unknown[] }).inbound).toHaveLength(19);
  const [filter] = Object.values(httpsModules);
  expect(filter?.deny.length).toBeGreaterThan(50);
  await stack.expectEmptyPreview();
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
  expect((await stack.call(['stack', 'output', '--json'])).json).toEqual({
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
