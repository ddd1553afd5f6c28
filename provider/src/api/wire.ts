// What the service answers (sections 2 and 4 of its document). Rules are told in `rule/rule.ts`.
import type { ServiceRule } from '../rule/rule';

/** One page of the account's rules (section 2.3). */
export interface RulePage {
  readonly rules: readonly ServiceRule[];
  readonly nextPageUri: string | null;
}

/** The traffic policy module of a TCP edge (section 2.4): answer, and body of a replace. */
export interface TcpEdgeTrafficPolicyModuleWire {
  readonly enabled: boolean;
  readonly value: string;
}

/** The user agent filter module of an HTTPS edge route (section 2.5): answer, and body of a replace. */
export interface HttpsEdgeRouteUserAgentFilterModuleWire {
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Where a user agent filter module is attached. */
export interface HttpsEdgeRouteRef {
  readonly edgeId: string;
  readonly routeId: string;
}
