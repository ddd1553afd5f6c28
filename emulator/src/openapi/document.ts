// What for: the OpenAPI description of the emulated service, written by hand.
// Must not know: the routes: a test compares the two.
import { errorResponses, body, deletion, idParameter, json, responses } from './responses';
import { schemas } from './schemas';
import { RULE_ID_PATTERN } from '../identifiers';
import { modulePaths } from './modules';

/** The OpenAPI 3.1 description of the emulated service, written by hand, covering every position of the switches. */
export function openApiDocument(place: { url: string; versionHeader: string }): object {
  const versionHeader = { $ref: '#/components/parameters/Version' };
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Edge policy management service',
      version: '2',
      description:
        'IP policy rules, the traffic policy module of a TCP edge and the user agent filter module of an HTTPS ' +
        'edge route, as the emulator serves them.',
    },
    servers: [{ url: place.url }],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, withParameter(item, versionHeader)]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      parameters: {
        Version: { name: place.versionHeader, in: 'header', required: true, schema: { const: '2' } },
      },
      responses: errorResponses,
      schemas,
    },
  };
}

function withParameter(item: { parameters?: readonly object[] }, parameter: object): object {
  return { ...item, parameters: [parameter, ...(item.parameters ?? [])] };
}

const ruleId = idParameter('id', { name: 'rule', form: new RegExp(RULE_ID_PATTERN) });

/** Links a created rule to its operations, for tools that follow links. */
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
      {
        name: 'offset',
        in: 'query',
        description: 'Continues after so many rules, in the order of the list.',
        schema: { type: 'string', pattern: '^[0-9]{1,7}!?$' },
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

/** The operations of section 4 of the document. */
const paths = {
  '/ip_policy_rules': rules,
  '/ip_policy_rules/{id}': rule,
  ...modulePaths,
};
