// The life of each resource on the real CLI; more of a set is in ip-policy-rule-set.test.ts.
import { oneOfEach, runCoreScenario } from '../support/core-scenario';
import { httpsEdgeId, otherRouteId, otherTcpEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';

test('one of each resource is created, updated in place, repaired, replaced and deleted, and nothing is left to do', async () => {
  const { stack, emulator } = await stackOnService({ program: oneOfEach() });
  await runCoreScenario(stack, emulator);
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
  expect(httpsModules[`${httpsEdgeId}/${routeId}`]).toMatchObject({ deny: [stack.secret] });
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
