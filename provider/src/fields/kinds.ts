import { checkAction, type RuleAction } from '../values/action';
import { parseCidr, sameCidr } from '../values/cidr';
import { checkIdentifier, type IdentifierKind } from '../values/identifiers';
import { byteLimitProblem } from '../values/text-limits';
import { typeName } from '../values/failure';
import { containsUnknown } from '../values/unknowns';
import { checkPattern, keepPlaces, samePatternList } from '../values/user-agent-pattern';
import type { Field, FieldType, Parsed, TypeSpec } from './field';

/** The part of a field that its kind decides; a table adds the rest. */
export type FieldShape<T> = Pick<Field<T>, 'type' | 'parse' | 'isSame' | 'beside' | 'identifies'>;

const both = (spec: TypeSpec): FieldType => ({ input: spec, output: spec });
const textType = both({ type: 'string' });

export const refused = (reason: string): Parsed<never> => ({ failures: [{ reason }] });

/** Any other type is refused without showing the value, as it could be secret. */
export const text =
  <T>(parse: (value: string) => Parsed<T>) =>
  (value: unknown): Parsed<T> =>
    typeof value === 'string' ? parse(value) : refused(`must be a string, not ${typeName(value)}`);

/** A text that is taken as it is, unless it has a problem. */
const textWithout = <T extends string>(
  problemOf: (value: string) => string | undefined,
): ((value: unknown) => Parsed<T>) =>
  text((value) => {
    const problem = problemOf(value);
    return problem === undefined ? { value: value as T } : refused(problem);
  });

/** A network in CIDR notation; two are equal if they are the same network, however written. */
export const cidrField: FieldShape<string> = {
  type: textType,
  parse: text((value) => {
    const parsed = parseCidr(value);
    return parsed.ok ? { value: parsed.cidr.text } : refused(parsed.reason);
  }),
  isSame: sameCidr,
};

/** A plain string: YAML assigns no output of another resource to an enum, and Python's functions cannot take one. */
export const actionField: FieldShape<RuleAction> = {
  type: textType,
  parse: textWithout(checkAction),
};

export const identifierField = (kind: IdentifierKind): FieldShape<string> => ({
  identifies: kind,
  type: textType,
  parse: textWithout((value) => checkIdentifier(value, kind)),
});

/** An optional text with a limit in bytes of UTF-8; the empty text means the same as none. */
export const limitedTextField = (
  limitBytes: number,
): FieldShape<string> & Pick<Field<string>, 'isAbsentWhenEmpty'> => ({
  type: textType,
  isAbsentWhenEmpty: true,
  parse: textWithout((value) => byteLimitProblem(value, limitBytes)),
});

export const booleanField: FieldShape<boolean> = {
  type: both({ type: 'boolean' }),
  parse: (value) =>
    typeof value === 'boolean' ? { value } : refused(`must be true or false, not ${typeName(value)}`),
};

/** A switch that controls the provider and is never sent. */
export const settingField: Field<boolean> = { ...booleanField, onChange: 'settings-only' };

/** A list of user agent patterns, equal in any order. The CLI compares lists by position, so each pattern keeps its position. */
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
