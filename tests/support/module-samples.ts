import { moduleIdOf } from '../../provider/src/resources/module-kind';
import { allModuleKinds } from '../../provider/src/resources/modules';
import type { ModuleType, ResourceType } from '../../provider/src/resources/provider-reference';
import type { Bag } from './host';
import { httpsEdgeId, otherRouteId, otherTcpEdgeId, policyId, routeId, tcpEdgeId } from './ids';

/** What the tests of every module declare. A new kind is an entry. */
interface ModuleSample {
  /** All that is required, and some content; a text goes into it where the module holds texts of the user. */
  readonly inputs: (text: string) => Bag;
  /** A change of the content, and nothing that replaces the module. */
  readonly change: (text: string) => Bag;
  /** What puts it somewhere else. */
  readonly elsewhere: Bag;
}

const policy = (name: string): string =>
  JSON.stringify({
    inbound: [{ name, expressions: ["conn.client_ip == '192.0.2.1'"], actions: [{ type: 'deny' }] }],
  });

const samples: Readonly<Record<ModuleType, ModuleSample>> = {
  TcpEdgeTrafficPolicyModule: {
    inputs: (text) => ({ edgeId: tcpEdgeId, value: policy(text) }),
    change: (text) => ({ value: policy(`${text} again`), enabled: false }),
    elsewhere: { edgeId: otherTcpEdgeId },
  },
  HttpsEdgeRouteUserAgentFilterModule: {
    inputs: () => ({ edgeId: httpsEdgeId, routeId, deny: ['bad.*bot'] }),
    change: () => ({ deny: ['bad.*bot', 'worse'], allow: ['good'] }),
    elsewhere: { routeId: otherRouteId },
  },
};

/** Every kind of module with what the tests declare of it, and the id of that. */
export const moduleSamples = allModuleKinds().map((kind) => {
  const sample = samples[kind.type];
  const inputs = sample.inputs('sample');
  const id = moduleIdOf(kind, inputs) ?? '';
  return { kind, type: kind.type, id, ...sample };
});

/** A declaration of each type of resource. */
export const declaredSamples = new Map<ResourceType, Bag>([
  ['IpPolicyRule', { ipPolicyId: policyId, cidr: '10.0.0.0/8', action: 'deny' }],
  ['IpPolicyRuleSet', { ipPolicyId: policyId, rules: '[{"cidr":"10.1.0.0/16","action":"deny"}]' }],
  ...moduleSamples.map(({ type, inputs }) => [type, inputs('sample')] as const),
]);
