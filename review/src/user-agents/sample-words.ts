import { automatonOf } from './automata';
import type { CorpusEntry } from './corpus';
import type { FilterLogic } from './filter-logic';
import { findWord } from './find-word';

/** How many patterns words are made from; only generated lists have more changes. */
const MAX_PATTERNS = 400;
/** How many times words are matched against patterns at most: for longer lists, fewer words are tried. */
const MAX_TRIALS = 200_000;

/**
 * Headers to try on both filters: the corpus, and words made from the patterns that only one side has. They are more telling
 * than the results of a search: `Masscan/1.3` and not `aMASSCAN`.
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

/** Prefixed by its list: a pattern that moves from one list to the other is a change. */
function patternsOf(logic: FilterLogic): Set<string> {
  if (logic.kind === 'open') return new Set();
  return new Set([
    ...logic.allow.patterns.map((pattern) => `+${pattern}`),
    ...logic.deny.patterns.map((pattern) => `-${pattern}`),
  ]);
}

/** Headers that a pattern is meant for. */
export function wordsOf(pattern: string): string[] {
  const bare = pattern
    .replace(/^\(\?[a-z]+\)/, '')
    .replace(/[\^$]|\\[AzbB]/g, '')
    .replace(/\\d[+*]?|\[0-9\][+*]?/g, '1')
    .replace(/\\(?=[^A-Za-z0-9])/g, '')
    .replace(/\.[*+]|\.\?/g, '');
  const shortest = automatonOf(pattern) ? findWord({ found: [[pattern]], notFound: [] }) : undefined;
  const stems = [bare, ...(shortest?.kind === 'word' ? [shortest.word] : [])];
  return stems.flatMap((stem) => [
    `${stem}/1.3`.replace('//', '/'),
    stem,
    `${stem}1`,
    `Mozilla/5.0 (compatible; ${stem}/1.3)`,
  ]);
}
