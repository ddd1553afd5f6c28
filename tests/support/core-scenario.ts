import type { Emulator } from '../../emulator/src/index';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from './ids';
import { literal, program } from './programs';
import type { PulumiStack } from './pulumi-stack';
import { ownResources } from './stack-state';

interface Edited {
  readonly cidr?: string;
  readonly action?: string;
  readonly address?: string;
  readonly deny?: readonly string[];
}

/** A program with one of each resource. */
export const oneOfEach = ({
  cidr = '10.0.0.0/8',
  action = 'deny',
  address = '192.0.2.1',
  deny = ['curl'],
}: Edited = {}) => {
  const policy = {
    inbound: [{ name: 'one', expressions: [`conn.client_ip == '${address}'`], actions: [{ type: 'deny' }] }],
  };
  return program(`
    new IpPolicyRule('rule', ${literal({ cidr, action, ipPolicyId: policyId, description: 'core' })});
    new IpPolicyRuleSet('set', { ipPolicyId: '${otherPolicyId}', rules: ${literal([{ cidr: address, action: 'allow' }])} });
    new TcpEdgeTrafficPolicyModule('policy', { edgeId: '${tcpEdgeId}', value: ${literal(policy)} });
    new HttpsEdgeRouteUserAgentFilterModule('filter', {
      edgeId: '${httpsEdgeId}', routeId: '${routeId}', deny: ${literal(deny)},
    });
    return {};
  `);
};

/**
 * The life of one of each resource in few calls: create, update in place, drift, replace, an empty preview, destroy. The stack's
 * program is `oneOfEach()`.
 */
export async function runCoreScenario(stack: PulumiStack, emulator: Emulator): Promise<void> {
  const rules = () => emulator.state().rules.filter(({ ip_policy }) => ip_policy.id === policyId);
  expect((await stack.up()).changes).toEqual({ create: 4 });
  const [created] = rules();

  stack.writeProgram(oneOfEach({ cidr: '10.0.0.0/9', address: '192.0.2.2', deny: ['wget'] }));
  expect((await stack.up()).changes).toEqual({ update: 4 });
  expect(rules()).toMatchObject([{ id: created?.id, cidr: '10.0.0.0/9' }]);

  emulator.remote.updateRule(created?.id ?? '', { description: 'theirs' });
  emulator.remote.modules('tcpModules').delete(tcpEdgeId);
  emulator.remote
    .modules('httpsModules')
    .set(`${httpsEdgeId}/${routeId}`, { enabled: false, allow: [], deny: ['wget'] });
  await stack.refresh();
  expect(ownResources(await stack.state())).toHaveLength(3);
  stack.writeProgram(
    oneOfEach({ cidr: '10.0.0.0/9', address: '192.0.2.2', deny: ['wget'], action: 'allow' }),
  );
  expect((await stack.up()).changes).toEqual({ create: 1, update: 1, replace: 1 });
  const { tcpModules, httpsModules } = emulator.state();
  expect(rules()).toMatchObject([{ action: 'allow', description: 'core' }]);
  expect(Object.keys(tcpModules)).toEqual([tcpEdgeId]);
  expect(Object.values(httpsModules)).toEqual([{ enabled: true, allow: [], deny: ['wget'] }]);
  await stack.expectEmptyPreview();

  await stack.destroy();
  expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {}, httpsModules: {} });
}
