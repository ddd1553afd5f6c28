// What the engine does that only the real one shows: several plugin processes in one `up`, and a refresh within it.
import { policyId, tcpEdgeId } from '../support/ids';
import { program } from '../support/programs';
import { liveCidrs, stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';
import { reviewed, told } from '../unit/review/reviewing';
import { previewed } from './review/changes';

/** The account of the default provider, whose address is spelt otherwise here. */
const ACCOUNT = `
  const baseUrl = process.env.EDGE_POLICY_BASE_URL.replace('http://127.0.0.1', 'HTTP://127.1') + '/';
  const account = new Provider('account', { apiKey: process.env.EDGE_POLICY_API_KEY, baseUrl });`;
const edgeModule = (name: string, options = '{}'): string =>
  `new TcpEdgeTrafficPolicyModule('${name}', { edgeId: '${tcpEdgeId}',
    value: { inbound: [{ name: 'one', expressions: ['true'], actions: [{ type: 'deny' }] }] } }, ${options});`;
const rule = (cidr: string, action = 'allow'): string =>
  `new IpPolicyRule('${cidr}', { ipPolicyId: '${policyId}', action: '${action}', cidr: '${cidr}' });`;

test('what moves to a resource of another provider in one up stays live: each provider is a process of its own, and may spell the address otherwise', async () => {
  const networks = ['10.0.0.0/24', '10.0.1.0/24'];
  const singles = networks.map((cidr) => rule(cidr)).join('\n');
  const { stack, emulator } = await stackOnService({
    program: program(`${edgeModule('old')} ${singles} return {};`),
  });
  await stack.up();
  const before = emulator.state();

  const set = `new IpPolicyRuleSet('set', { ipPolicyId: '${policyId}', overwriteExisting: true,
    rules: ${JSON.stringify(networks.map((cidr) => ({ cidr, action: 'allow' })))} }, { provider: account });`;
  stack.writeProgram(program(`${ACCOUNT} ${edgeModule('new', '{ provider: account }')} ${set} return {};`));
  const moved = await stack.up();
  expect(moved.changes).toMatchObject({ create: 2, delete: 3 });
  expect(emulator.state()).toEqual(before);
  expect(moved.output).toContain('Kept the traffic policy module');
  await stack.expectEmptyPreview();
});

test('what moves in the up that switches the host stays live; a review stops at the switch, and finds nothing once it is applied', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`${edgeModule('old')} return {};`),
    host: 'dynamic',
  });
  await stack.up();
  const before = emulator.state();
  await stack.setConfig({ 'edge-policy:host': 'native' });
  const review = async () => {
    const { preview, state } = await previewed(stack);
    return told(reviewed(preview, { state }));
  };
  expect(await review()).toEqual([
    expect.stringMatching(/^high service-changed: 1 resource would go from "stack settings" to "default/),
  ]);
  stack.writeProgram(program(`${edgeModule('new')} return {};`));
  await stack.up();
  expect(emulator.state()).toEqual(before);
  expect(await review()).toEqual([]);
});

test('native: a set that is imported under another name, while its old name leaves, keeps every rule; it and a look-up keep the id of the policy', async () => {
  const { stack, emulator } = await stackOnService({ program: program('return {};'), host: 'native' });
  const networks = ['10.0.0.0/24', '10.0.1.0/24'];
  emulator.seed({ rules: networks.map((cidr) => ({ cidr, action: 'deny', ip_policy_id: policyId })) });
  const before = emulator.state();
  const imported = (name: string): string =>
    `new IpPolicyRuleSet('${name}', { ipPolicyId: '${policyId}',
      rules: ${JSON.stringify(networks.map((cidr) => ({ cidr, action: 'deny' })))} }, { import: '${policyId}' });`;
  const ids = async (): Promise<string[]> => ownResources(await stack.state()).map(({ id = '' }) => id);
  stack.writeProgram(program(`${imported('old')} return {};`));
  await stack.up();
  expect(await ids()).toEqual([policyId]);

  const look = `const whole = IpPolicyRuleSet.get('whole', '${policyId}');`;
  stack.writeProgram(program(`${imported('new')} ${look} return { found: whole.id };`));
  const moved = await stack.up();
  expect(moved.changes).toMatchObject({ import: 1, delete: 1 });
  expect(moved.output).toContain('Kept IP policy rules');
  expect(emulator.state()).toEqual(before);
  expect(await ids()).toEqual([policyId, policyId]);
  await stack.expectEmptyPreview();
});

test('a replacement in an up that refreshes what it registers deletes the old rule', async () => {
  const { stack, emulator } = await stackOnService({ program: program(`${rule('10.0.0.0/24')} return {};`) });
  await stack.up();
  stack.writeProgram(program(`${rule('10.0.0.0/24', 'deny')} return {};`));
  await stack.up({ args: ['--refresh', '--run-program'] });
  expect(emulator.state().rules).toMatchObject([{ cidr: '10.0.0.0/24', action: 'deny' }]);
});

test('a rule that leaves a set for a single rule whose check fails is deleted, and the next up makes it', async () => {
  const set = (cidrs: readonly string[]): string =>
    `new IpPolicyRuleSet('set', { ipPolicyId: '${policyId}', rules: ${JSON.stringify(cidrs.map((cidr) => ({ cidr, action: 'allow' })))} });`;
  const [a, b] = ['10.0.0.0/24', '10.0.1.0/24'];
  const { stack, emulator } = await stackOnService({ program: program(`${set([a, b])} return {};`) });
  await stack.up();
  // The description is known only once the set is written, and is then too long.
  const single = (times: number): string =>
    `const first = ${set([a])} new IpPolicyRule('single', { ipPolicyId: '${policyId}', action: 'allow', cidr: '${b}',
      description: first.id.apply((id) => 'x'.repeat(${times})) }); return {};`;
  stack.writeProgram(program(single(256)));
  const failed = await stack.up({ expect: 'failure' });
  expect(failed.errors.join('\n')).toContain('at most 255 are allowed');
  expect(emulator.state().rules.map(({ cidr }) => cidr)).toEqual([a]);
  stack.writeProgram(program(single(10)));
  await stack.up();
  expect(liveCidrs(emulator)).toEqual([a, b]);
});
