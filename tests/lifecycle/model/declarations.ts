import type { Bag } from '../../support/host';
import { httpsEdgeId, otherRouteId, otherTcpEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import type { Declaration } from '../../support/stand-in-engine';
import type { Slot } from './steps';

const pick = <T>(choices: readonly [T, ...T[]], variant: number): T =>
  choices[variant % choices.length] ?? choices[0];

const rule = (cidrs: readonly [string, ...string[]], variant: number): Bag => ({
  cidr: pick(cidrs, variant),
  // Another action replaces the rule under the same CIDR.
  action: pick(['allow', 'allow', 'deny'], variant),
  ipPolicyId: policyId,
  ...pick<Bag>(
    [{}, { description: 'ours' }, { description: 'ours', metadata: '{"v":1}' }],
    Math.floor(variant / 2),
  ),
});

const policy = (name: string): string =>
  JSON.stringify({ inbound: [{ name, expressions: ['true'], actions: [{ type: 'deny' }] }] });

/** What a program writes into a slot, in one of six ways. */
export function declarationOf(slot: Slot, variant: number, name: string): Declaration {
  switch (slot) {
    // Alike in every way: where the service accepts it, two rules that only their ids tell apart.
    case 'rule':
    case 'twin-rule':
      return { type: 'IpPolicyRule', name, inputs: rule(['10.0.0.0/8', '10.0.0.0/9'], variant) };
    case 'other-rule':
      return { type: 'IpPolicyRule', name, inputs: rule(['2001:db8::/32', '192.0.2.0/24'], variant) };
    case 'policy':
      return {
        type: 'TcpEdgeTrafficPolicyModule',
        name,
        inputs: {
          edgeId: pick([tcpEdgeId, tcpEdgeId, otherTcpEdgeId], variant),
          value: policy(`policy ${variant}`),
          enabled: variant % 2 === 0,
          // After a rename, what somebody else has changed meanwhile would not be overwritten unasked.
          overwriteExisting: true,
        },
      };
    case 'filter':
      return {
        type: 'HttpsEdgeRouteUserAgentFilterModule',
        name,
        inputs: {
          edgeId: httpsEdgeId,
          routeId: pick([routeId, routeId, otherRouteId], variant),
          deny: pick([['bad.*bot'], ['bad.*bot', 'worse'], []], variant),
          allow: pick([[], ['good']], variant),
        },
      };
  }
}
