import type { IpPolicyRuleWire } from '../api/wire';

/** How to bring an existing rule under management, as a command to copy. */
export const importRuleCommand = (ipPolicyId: string, cidr: string): string =>
  `npx edge-policy import --policy ${ipPolicyId} --cidr ${cidr} --run`;

/** What to add to a command of import where the program declares the resource already. */
export const DECLARED_ALREADY = 'add --name NAME with the name that the program declares it by';

/** Names an existing rule without any text that could be secret. */
export const nameRule = (rule: IpPolicyRuleWire): string => `${rule.id} (${rule.action} ${rule.cidr})`;
