import type { IpPolicyRuleWire } from '../api/wire';

/** How to bring an existing rule under management, as a command to copy. */
export const importRuleCommand = (ipPolicyId: string, cidr: string): string =>
  `npx edge-policy import --policy ${ipPolicyId} --cidr ${cidr} --run`;

/** Names an existing rule without any text that could be secret. */
export const nameRule = (rule: IpPolicyRuleWire): string => `${rule.id} (${rule.action} ${rule.cidr})`;
