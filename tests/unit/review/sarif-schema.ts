const text = { type: 'string', minLength: 1 };
const message = { type: 'object', required: ['text'], properties: { text }, additionalProperties: false };
const level = { enum: ['none', 'note', 'warning', 'error'] };
const positive = { type: 'integer', minimum: 1 };

/** An object of the format: what it must have, and what it may have of what the specification defines. */
const object = (
  required: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});

// §3.49 reportingDescriptor. The properties bag is where code scanning looks for a security severity.
const severity = { type: 'string', pattern: '^\\d+\\.\\d$' };
const tags = { type: 'array', items: text, uniqueItems: true };
const rule = object(
  { id: text },
  {
    ...{ shortDescription: message, help: message },
    defaultConfiguration: object({}, { level }),
    properties: object({}, { tags, 'security-severity': severity }),
  },
);

// §3.28 location, §3.29 physicalLocation, §3.30 region, §3.33 logicalLocation.
// §3.4.4: with a base, the URI is relative to it; `..` segments are refused by code scanning.
const uri = { type: 'string', pattern: '^(?!/|\\.\\.|[A-Za-z][A-Za-z0-9+.-]*:)[!-~]+$' };
const artifactLocation = object({ uri, uriBaseId: { const: 'SRCROOT' } });
const region = object({ startLine: positive }, { startColumn: positive });
const location = object(
  { physicalLocation: object({ artifactLocation }, { region }) },
  { logicalLocations: { type: 'array', items: object({ fullyQualifiedName: text }, { kind: text }) } },
);

// §3.27 result, §3.35 suppression.
const result = object(
  { message, ruleId: text, ruleIndex: { type: 'integer', minimum: 0 } },
  {
    level,
    locations: { type: 'array', items: location },
    partialFingerprints: { type: 'object', additionalProperties: text },
    baselineState: { enum: ['new', 'unchanged', 'updated', 'absent'] },
    suppressions: {
      type: 'array',
      items: object({ kind: { enum: ['inSource', 'external'] } }, { justification: text }),
    },
  },
);

// §3.20 invocation, §3.58 notification: what the tool has to say of its own run.
const invocation = object(
  { executionSuccessful: { type: 'boolean' } },
  { toolExecutionNotifications: { type: 'array', items: object({ message }, { level }) } },
);

const run = object(
  {
    tool: object({
      driver: object({ name: text }, { rules: { type: 'array', items: rule, uniqueItems: true } }),
    }),
    results: { type: 'array', items: result },
  },
  {
    invocations: { type: 'array', items: invocation },
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    originalUriBaseIds: { type: 'object', additionalProperties: object({}, { description: message }) },
  },
);

/** The part of SARIF 2.1.0 that a review writes, as a JSON schema: anything misspelt or misplaced is refused. */
export const sarifSchema = object(
  { version: { const: '2.1.0' }, runs: { type: 'array', items: run } },
  { $schema: { type: 'string', format: 'uri' } },
);
