import { SearchSteps } from '../budget/budget';
import { automatonOf } from './automata';
import type { CorpusEntry } from './corpus';
import type { FilterLogic } from './filter-logic';
import { findWord } from './find-word';

/** Patterns of which words are made; changed lists are longer only where a program makes them. */
const MAX_PATTERNS = 400;
/** As often a word is held against a pattern at most: fewer words of longer lists. */
const MAX_TRIALS = 200_000;

/**
 * Headers to try on both filters: the corpus, and words that the patterns of one side alone are about. They are more
 * telling than what a search comes up with: `Masscan/1.3` and not `aMASSCAN`.
 */
export function sampleWords(
  before: FilterLogic,
  after: FilterLogic,
  corpus: readonly CorpusEntry[],
): (string | null)[] {
  const [left, right] = [patternsOf(before), patternsOf(after)];
  const only = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...one].filter((key) => !other.has(key));
  const changed = [...only(left, right), ...only(right, left)].map((key) => key.slice(1));
  const most = Math.min(MAX_PATTERNS, Math.floor(MAX_TRIALS / (left.size + right.size + 1)));
  const words = [...new Set(changed)].slice(0, most).flatMap(wordsOf);
  return [...new Set([...words, ...corpus.map((entry) => entry.userAgent), null])];
}

/** With the list in front: a pattern that moves from one to the other is changed. */
function patternsOf(logic: FilterLogic): Set<string> {
  if (logic.kind === 'open') return new Set();
  return new Set([
    ...logic.allow.patterns.map((pattern) => `+${pattern}`),
    ...logic.deny.patterns.map((pattern) => `-${pattern}`),
  ]);
}

/** Headers that a pattern is about. */
export function wordsOf(pattern: string): string[] {
  const bare = pattern
    .replace(/^\(\?[a-z]+\)/, '')
    .replace(/[\^$]|\\[AzbB]/g, '')
    .replace(/\\d[+*]?|\[0-9\][+*]?/g, '1')
    .replace(/\\(?=[^A-Za-z0-9])/g, '')
    .replace(/\.[*+]|\.\?/g, '');
  const shortest = automatonOf(pattern, new SearchSteps(Infinity))
    ? findWord({ found: [[pattern]], notFound: [] }, { minLength: 0 })
    : undefined;
  const stems = [bare, ...(shortest?.kind === 'word' ? [shortest.word] : [])];
  return stems.flatMap((stem) => [
    `${stem}/1.3`.replace('//', '/'),
    stem,
    `${stem}1`,
    `Mozilla/5.0 (compatible; ${stem}/1.3)`,
  ]);
}
