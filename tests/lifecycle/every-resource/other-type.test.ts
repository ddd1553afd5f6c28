import { registry } from '../../../provider/src/resources/registry';
import type { Host, ResourceType } from '../../../provider/src/resources/provider-reference';
import { type Bag, startScene } from '../../support/host';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';

const samples: Readonly<Record<ResourceType, Bag>> = {
  IpPolicyRule: { ipPolicyId: policyId, cidr: '10.0.0.0/8', action: 'deny' },
  IpPolicyRuleSet: { ipPolicyId: policyId, rules: '[{"cidr":"10.1.0.0/16","action":"deny"}]' },
  TcpEdgeTrafficPolicyModule: { edgeId: tcpEdgeId, value: '{"inbound":[]}' },
  HttpsEdgeRouteUserAgentFilterModule: { edgeId: httpsEdgeId, routeId, deny: ['bot'] },
};
const types = Object.keys(registry) as ResourceType[];
const hosts: readonly Host[] = ['dynamic', 'native'];

test.each(hosts)(
  '%s host: a state of another type, which an alias has brought, is refused at the diff',
  async (hostName) => {
    const scene = await startScene();
    const host = scene.newProcess({}, { host: hostName });
    for (const from of types) {
      const { id, inputs, outs } = await host.create(from, samples[from]);
      for (const to of types.filter((type) => type !== from)) {
        const news = await host.checked(to, samples[to], inputs);
        await expect(host.provider(to).diff(id, outs, news)).rejects.toThrow(
          `An alias makes ${id}, a resource of another type, a resource of the type ${to}`,
        );
      }
    }
  },
);
