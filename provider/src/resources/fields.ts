import type { Field, FieldType, Parsed, TypeSpec } from '../lifecycle/fields';
import { containsUnknown, UNKNOWN } from '../lifecycle/unknowns';
import { checkAction } from '../values/action';
import { parseCidr, sameCidr } from '../values/cidr';
import { checkIdentifier, type IdentifierKind } from '../values/identifiers';
import { checkPolicyDocument, samePolicyDocument } from '../values/policy-document';
import { policyJson, policyLines } from '../values/policy-text';
import { byteLimitProblem } from '../values/text-limits';
import { checkPattern, keepPlaces, samePatternList } from '../values/user-agent-pattern';

type FieldShape<T> = Pick<Field<T>, 'type' | 'parse' | 'isSame' | 'beside'>;

const both = (spec: TypeSpec): FieldType => ({ input: spec, output: spec });
const textType = both({ type: 'string' });

const isEqual = <T>(left: T, right: T): boolean => left === right;

const refused = (reason: string): Parsed<never> => ({ failures: [{ reason }] });

/** Parses a text; anything else is refused by its type alone, as the value could be secret. */
const text =
  <T>(parse: (value: string) => Parsed<T>) =>
  (value: unknown): Parsed<T> =>
    typeof value === 'string' ? parse(value) : refused(`must be a string, not ${typeName(value)}`);

const typeName = (value: unknown): string =>
  Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;

/** A network in CIDR notation, equal by network and not by text. */
export const cidrField: FieldShape<string> = {
  type: textType,
  parse: text((value) => {
    const parsed = parseCidr(value);
    return parsed.ok ? { value: parsed.cidr.text } : refused(parsed.reason);
  }),
  isSame: sameCidr,
};

/** What a rule does: `allow` or `deny`. */
export const actionField: FieldShape<'allow' | 'deny'> = {
  type: both({ $ref: '#/types/edge-policy:index:Action' }),
  parse: text((value) => {
    const problem = checkAction(value);
    return problem === undefined ? { value: value as 'allow' | 'deny' } : refused(problem);
  }),
  isSame: isEqual,
};

/** An identifier of the service, told by its prefix. */
export const identifierField = (kind: IdentifierKind): FieldShape<string> => ({
  type: textType,
  parse: text((value) => {
    const problem = checkIdentifier(value, kind);
    return problem === undefined ? { value } : refused(problem);
  }),
  isSame: isEqual,
});

/** An optional text of at most so many bytes of UTF-8; the empty text is the same as none. */
export const limitedTextField = (
  limitBytes: number,
): FieldShape<string> & Pick<Field<string>, 'isAbsentWhenEmpty'> => ({
  type: textType,
  isAbsentWhenEmpty: true,
  parse: text((value) => {
    const problem = byteLimitProblem(value, limitBytes);
    return problem === undefined ? { value } : refused(problem);
  }),
  isSame: isEqual,
});

/** An on/off switch. */
export const booleanField: FieldShape<boolean> = {
  type: both({ type: 'boolean' }),
  parse: (value) =>
    typeof value === 'boolean' ? { value } : refused(`must be true or false, not ${typeName(value)}`),
  isSame: isEqual,
};

const policyText = text((value) => ({
  value: policyLines(value),
  ...checkPolicyDocument(policyJson(value)),
}));

/** A traffic policy in lines, equal by what it says. A program gives it as JSON, and early states hold it so. */
export const policyDocumentField: FieldShape<string> = {
  type: { input: { $ref: 'pulumi.json#/Any' }, output: { type: 'string' } },
  parse: (given) => {
    // The classes send a text; other languages may pass the document itself. Nothing is known of it unless all of it is.
    if (typeof given !== 'object' || given === null) return policyText(given);
    return containsUnknown(given) ? { value: UNKNOWN } : policyText(JSON.stringify(given));
  },
  isSame: isSamePolicy,
  // The order of the keys does not count, and stays.
  beside: (before, now) => (isSamePolicy(before, now) ? policyLines(before) : now),
};

function isSamePolicy(left: string, right: string): boolean {
  return samePolicyDocument(policyJson(left), policyJson(right));
}

/** A list of user agent patterns, equal in any order: the CLI compares lists place by place, so each keeps its own. */
export const patternListField: FieldShape<readonly string[]> = {
  type: both({ type: 'array', items: { type: 'string' } }),
  parse(value) {
    if (!Array.isArray(value)) return refused(`must be a list of patterns, not ${typeName(value)}`);
    const checked = value.map((pattern: unknown, index) => checkListed(pattern, index));
    return {
      value: value as readonly string[],
      failures: checked.flatMap(({ failures }) => failures ?? []),
      warnings: checked.flatMap(({ warnings }) => warnings ?? []),
    };
  },
  isSame: samePatternList,
  beside: keepPlaces,
};

function checkListed(pattern: unknown, index: number): Parsed<string> {
  const path = `[${index}]`;
  if (containsUnknown(pattern)) return {};
  if (typeof pattern !== 'string')
    return { failures: [{ path, reason: `must be a string, not ${typeName(pattern)}` }] };
  const { failure, warnings } = checkPattern(pattern);
  return {
    failures: failure === undefined ? [] : [{ path, reason: failure }],
    warnings: warnings.map((reason) => ({ path, reason })),
  };
}

/** A switch that steers the provider and reaches no service. */
export const settingField: Field<boolean> = { ...booleanField, onChange: 'settings-only' };
