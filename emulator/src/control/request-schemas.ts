import { PAGING_VARIANTS } from '../faults/fault';
import { parentKinds } from '../identifiers';
import { schemasOf } from '../routes/module-kind';
import { moduleKind, type ModuleName, moduleNames } from '../routes/modules';
import { byText } from '../store/stored-rule';

type Schema = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const strings = { type: 'array', items: string };
const boolean = { type: 'boolean' };
const positive = { type: 'integer', minimum: 1 };
const anything = {};

function object(properties: Record<string, Schema>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

const mapOf = (items: Schema): Schema => ({ type: 'object', additionalProperties: items });

const visibleAscii = { type: 'string', pattern: '^[\\x21-\\x7e]+$' };

export const issuedKey = object({ key: visibleAscii }, ['key']);
export const revokedKey = object({ key: string }, ['key']);

const ruleFields = {
  cidr: string,
  ip_policy_id: string,
  action: { enum: ['allow', 'deny'] },
  ...byText(() => string),
  created_at: string,
};

export const ruleSeed = object({ id: string, ...ruleFields }, ['cidr', 'ip_policy_id', 'action']);
export const ruleEdit = object(ruleFields);

/** A module as stored, with all fields. */
export function module(name: ModuleName): Schema {
  const properties = schemasOf(moduleKind(name));
  return object(properties, Object.keys(properties));
}

export const seed = object({
  ...Object.fromEntries(parentKinds.map((kind) => [kind, strings])),
  rules: { type: 'array', items: ruleSeed },
  ...Object.fromEntries(moduleNames.map((name) => [name, mapOf(module(name))])),
});

const target = {
  method: string,
  path: { anyOf: [string, object({ pattern: string }, ['pattern'])] },
  nth: positive,
};

const ofFault = {
  ...target,
  times: { anyOf: [positive, { const: 'always' }] },
  when: { enum: ['before', 'after'] },
};

function kind(name: string, fields: Record<string, Schema> = {}, required: readonly string[] = []): Schema {
  return object({ kind: { const: name }, ...ofFault, ...fields }, ['kind', ...required]);
}

const status = { type: 'integer', minimum: 200, maximum: 999 };
const size = { sizeBytes: { type: 'integer', minimum: 0 } };
const headers = mapOf({ anyOf: [string, strings] });

/** A fault as data: the union of `faults/fault.ts` without the parts that only a program can pass. */
export const fault: Schema = {
  type: 'object',
  discriminator: { propertyName: 'kind' },
  required: ['kind'],
  oneOf: [
    kind('reset'),
    kind('close'),
    kind('timeout'),
    kind(
      'status',
      { status, body: anything, rawBody: string, contentType: string, headers, echo: boolean, ...size },
      ['status'],
    ),
    kind(
      'cut',
      { framing: { enum: ['length', 'chunked', 'close'] }, bytes: { type: 'integer', minimum: 0 } },
      ['framing'],
    ),
    kind('mutate', { set: mapOf(anything), remove: strings, rawBody: string, contentType: string, status }),
    kind('other-object'),
    kind('drip', { bytes: positive, intervalMs: positive }),
    kind('huge-body', size),
    kind('gzip-bomb', size),
    kind('header-overflow', size),
    kind('paging', { variant: { enum: PAGING_VARIANTS }, url: string }, ['variant']),
  ],
};
