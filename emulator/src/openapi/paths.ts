import { identifierPattern } from '../identifiers';
import { modulePaths } from './modules';
import { body, deletion, idParameter, json, responses } from './responses';

const ruleId = idParameter('id', { name: 'rule', form: new RegExp(identifierPattern('ipr')) });

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
export const paths = {
  '/ip_policy_rules': rules,
  '/ip_policy_rules/{id}': rule,
  ...modulePaths,
};
