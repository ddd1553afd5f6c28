import { typeName } from '../values/failure';
import { containsUnknown } from '../values/unknowns';
import { checkPattern, keepPlaces, samePatternList } from '../values/user-agent-pattern';
import type { Parsed } from './field';
import { both, type FieldShape, refused } from './kinds';

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
