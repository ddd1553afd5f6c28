// The life of each resource on the real CLI; that of a set is in ip-policy-rule-set.test.ts.
import { httpsEdgeId, otherRouteId, otherTcpEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const denying = (address: string) => ({
  inbound: [
    { name: 'deny-one', expressions: [`conn.client_ip == '${address}'`], actions: [{ type: 'deny' }] },
  ],
});
const rule = {
  ...{ cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId },
  ...{ description: 'private network', metadata: '{"team":"edge"}' },
};
const policy = { edgeId: tcpEdgeId, value: denying('192.0.2.1') };
const filter = { edgeId: httpsEdgeId, routeId, deny: ['(?i)sqlmap', 'curl/'] };

const declaring = (args: { rule: object; policy: object; filter: object }) =>
  program(`
    new IpPolicyRule('rule', ${literal(args.rule)});
    new TcpEdgeTrafficPolicyModule('policy', ${literal(args.policy)});
    new HttpsEdgeRouteUserAgentFilterModule('filter', ${literal(args.filter)});
    return {};
  `);

const route = `${httpsEdgeId}/${routeId}`;

test('a rule and a module of each kind are created, updated in place, cleared, replaced and deleted, and nothing is left to do', async () => {
  const { stack, emulator } = await stackOnService({ program: declaring({ rule, policy, filter }) });
  expect((await stack.up()).changes).toEqual({ create: 3 });
  const [created] = emulator.state().rules;
  expect(created).toMatchObject({ cidr: '10.0.0.0/8', action: 'deny', description: 'private network' });
  expect(emulator.state().tcpModules).toEqual({
    [tcpEdgeId]: { enabled: true, value: literal(policy.value) },
  });
  expect(emulator.state().httpsModules).toEqual({ [route]: { enabled: true, allow: [], deny: filter.deny } });
  const state = ownResources(await stack.state());
  expect(new Map(state.map(({ id, outputs }) => [id, outputs]))).toMatchObject(
    new Map([
      [created?.id, { cidr: '10.0.0.0/8', uri: created?.uri, createdAt: created?.created_at }],
      [tcpEdgeId, { enabled: true }],
      [route, { enabled: true, allow: [] }],
    ]),
  );

  // Another spelling, or order, is no change; an edit of others previews as exactly that edit.
  const spelledOut = {
    policy: { ...policy, value: JSON.stringify(policy.value, undefined, 2) },
    filter: { ...filter, deny: [...filter.deny].reverse() },
  };
  stack.writeProgram(declaring({ rule, ...spelledOut }));
  await stack.expectEmptyPreview();
  emulator.remote
    .modules('httpsModules')
    .set(route, { enabled: true, allow: ['^Googlebot/'], deny: filter.deny });
  const drifted = await stack.preview({ args: ['--refresh', '--diff'] });
  expect(drifted.changes).toEqual({ refresh: 3, update: 1 });
  expect(drifted.output).toContain('^Googlebot/');
  // Once as the refresh finds it, once as it is undone.
  expect(drifted.markedProperties).toEqual(['~ allow', '~ allow']);

  // Of a rule only what changes is sent, of a module all fields.
  const { description: _cleared, ...renamed } = { ...rule, cidr: '2001:DB8:0:0::/32' };
  const off = {
    policy: { ...policy, enabled: false, value: denying('192.0.2.2') },
    filter: { ...filter, enabled: false, allow: ['^Mozilla/'], deny: ['curl/'] },
  };
  stack.writeProgram(declaring({ rule: renamed, ...off }));
  const preview = await stack.preview({ args: ['--diff'] });
  expect(preview.output).toMatch(/192\.0\.2\.1.*192\.0\.2\.2/s);
  emulator.clearJournal();
  expect((await stack.up()).changes).toEqual({ update: 3 });
  const sent = emulator.journal.filter(({ method }) => method !== 'GET').map(({ body }) => body);
  expect(sent).toHaveLength(3);
  expect(sent).toEqual(
    expect.arrayContaining([
      { cidr: '2001:db8::/32', description: '' },
      { enabled: false, value: literal(denying('192.0.2.2')) },
      { enabled: false, allow: ['^Mozilla/'], deny: ['curl/'] },
    ]),
  );
  expect(emulator.state().rules).toEqual([
    expect.objectContaining({ id: created?.id, cidr: '2001:db8::/32' }),
  ]);
  expect(emulator.state().rules[0]).not.toHaveProperty('description');

  // What is no longer declared falls back to its default.
  const bare = { policy: { ...off.policy, enabled: undefined }, filter: { edgeId: httpsEdgeId, routeId } };
  stack.writeProgram(declaring({ rule: renamed, ...bare }));
  expect((await stack.up()).changes).toEqual({ update: 2 });
  expect(emulator.state().tcpModules[tcpEdgeId]).toMatchObject({ enabled: true });
  expect(emulator.state().httpsModules[route]).toEqual({ enabled: true, allow: [], deny: [] });

  stack.writeProgram(
    declaring({
      rule: { ...rule, action: 'allow' },
      policy: { ...policy, edgeId: otherTcpEdgeId },
      filter: { ...filter, routeId: otherRouteId },
    }),
  );
  expect((await stack.up()).changes).toEqual({ replace: 3 });
  expect(emulator.state().rules).toEqual([expect.objectContaining({ action: 'allow' })]);
  expect(emulator.state().rules[0]?.id).not.toBe(created?.id);
  expect(Object.keys(emulator.state().tcpModules)).toEqual([otherTcpEdgeId]);
  expect(Object.keys(emulator.state().httpsModules)).toEqual([`${httpsEdgeId}/${otherRouteId}`]);
  await stack.expectEmptyPreview();

  await stack.destroy();
  expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {}, httpsModules: {} });
});

