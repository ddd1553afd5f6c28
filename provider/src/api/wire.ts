/** The JSON of the service, field by field as sections 2 and 4 of its document name them. */

/** What a rule does with the sources it matches. */
export type RuleAction = 'allow' | 'deny';

/** A reference to another resource (section 2.2). */
export interface RefWire {
  readonly id: string;
  readonly uri: string;
}

/** An IP policy rule (section 2.1). Texts that are not set decode to absent, however the service writes that. */
export interface IpPolicyRuleWire {
  readonly id: string;
  readonly uri: string;
  readonly created_at: string;
  readonly description?: string;
  readonly metadata?: string;
  readonly cidr: string;
  readonly ip_policy: RefWire;
  readonly action: RuleAction;
}

/** Body of a create (section 4.1). */
export interface IpPolicyRuleCreateWire {
  readonly cidr: string;
  readonly ip_policy_id: string;
  readonly action: RuleAction;
  readonly description?: string;
  readonly metadata?: string;
}

/** Body of an update: the changed fields only, at least one; `""` clears a text. */
export interface IpPolicyRuleUpdateWire {
  readonly cidr?: string;
  readonly description?: string;
  readonly metadata?: string;
}

/** One page of the account's rules (section 2.3). */
export interface IpPolicyRuleListWire {
  readonly ip_policy_rules: readonly IpPolicyRuleWire[];
  readonly uri: string;
  readonly next_page_uri: string | null;
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
