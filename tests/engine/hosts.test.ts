import path from 'node:path';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const body = `
  const ipPolicyId = '${policyId}';
  const rule = new IpPolicyRule('rule', { ipPolicyId, action: 'deny', cidr: '10.0.0.0/8' });
  new IpPolicyRule('secret', { ipPolicyId, action: 'allow', cidr: '2001:db8::1', description: pulumi.secret(process.env.CANARY_SECRET) });
  new IpPolicyRuleSet('set', {
    ipPolicyId: '${otherPolicyId}', exclusive: true,
    rules: [{ cidr: '192.0.2.0/24', action: 'allow', description: pulumi.interpolate\`after \${rule.uri}\` }],
  });
  new TcpEdgeTrafficPolicyModule('policy', {
    edgeId: '${tcpEdgeId}',
    value: { inbound: [{ name: 'one', expressions: [pulumi.interpolate\`inCidrRange(conn.client_ip, '\${rule.cidr}')\`], actions: [{ type: 'deny' }] }] },
  });
  new HttpsEdgeRouteUserAgentFilterModule('filter', { edgeId: '${httpsEdgeId}', routeId: '${routeId}', deny: ['curl'] });
  const account = new Provider('account', { apiKey: process.env.EDGE_POLICY_API_KEY, baseUrl: process.env.EDGE_POLICY_BASE_URL });
  new IpPolicyRule('explicit', { ipPolicyId, action: 'allow', cidr: '203.0.113.0/24' }, { provider: account });
  return { uri: rule.uri };
`;

test('a stack moves between the hosts and back without a replacement, and without a request but the reads of exclusive sets', async () => {
  const { stack, emulator } = await stackOnService({ program: program(body), host: 'native' });
  const requests = (): string[] => {
    const sent = emulator.journal.map(({ method }) => method);
    emulator.clearJournal();
    return sent;
  };

  const planned = await stack.preview({ args: ['--diff'] });
  expect(planned.changes).toEqual({ create: 6 });
  expect(planned.output).toContain('192.0.2.0/24: allow (unknown)');
  expect(emulator.journal).toEqual([]);
  expect((await stack.up()).changes).toEqual({ create: 6 });
  const made = emulator.state();
  requests();

  // The new host is told so that a refresh and a destroy find it: an update that sends nothing.
  await stack.setConfig({ 'edge-policy:host': 'dynamic' });
  expect((await stack.up()).changes).toEqual({ update: 6, refresh: 1 });
  expect(requests()).toEqual(['GET']);
  expect((await stack.refresh()).changes).toEqual({});
  requests();

  // The set gets the list that other languages read.
  await stack.setConfig({ 'edge-policy:host': 'native' });
  expect((await stack.up()).changes).toEqual({ update: 1 });
  expect(requests()).toEqual([]);
  const set = ownResources(await stack.state()).find(({ type }) => type.endsWith('IpPolicyRuleSet'));
  expect(set?.outputs?.['ruleList']).toMatchObject([{ cidr: '192.0.2.0/24', action: 'allow' }]);
  expect(new Set(ownResources(await stack.state()).map(({ type }) => type.split(':')[0]))).toEqual(
    new Set(['edge-policy']),
  );

  emulator.remote.createRule({ ip_policy_id: otherPolicyId, action: 'allow', cidr: '198.51.100.0/24' });
  expect((await stack.preview({ args: ['--diff'] })).output).toMatch(/- 198\.51\.100\.0\/24: allow/);
  expect((await stack.up()).changes).toMatchObject({ update: 1 });
  expect(emulator.state().rules).toHaveLength(made.rules.length);
  await stack.destroy();
  expect(emulator.state().rules).toEqual([]);
});

test('a preview refuses an output that a text holds as the sentence of the SDK, and says how to write it', async () => {
  const { stack } = await stackOnService({
    program: program(`
      const ip = pulumi.output('192.0.2.1');
      const value = { inbound: [{ name: 'one', expressions: [\`conn.client_ip == '\${ip}'\`], actions: [{ type: 'deny' }] }] };
      new TcpEdgeTrafficPolicyModule('policy', { edgeId: '${tcpEdgeId}', value });
      return {};
    `),
    host: 'dynamic',
  });
  const said = (await stack.preview({ expect: 'failure' })).errors.join('\n');
  expect(said).toContain('value.inbound[0].expressions[0]: holds "Calling [toString] on an Output …"');
  expect(said).toContain('write pulumi.interpolate`…${output}…` instead of');
});

test('what a failed switch to the dynamic host has left, the next up and a destroy go on from', async () => {
  const rule = (description: string) =>
    program(
      `new IpPolicyRule('rule', { ipPolicyId: '${policyId}', action: 'deny', cidr: '10.0.0.0/8', description: '${description}' }); return {};`,
    );
  const { stack, emulator } = await stackOnService({ program: rule('one'), host: 'native' });
  await stack.up();
  await stack.setConfig({ 'edge-policy:host': 'dynamic' });
  stack.writeProgram(rule('two'));
  emulator.fault({ method: 'PATCH', path: '/ip_policy_rules/{id}', kind: 'status', status: 422 });
  expect((await stack.up({ expect: 'failure' })).errors.join('\n')).toContain('returned 422');
  const left = path.join(stack.folder.project, 'left.json');
  await stack.call(['stack', 'export', '--file', left]);
  await stack.up();
  expect(emulator.state().rules).toMatchObject([{ description: 'two' }]);

  await stack.call(['stack', 'import', '--file', left]);
  await stack.destroy();
  expect(emulator.state().rules).toEqual([]);
});