test('secret and unknown parts pass through, and get reads each resource', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`
      const deny = [{ type: 'deny' }];
      const first = new TcpEdgeTrafficPolicyModule('first', {
        edgeId: '${tcpEdgeId}',
        value: { inbound: [{ name: pulumi.secret(process.env.CANARY_SECRET), expressions: [], actions: deny }] },
      });
      new TcpEdgeTrafficPolicyModule('second', {
        edgeId: '${otherTcpEdgeId}',
        value: { inbound: [{ name: first.id, expressions: [], actions: deny }] },
      });
      new HttpsEdgeRouteUserAgentFilterModule('hidden', {
        edgeId: '${httpsEdgeId}', routeId: '${routeId}', deny: [pulumi.secret(process.env.CANARY_SECRET)],
      });
      new HttpsEdgeRouteUserAgentFilterModule('late', {
        edgeId: '${httpsEdgeId}', routeId: '${otherRouteId}', allow: ['^Mozilla/', first.id],
      });
      return {};
    `),
  });
  expect((await stack.preview()).changes).toEqual({ create: 4 });
  await stack.up();
  const { tcpModules, httpsModules } = emulator.state();
  expect(tcpModules[tcpEdgeId]?.value).toContain(stack.secret);
  expect(tcpModules[otherTcpEdgeId]?.value).toContain(`"name":"${tcpEdgeId}"`);
  expect(httpsModules[route]).toMatchObject({ deny: [stack.secret] });
  expect((await stack.preview({ args: ['--refresh'] })).changes).toEqual({ refresh: 4 });

  const [seeded] = emulator.seed({
    rules: [{ cidr: '10.0.0.0/8', action: 'allow', ip_policy_id: policyId }],
  });
  stack.writeProgram(
    program(`
      const { value } = TcpEdgeTrafficPolicyModule.get('policy', '${otherTcpEdgeId}');
      const { allow } = HttpsEdgeRouteUserAgentFilterModule.get('filter', '${httpsEdgeId}/${otherRouteId}');
      const { rules, ruleIds } = IpPolicyRuleSet.get('found', '${policyId}');
      return { value, allow, rules, ruleIds };
    `),
  );
  await stack.up();
  expect(await stack.outputs()).toEqual({
    value: tcpModules[otherTcpEdgeId]?.value,
    allow: ['^Mozilla/', tcpEdgeId],
    rules: '@rules\n10.0.0.0/8: allow\n',
    ruleIds: { '10.0.0.0/8': seeded?.id },
  });
});
