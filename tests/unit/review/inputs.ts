// Inputs of made-up resources.
/** Inputs of a rule of the policy `ipp_1`. */
export const rule = (cidr: string, action = 'allow', ipPolicyId = 'ipp_1') => ({ cidr, action, ipPolicyId });

/** Inputs of a set of the policy `ipp_1`, by the lines that check makes of its rules. */
export const setInputs = (lines: readonly string[], exclusive = false) => ({
  ...{ ipPolicyId: 'ipp_1', exclusive },
  rules: ['@rules', ...lines, ''].join('\n'),
});

/** What a preview shows of a value that the run decides, and of a secret. */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
export const SECRET = '[secret]';

/** The condition of a traffic rule that the address of the client is in a network. */
export const within = (cidr: string): string => `inCidrRange(conn.client_ip, '${cidr}')`;

/** A traffic rule that refuses whoever meets all of the conditions. */
export const denyIf = (...expressions: readonly string[]) => ({ expressions, actions: [{ type: 'deny' }] });

/** Inputs of the traffic policy of `edgtcp_1` with these rules in `inbound`. */
export const edgeInputs = (...inbound: readonly object[]) => ({
  ...{ edgeId: 'edgtcp_1', enabled: true },
  value: JSON.stringify({ inbound }),
});

/** Inputs of the user agent filter of a route. */
export const filterInputs = (deny: readonly string[], allow: readonly string[] = []) => ({
  ...{ edgeId: 'edghts_1', routeId: 'edghtsrt_1', enabled: true },
  ...{ allow, deny },
});
