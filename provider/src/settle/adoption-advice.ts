/** How to bring an existing rule under management, as a command to copy. */
export const importRuleCommand = (ipPolicyId: string, cidr: string): string =>
  `npx edge-policy import --policy ${ipPolicyId} --cidr ${cidr} --run`;

/** The same for the modules of an edge and of a route, and for all rules of a policy as one set. */
export const importEdgeCommand = (edgeId: string): string =>
  `npx edge-policy import --tcp-edge ${edgeId} --run`;
export const importRouteCommand = (id: string): string => `npx edge-policy import --route ${id} --run`;
export const importSetCommand = (ipPolicyId: string): string =>
  `npx edge-policy import --policy ${ipPolicyId} --as set --run`;

/** How to see what a policy holds. */
export const lookFirst = (ipPolicyId: string): string =>
  `Run "npx edge-policy list --policy ${ipPolicyId}" before the next up.`;

/** What to add to a command of import where the program declares the resource already. */
export const DECLARED_ALREADY = 'add --name NAME with the name that the program declares it by';
