import { identifierPattern, RULE_ID_PATTERN } from '../identifiers';
import { byText, RULE_TEXTS } from '../store/stored-rule';
import { moduleSchemas } from './modules';

const UNSET_TEXT = 'Absent, empty or null when not set, by the switch unsetText.';

// Constraints that a schema cannot express have a format of their own, for which tools that generate requests can be given a
// generator.
const cidr = {
  type: 'string',
  format: 'cidr',
  minLength: 2,
  description: 'An IPv4 or IPv6 range in CIDR notation.',
};

const givenTexts = byText((_name, maxLength) => ({
  type: 'string',
  maxLength,
  description: `At most ${maxLength} bytes of UTF-8.`,
}));

/** The schemas of section 2 of the document. Answers may contain more fields than these; requests may not. */
export const schemas = {
  Ref: {
    type: 'object',
    required: ['id', 'uri'],
    properties: {
      id: { type: 'string', pattern: '^ipp_' },
      uri: { type: 'string' },
    },
  },
  IpPolicyRule: {
    type: 'object',
    required: ['id', 'uri', 'created_at', 'cidr', 'ip_policy', 'action'],
    properties: {
      id: { type: 'string', pattern: RULE_ID_PATTERN },
      uri: { type: 'string' },
      created_at: {
        type: 'string',
        description: 'RFC 3339.',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
      },
      ...byText((_name, maxLength) => ({ type: ['string', 'null'], maxLength, description: UNSET_TEXT })),
      cidr: { type: 'string', minLength: 3 },
      ip_policy: { $ref: '#/components/schemas/Ref' },
      action: { enum: ['allow', 'deny'] },
    },
  },
  IpPolicyRuleCreate: {
    type: 'object',
    required: ['cidr', 'ip_policy_id', 'action'],
    additionalProperties: false,
    properties: {
      ...givenTexts,
      cidr,
      ip_policy_id: { type: 'string', pattern: identifierPattern('ipp') },
      action: { enum: ['allow', 'deny'] },
    },
  },
  IpPolicyRuleUpdate: {
    type: 'object',
    additionalProperties: false,
    description: `At least one of ${RULE_TEXTS.join(', ')} and cidr. An empty text clears the field.`,
    properties: {
      id: { type: 'string', description: 'The identifier of the path.' },
      ...givenTexts,
      cidr,
    },
  },
  IpPolicyRuleList: {
    type: 'object',
    required: ['ip_policy_rules', 'uri', 'next_page_uri'],
    properties: {
      ip_policy_rules: { type: 'array', items: { $ref: '#/components/schemas/IpPolicyRule' } },
      uri: { type: 'string' },
      next_page_uri: {
        type: ['string', 'null'],
        description: 'Absolute or relative, by the switch nextPageUri; null on the last page.',
      },
    },
  },
  ...moduleSchemas,
  NoModule: {
    description: 'What a GET of a missing module answers in two positions of the switch missingModuleOnGet.',
    anyOf: [{ type: 'null' }, { type: 'object', maxProperties: 0 }],
  },
  Error: {
    type: 'object',
    required: ['status_code', 'msg'],
    properties: {
      error_code: { type: 'string', description: 'May be missing.' },
      status_code: { type: 'integer', minimum: 400, maximum: 599 },
      msg: { type: 'string' },
      details: {
        type: 'object',
        required: ['operation_id'],
        properties: { operation_id: { type: 'string', pattern: '^op_[0-9A-Za-z]{27}$' } },
      },
    },
  },
};
