import type { CharSet, ReadonlyNFA } from 'refa';
import { START, translatePattern } from './pattern-source';

/** A pattern as an automaton over texts that have a special character at each end. */
export type Automaton = ReadonlyNFA;

// Loaded at the first comparison of patterns, as only reviews of user agent filters need it.
const refa = () => require('refa') as typeof import('refa');

/** A pattern with more states, because of counts such as `{1,500}`, is not compared. */
const MAX_STATES = 1_500;
const built = new Map<string, Automaton | undefined>();

/** The automaton of a pattern; undefined if it cannot be translated or is too large. */
export function automatonOf(pattern: string): Automaton | undefined {
  // The name of an unknown, not a pattern.
  if (pattern.startsWith('\u0000')) return undefined;
  if (!built.has(pattern)) built.set(pattern, build(pattern));
  return built.get(pattern);
}

function build(pattern: string): Automaton | undefined {
  const translated = translatePattern(pattern);
  if (!translated) return undefined;
  const { JS, NFA } = refa();
  const source = `[^]*(?:${translated.source})[^]*`;
  const flags = translated.isCaseFolded ? 'iu' : 'u';
  try {
    const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse({
      assertions: 'throw',
    });
    return NFA.fromRegex(expression, { maxCharacter }, {}, new NFA.LimitedNodeFactory(MAX_STATES));
  } catch {
    // The library throws for what it does not support, and for what grows beyond the limit.
    return undefined;
  }
}

/** One character for each group of characters that the automata do not distinguish. */
export function alphabetOf(automata: readonly Automaton[]): readonly number[] {
  const { CharBase, CharSet } = refa();
  const maximum = 0x10ffff;
  const header = CharSet.fromRange(maximum, { min: 0x20, max: 0x7e })
    .union(CharSet.fromCharacter(maximum, 0x09))
    .union(CharSet.fromRange(maximum, { min: 0x80, max: START - 1 }));
  const sets = new Set<CharSet>();
  for (const automaton of automata) {
    const { initial, getOut } = automaton.transitionIterator();
    const seen = new Set([initial]);
    for (const node of seen) {
      for (const [next, characters] of getOut(node)) {
        sets.add(characters);
        seen.add(next);
      }
    }
  }
  const groups = new CharBase([header, ...sets]).sets.filter((group) => group.isSubsetOf(header));
  return groups.map(likeliest);
}

/** Preferred characters: letters, digits and marks of a client's name; a group may contain none of them. */
const LIKELY = Array.from(
  'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ/.-_ ()+;:,',
  (character) => character.charCodeAt(0),
);

const likeliest = (group: CharSet): number =>
  LIKELY.find((character) => group.has(character)) ?? group.ranges[0]?.min ?? 0;
