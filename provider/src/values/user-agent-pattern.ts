import type { RE2JS } from 're2js';
import { echo } from './failure';

export interface PatternCheck {
  readonly failure?: string;
  readonly warnings: readonly string[];
}

/** The RE2 engine, loaded at the first pattern: it takes some 10 ms, and most programs declare no pattern. */
export const patternLibrary = () => require('re2js') as typeof import('re2js');

/** Refuses only what neither RE2 nor ECMAScript accepts, as the service may use either. Patterns run in RE2, in linear time. */
export function checkPattern(pattern: string): PatternCheck {
  const { RE2JS } = patternLibrary();
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    const problem = describe(error, pattern);
    if (!isEcmaScript(pattern)) {
      return {
        failure: `is not a valid regular expression in RE2 or in ECMAScript: ${problem}`,
        warnings: [],
      };
    }
    return { warnings: [`is valid in ECMAScript but not in RE2, and a service may use either: ${problem}`] };
  }
  const findsEmpty =
    'matches the empty string, so it matches a missing user agent and, unless anchored, every other one';
  return { warnings: compiled.matcher('').find() ? [findsEmpty] : [] };
}

/** Their order has no meaning. */
export function samePatternList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  const sorted = [...b].sort();
  return [...a].sort().every((pattern, index) => pattern === sorted[index]);
}

/**
 * The new patterns in the order of the old ones. A new one takes the place of a removed one, or comes last; the last ones fill
 * free places. So one more pattern is one change in a preview, one less at most two.
 */
export function keepPlaces(before: readonly string[], now: readonly string[]): readonly string[] {
  const added = [...now];
  const places = before.map((pattern) => {
    const at = added.indexOf(pattern);
    return at < 0 ? undefined : added.splice(at, 1)[0];
  });
  const filled = places.map((pattern) => pattern ?? added.shift());
  const length = filled.filter((pattern) => pattern !== undefined).length;
  const moving = filled.splice(length).filter((pattern) => pattern !== undefined);
  return [...filled.flatMap((pattern) => pattern ?? moving.pop() ?? []), ...added];
}

function isEcmaScript(pattern: string): boolean {
  return ['', 'u'].some((flags) => {
    try {
      new RegExp(pattern, flags);
      return true;
    } catch {
      return false;
    }
  });
}

const LONGEST_FRAGMENT = 16;

/** A pattern may be a secret, and the fragment of a mistake may be all of it: only a short one is shown. */
function describe(error: unknown, pattern: string): string {
  if (!(error instanceof patternLibrary().RE2JSSyntaxException))
    return 'it is too large or too deeply nested';
  const { error: problem, input: fragment } = error;
  const isShown = fragment !== null && fragment !== pattern && fragment.length <= LONGEST_FRAGMENT;
  return isShown ? `${problem} at ${echo(fragment)}` : problem;
}
