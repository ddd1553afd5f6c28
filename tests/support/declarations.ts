import type { Bag } from './host-process';
import { policyId } from './ids';
import type { Declaration } from './stand-in-engine/entry';

/** A rule of a program. */
export const declaredRule = (name: string, inputs: Bag = {}): Declaration => ({
  ...{ type: 'IpPolicyRule', name },
  inputs: { cidr: '192.0.2.0/24', action: 'deny', ipPolicyId: policyId, ...inputs },
});

/** A set of a program. @param rules A list, or a map from CIDR to the rest. */
export const declaredSet = (name: string, rules: object, options: Bag = {}): Declaration => ({
  ...{ type: 'IpPolicyRuleSet', name },
  inputs: { ipPolicyId: policyId, rules: JSON.stringify(rules), ...options },
});
