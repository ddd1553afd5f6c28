import { json, responses } from './responses';

/** The framework reads a body of DELETE before the service refuses or ignores it. */
const deletion = responses({ 204: { description: 'Done; no body.' } }, [404, 413, 415]);

const id = (name: string, prefix: string, description: string): object => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern: `^${prefix}_[A-Za-z0-9_-]{1,128}$` },
});

const body = (content: object): object => ({ required: true, content });

const ruleId = id('id', 'ipr', 'Identifier of the rule.');

/** Where the rule that was just made is found, for tools that follow links. */
const linksToRule = Object.fromEntries(
  ['getIpPolicyRule', 'updateIpPolicyRule', 'deleteIpPolicyRule'].map((operationId) => [
    operationId,
    { operationId, parameters: { id: '$response.body#/id' } },
  ]),
);

const rules = {
  parameters: [],
  post: {
    operationId: 'createIpPolicyRule',
    requestBody: body(json('IpPolicyRuleCreate')),
    responses: responses(
      { 201: { description: 'The new rule.', content: json('IpPolicyRule'), links: linksToRule } },
      [404, 409, 413, 415, 422],
    ),
  },
  get: {
    operationId: 'listIpPolicyRules',
    parameters: [
      {
        name: 'before_id',
        in: 'query',
        description: 'Continues after this rule, in the order of the list.',
        schema: { type: 'string', minLength: 1 },
      },
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
    ],
    responses: responses(
      { 200: { description: 'A page of the rules.', content: json('IpPolicyRuleList') } },
      [],
    ),
  },
};

const rule = {
  parameters: [ruleId],
  get: {
    operationId: 'getIpPolicyRule',
    responses: responses({ 200: { description: 'The rule.', content: json('IpPolicyRule') } }, [404]),
  },
  patch: {
    operationId: 'updateIpPolicyRule',
    requestBody: body(json('IpPolicyRuleUpdate')),
    responses: responses(
      { 200: { description: 'The rule as it is now.', content: json('IpPolicyRule') } },
      [404, 409, 413, 415],
    ),
  },
  delete: { operationId: 'deleteIpPolicyRule', responses: deletion },
};

const tcpModule = {
  parameters: [id('id', 'edgtcp', 'Identifier of the TCP edge.')],
  put: {
    operationId: 'replaceTcpEdgeTrafficPolicyModule',
    requestBody: body(json('TcpEdgeTrafficPolicyModuleReplace')),
    responses: responses(
      { 200: { description: 'The stored module.', content: json('TcpEdgeTrafficPolicyModule') } },
      [404, 413, 415, 422],
    ),
  },
  get: {
    operationId: 'getTcpEdgeTrafficPolicyModule',
    responses: responses(
      { 200: { description: 'The module.', content: json('TcpEdgeTrafficPolicyModule', 'NoModule') } },
      [404],
    ),
  },
  delete: { operationId: 'deleteTcpEdgeTrafficPolicyModule', responses: deletion },
};

const httpsModule = {
  parameters: [
    id('edge_id', 'edghts', 'Identifier of the HTTPS edge.'),
    id('id', 'edghtsrt', 'Identifier of the route.'),
  ],
  put: {
    operationId: 'replaceHttpsEdgeRouteUserAgentFilterModule',
    requestBody: body(json('HttpsEdgeRouteUserAgentFilterModuleReplace')),
    responses: responses(
      { 200: { description: 'The stored module.', content: json('HttpsEdgeRouteUserAgentFilterModule') } },
      [404, 413, 415, 422],
    ),
  },
  get: {
    operationId: 'getHttpsEdgeRouteUserAgentFilterModule',
    responses: responses(
      {
        200: { description: 'The module.', content: json('HttpsEdgeRouteUserAgentFilterModule', 'NoModule') },
      },
      [404],
    ),
  },
  delete: { operationId: 'deleteHttpsEdgeRouteUserAgentFilterModule', responses: deletion },
};

/** The 11 operations of section 4 of the document. */
export const paths = {
  '/ip_policy_rules': rules,
  '/ip_policy_rules/{id}': rule,
  '/edges/tcp/{id}/traffic_policy': tcpModule,
  '/edges/https/{edge_id}/routes/{id}/user_agent_filter': httpsModule,
};
