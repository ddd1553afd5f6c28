// What the service holds, as a review with --live reads it.
import type { Emulator } from '../../../emulator/src/index';
import type { ModuleType } from '../../../provider/src/resources/provider-reference';
import type { ServiceRule } from '../../../provider/src/rule/rule';
import type { ReviewedResource } from '../../../review/src';

export type Held = ReturnType<Emulator['state']>;

export const rulesOf = ({ rules }: Held): ServiceRule[] =>
  rules.map(({ id, cidr, action, ip_policy }) => ({
    ...{ id, cidr, action, ipPolicyId: ip_policy.id, createdAt: '2026-01-01T00:00:00Z', uri: '' },
  }));

export const modulesOf = ({ tcpModules, httpsModules }: Held): ReviewedResource[] => [
  ...Object.entries(tcpModules).map(([edgeId, { enabled, value }]) =>
    liveModule('TcpEdgeTrafficPolicyModule', edgeId, { edgeId, enabled, value }),
  ),
  ...Object.entries(httpsModules).map(([place, { enabled, allow, deny }]) => {
    const [edgeId, routeId] = place.split('/');
    return liveModule('HttpsEdgeRouteUserAgentFilterModule', place, {
      edgeId,
      routeId,
      enabled,
      allow,
      deny,
    });
  }),
];

const liveModule = (type: ModuleType, id: string, inputs: ReviewedResource['inputs']): ReviewedResource => ({
  ...{ origin: { urn: id, name: id, type }, inputs, outputs: {} },
});
