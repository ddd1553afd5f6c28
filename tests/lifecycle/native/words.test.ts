import { wordsFor } from '../../../provider/src/hosts/native/language-words';
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { calls } from '../../support/native-calls';
import { type Bag, keptBy, NativePlugin } from '../../support/native-plugin';

const python = () => NativePlugin.configured({}, undefined, wordsFor('python'));

const create = async (plugin: NativePlugin, type: ResourceType, news: Bag) => {
  const { inputs = {} } = await calls(plugin, type).check(news);
  return calls(plugin, type).create(inputs);
};

test('a set of a Python program: says once for several failures what to do in Python', async () => {
  const plugin = await python();
  const cidrs = ['10.0.0.0/8', '192.0.2.0/24', '198.51.100.0/24'];
  plugin.emulator.seed({
    rules: cidrs.slice(1).map((cidr) => ({ cidr, action: 'allow' as const, ip_policy_id: policyId })),
  });
  const inputs = { ipPolicyId: policyId, rules: cidrs.map((cidr) => ({ cidr, action: 'deny' })) };
  const error: unknown = await create(plugin, 'IpPolicyRuleSet', inputs).catch((e: unknown) => e);
  const reasons = keptBy(error)?.reasonsList.join('\n') ?? '';
  expect(reasons.match(/otherwise set overwrite_existing=True/g)).toHaveLength(1);
  expect(reasons.match(/being replaced, set the option delete_before_replace=True/g)).toHaveLength(1);
  expect(reasons).not.toMatch(/npx|overwriteExisting/);
});

test.each([
  ['TcpEdgeTrafficPolicyModule', { edgeId: tcpEdgeId, value: '{"inbound":[]}' }],
  ['HttpsEdgeRouteUserAgentFilterModule', { edgeId: httpsEdgeId, routeId, deny: ['wget'] }],
] as const)('a %s of a Python program that is there with other content', async (type, inputs) => {
  const plugin = await python();
  const value =
    '{"inbound":[{"name":"a","expressions":["conn.client_ip == \'192.0.2.1\'"],"actions":[{"type":"deny"}]}]}';
  plugin.emulator.remote.modules('tcpModules').set(tcpEdgeId, { enabled: true, value });
  const filter = { enabled: true, allow: [], deny: ['curl'] };
  plugin.emulator.remote.modules('httpsModules').set(`${httpsEdgeId}/${routeId}`, filter);
  await expect(create(plugin, type, inputs)).rejects.toMatchObject({
    details: expect.stringMatching(
      new RegExp(
        `pulumi import edge-policy:index:${type} NAME .*. To replace it, set overwrite_existing=True`,
      ),
    ) as string,
  });
});

test('an exclusive set of a Python program that meets the rules of others', async () => {
  const plugin = await python();
  plugin.emulator.seed({ rules: [{ cidr: '10.0.0.0/8', action: 'allow', ip_policy_id: policyId }] });
  const inputs = { ipPolicyId: policyId, rules: [{ cidr: '192.0.2.0/24', action: 'deny' }], exclusive: true };
  await expect(create(plugin, 'IpPolicyRuleSet', inputs)).rejects.toMatchObject({
    details: expect.stringMatching(/set overwrite_existing=True: .*set exclusive=False/) as string,
  });
});

test('check: the path of a failure is the name in the language of the program', async () => {
  const plugin = await python();
  const news = { edgeId: httpsEdgeId, routeId: 'edghts_1', rule: 1 };
  const { failures } = await calls(plugin, 'HttpsEdgeRouteUserAgentFilterModule').check(news);
  expect(failures.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^route_id: /) as string,
    'rule: is not a property of this resource (its properties: edge_id, route_id, enabled, allow, deny, overwrite_existing)',
  ]);
});
