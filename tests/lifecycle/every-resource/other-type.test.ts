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

test.each(hosts)(
  '%s host: a module whose create got no answer is of its type, and its update goes on',
  async (hostName) => {
    const scene = await startScene();
    const host = scene.newProcess({}, { host: hostName });
    const type = 'TcpEdgeTrafficPolicyModule';
    const inputs = await host.checked(type, samples[type]);
    const faults = [
      scene.emulator.fault({ method: 'PUT', kind: 'reset', when: 'after', times: 'always' }),
      scene.emulator.fault({ method: 'GET', kind: 'status', status: 500, nth: 2, times: 'always' }),
    ];
    const failure: unknown = await host
      .provider(type)
      .create(inputs)
      .catch((error: unknown) => error);
    for (const fault of faults) fault.remove();
    const { id, properties } = failure as { id: string; properties: Bag };
    const next = scene.newProcess({}, { host: hostName });
    const news = await next.checked(type, samples[type], inputs);
    expect(await next.provider(type).diff(id, properties, news)).toMatchObject({
      changes: true,
      replaces: [],
    });
    expect((await next.provider(type).update(id, properties, news)).outs).toMatchObject({
      value: news['value'],
    });
  },
);
