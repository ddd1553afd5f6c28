// With the option ignoreChanges the engine hands check what state holds: after a refresh, that is what others have made.
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import { type Bag, startScene } from '../../support/host';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';

const strange: readonly (readonly [type: ResourceType, name: string, inputs: Bag])[] = [
  ['IpPolicyRule', 'cidr', { ipPolicyId: policyId, action: 'allow', cidr: '10.0.0.1/8' }],
  [
    'IpPolicyRule',
    'description',
    { ipPolicyId: policyId, action: 'allow', cidr: '10.0.0.0/8', description: 'x'.repeat(256) },
  ],
  [
    'IpPolicyRuleSet',
    'rules',
    {
      ipPolicyId: policyId,
      exclusive: true,
      rules: '@rules\n10.0.0.0/8: allow\n10.0.0.0/8 (duplicate 2): deny\n',
    },
  ],
  [
    'IpPolicyRuleSet',
    'rules',
    { ipPolicyId: policyId, exclusive: true, rules: `@rules\n"'not a network: all'": allow\n` },
  ],
  ['TcpEdgeTrafficPolicyModule', 'value', { edgeId: tcpEdgeId, enabled: true, value: '{"inbound":[{}]}' }],
  [
    'HttpsEdgeRouteUserAgentFilterModule',
    'deny',
    { edgeId: httpsEdgeId, routeId, enabled: true, allow: [], deny: ['('] },
  ],
];

test.each(strange)(
  'check: %s, a %s that no program may declare is not judged again while it is that of state',
  async (type, name, inputs) => {
    const provider = (await startScene()).newProcess().provider(type);
    expect(await provider.check(inputs, inputs)).toEqual({ inputs, failures: [] });
    expect((await provider.check({}, inputs)).failures.join()).toContain(name);
    const { [name]: _value, ...others } = inputs;
    expect((await provider.check(others, inputs)).failures).not.toEqual([]);
  },
);

test('update: several rules of one network that state holds stay, and none is made a second time', async () => {
  const scene = await startScene();
  scene.emulator.setSwitches({ duplicateCidr: 'accepted' });
  const sets = scene.newProcess().provider('IpPolicyRuleSet');
  const declared = { ipPolicyId: policyId, exclusive: true, rules: '@rules\n10.0.0.0/8: allow\n' };
  const { id, outs } = await sets.create(declared);
  scene.emulator.remote.createRule({ ip_policy_id: policyId, action: 'deny', cidr: '10.0.0.0/8' });
  const { props, inputs } = await scene.newProcess().provider('IpPolicyRuleSet').read(id, outs);
  const before = scene.emulator.state().rules;
  const news = { ...inputs, exclusive: false };
  const updated = await scene.newProcess().provider('IpPolicyRuleSet').update(id, props, news);
  expect(updated.outs['rules']).toBe(props['rules']);
  expect(scene.emulator.state().rules).toEqual(before);
});
