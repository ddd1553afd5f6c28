// What the compiler accepts and refuses in users' programs; `npm run types` fails where a line below stops being true.
import * as pulumi from '@pulumi/pulumi';
import {
  AccessAssertions,
  Action,
  getHttpsEdgeRouteUserAgentFilterModuleOutput,
  getIpPolicyRuleOutput,
  type GetIpPolicyRuleArgs,
  getIpPolicyRules,
  type GetTcpEdgeTrafficPolicyModuleResult,
  HttpsEdgeRouteUserAgentFilterModule,
  IpPolicyRule,
  IpPolicyRuleSet,
  type IpPolicyRuleSetRules,
  listIpPolicyRules,
  listIpPolicyRulesOutput,
  type TcpEdgeTrafficPolicyModuleArgs,
  type TrafficPolicy,
  type TrafficPolicyArgs,
} from '../../provider/src/index';

const text = pulumi.output('ipp_1');
const patterns: readonly string[] = ['(?i)nikto'];

export const accepted = [
  listIpPolicyRules(),
  listIpPolicyRulesOutput(),
  listIpPolicyRulesOutput({ ipPolicyId: text, action: 'allow' }).apply(([rule]) => rule?.createdAt),
  listIpPolicyRulesOutput({ action: Promise.resolve('deny' as const) }),
  getIpPolicyRuleOutput({ id: text }).cidr,
  getHttpsEdgeRouteUserAgentFilterModuleOutput({ edgeId: text, routeId: 'edghtsrt_1' }).deny,
  new HttpsEdgeRouteUserAgentFilterModule('filter', {
    edgeId: text,
    routeId: text,
    allow: patterns,
    deny: ['(?i)sqlmap', text],
  }),
];

const rule = {
  name: 'deny',
  expressions: [pulumi.interpolate`conn.client_ip == '${text}'`],
  actions: [{ type: text }],
};

/** The document of a policy may have outputs at every level. */
export const acceptedPolicies: TcpEdgeTrafficPolicyModuleArgs['value'][] = [
  '{}',
  text,
  { inbound: [rule] },
  { inbound: pulumi.output([rule]), outbound: undefined },
  { inbound: [Promise.resolve(rule), pulumi.output(rule)] },
  {
    inbound: [
      {
        ...rule,
        expressions: text.apply((known) => [known]),
        actions: [{ type: 'log', config: { to: text } }],
      },
    ],
  },
  pulumi.output<TrafficPolicy>({}),
  { inbound: undefined } satisfies TrafficPolicyArgs,
];

export const refusedPolicies: TcpEdgeTrafficPolicyModuleArgs['value'][] = [
  // @ts-expect-error -- a list of expressions, not one
  { inbound: [{ ...rule, expressions: text }] },
  // @ts-expect-error -- a rule has actions
  { inbound: [{ name: text, expressions: [] }] },
];

const component = new pulumi.ComponentResource('test:index:Site', 'site');

/** The options of functions are those of any provider's, also where the compiler tells an absent one from `undefined`. */
export const acceptedOptions = (invoke: pulumi.InvokeOptions, invokeOutput: pulumi.InvokeOutputOptions) => [
  listIpPolicyRules(
    {},
    { parent: component, provider: component.getProvider('edge-policy:index:IpPolicyRule') },
  ),
  listIpPolicyRules({}, invoke),
  getIpPolicyRuleOutput({ id: text }, { dependsOn: pulumi.output([component]) }),
  getHttpsEdgeRouteUserAgentFilterModuleOutput({ edgeId: text, routeId: text }, invokeOutput),
];

const maybe = Math.random() > 1 ? 'ipp_1' : undefined;
const unnamed: unknown = undefined;
const set = new IpPolicyRuleSet('set', { ipPolicyId: text, rules: [] });
const denied: Action = Action.Deny;

export const asOtherProvidersDo = [
  getIpPolicyRules({ ipPolicyId: maybe }),
  listIpPolicyRulesOutput({ ipPolicyId: maybe }),
  new IpPolicyRule('rule', { ipPolicyId: text, cidr: text, action: denied, description: maybe }),
  set.ruleList[0]?.cidr,
  (args: GetIpPolicyRuleArgs, found: GetTcpEdgeTrafficPolicyModuleResult) => [args.id, found.value],
  IpPolicyRule.isInstance(unnamed) ? unnamed.cidr : IpPolicyRule.__pulumiType,
  new AccessAssertions('access', {
    policies: [
      {
        ipPolicyId: text,
        mustAllow: [text, { feed: 'cloudflare' }],
        mustDeny: pulumi.output(['10.0.0.0/8']),
      },
    ],
    userAgentFilters: [{ edgeId: text, routeId: text, mustDeny: [null, text] }],
  }),
];

const networks = ['10.0.0.0/8', '192.0.2.0/24'];
const fromFile: Record<string, { action: 'allow' | 'deny'; description?: string }> = {};

export const acceptedRules: IpPolicyRuleSetRules[] = [
  [],
  {},
  networks.map((cidr) => ({ cidr, action: 'allow' })),
  Object.fromEntries(networks.map((cidr) => [cidr, { action: 'allow' as const }])),
  fromFile,
  pulumi.output(fromFile),
  Promise.resolve(networks.map((cidr) => ({ cidr, action: 'deny' as const, description: text }))),
  pulumi.output(networks).apply((known) => known.map((cidr) => ({ cidr, action: 'deny' as const }))),
  pulumi.output(networks).apply((known) => known.map((cidr) => ({ cidr, action: 'allow' }))),
  pulumi
    .output(networks)
    .apply((known) => Object.fromEntries(known.map((cidr) => [cidr, { action: 'allow' }]))),
  networks.map((each) => pulumi.output(each).apply((cidr) => ({ cidr, action: 'deny' }))),
  // As Pulumi writes a program after an import.
  [{ cidr: '192.0.2.7', action: Action.Deny }],
  { '2001:db8::/32': { action: Promise.resolve('allow' as const) } },
];

export const refused = [
  // @ts-expect-error -- no network
  new IpPolicyRuleSet('set', { ipPolicyId: text, rules: { office: { action: 'allow' } } }),
  // @ts-expect-error -- the text of the rules, whose first character it would be
  set.rules[0],
  // @ts-expect-error -- a misspelt condition would list the rules of all policies
  listIpPolicyRules({ ipPolicyID: 'ipp_1' }),
  // @ts-expect-error -- the same with outputs
  listIpPolicyRulesOutput({ ipPolicyID: text }),
  // @ts-expect-error -- an action is `allow` or `deny`
  listIpPolicyRulesOutput({ action: 'Allow' }),
  // @ts-expect-error -- a promise cannot wait for resources
  listIpPolicyRules({}, { dependsOn: component }),
  // @ts-expect-error -- the id is required
  getIpPolicyRuleOutput({}),
  // @ts-expect-error -- a list of patterns, not one
  new HttpsEdgeRouteUserAgentFilterModule('filter', { edgeId: text, routeId: text, deny: 'nikto' }),
];
