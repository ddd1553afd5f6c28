// With the option ignoreChanges the engine hands check what state holds: after a refresh, that is what others have made.
import { withoutService } from '../../../provider/src/fields/field';
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import { type Bag, startScene } from '../../support/host';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';

const rule = { ipPolicyId: policyId, action: 'allow', cidr: '10.0.0.0/8' };
const setOf = (line: string) => ({ ipPolicyId: policyId, exclusive: true, rules: `@rules\n${line}` });
const twice = setOf('10.0.0.0/8: allow\n10.0.0.0/8 (duplicate 2): deny\n');
const policy = { edgeId: tcpEdgeId, enabled: true, value: '{"inbound":[{}]}' };
const filter = { edgeId: httpsEdgeId, routeId, enabled: true, allow: [], deny: ['('] };

test.each<[type: ResourceType, name: string, inputs: Bag]>([
  ['IpPolicyRule', 'cidr', { ...rule, cidr: '10.0.0.1/8' }],
  ['IpPolicyRule', 'description', { ...rule, description: 'x'.repeat(256) }],
  ['IpPolicyRuleSet', 'rules', twice],
  ['IpPolicyRuleSet', 'rules', setOf(`"'not a network: all'": allow\n`)],
  ['TcpEdgeTrafficPolicyModule', 'value', policy],
  ['HttpsEdgeRouteUserAgentFilterModule', 'deny', filter],
])(
  'check: %s, a %s that no program may declare is not judged again while it is that of state',
  async (type, name, inputs) => {
    const provider = (await startScene()).newProcess().provider(type);
    const checked = await provider.check(inputs, inputs);
    expect({ ...checked, inputs: withoutService(checked.inputs) }).toEqual({ inputs, failures: [] });
    expect((await provider.check({}, inputs)).failures.join()).toContain(name);
    const { [name]: _value, ...others } = inputs;
    expect((await provider.check(others, inputs)).failures).not.toEqual([]);
  },
);

test('update: several rules of one network that state holds stay, and none is made a second time', async () => {
  const scene = await startScene({ switches: { duplicateCidr: 'accepted' } });
  const sets = scene.newProcess().provider('IpPolicyRuleSet');
  const { id, outs } = await sets.create(setOf('10.0.0.0/8: allow\n'));
  scene.emulator.remote.createRule({ ip_policy_id: policyId, action: 'deny', cidr: '10.0.0.0/8' });
  const { props, inputs } = await scene.newProcess().provider('IpPolicyRuleSet').read(id, outs);
  const before = scene.emulator.state().rules;
  const news = { ...inputs, exclusive: false };
  const updated = await scene.newProcess().provider('IpPolicyRuleSet').update(id, props, news);
  expect(updated.outs['rules']).toBe(props['rules']);
  expect(scene.emulator.state().rules).toEqual(before);
});
