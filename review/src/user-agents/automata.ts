import type { CharSet, ReadonlyNFA } from 'refa';

/** A pattern as an automaton over texts that have a special character at each end. */
export type Automaton = ReadonlyNFA;

// Loaded at the first comparison of patterns, as only reviews of user agent filters need it.
const refa = () => require('refa') as typeof import('refa');

/** A pattern with more states, because of counts such as `{1,500}`, is not compared. */
const MAX_STATES = 1_500;
const built = new Map<string, Automaton | undefined>();

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

export const START = 0x10fffe;
export const END = 0x10ffff;

/** A JavaScript pattern for an RE2 one. Both ends of a text are characters of their own, so that anchors are characters, too. */
interface PatternSource {
  readonly source: string;
  readonly isCaseFolded: boolean;
}

/** Longer patterns are not translated. */
const MAX_LENGTH = 2_000;

/** An escape, a class, the beginning of a group, a repetition (greedy or lazy), or one character. */
const TOKENS = /\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\(\?(?::|P?<\w+>)?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]/gu;
const REPETITION = /^(?:[*+?]|\{\d)/;
/** One member of a class, or the first and the last one of a range. */
const MEMBERS = /(\\[^]|[^])(?:-(\\[^]|[^]))?/gu;

const literal = (code: number): string => `\\u{${code.toString(16)}}`;
const ENDS = literal(START) + literal(END);

const PERL: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Z_a-z', s: '\\t\\n\\f\\r ' };

/** The translation; undefined for a pattern with constructs that are rare, or that both dialects may read differently. */
function translatePattern(pattern: string): PatternSource | undefined {
  if (pattern.length > MAX_LENGTH || /[\u{10fffe}\u{10ffff}]/u.test(pattern)) return undefined;
  const [prefix = '', flags = ''] = /^\(\?([is]+)\)/.exec(pattern) ?? [];
  // Which letters beyond ASCII are one letter in two cases differs between versions of Unicode.
  if (flags.includes('i') && /\P{ASCII}/u.test(pattern)) return undefined;
  const tokens = pattern.slice(prefix.length).match(TOKENS) ?? [];
  let depth = 0;
  const parts = tokens.map((token, at) => {
    if (token.startsWith('(')) depth += 1;
    if (token === ')') depth -= 1;
    const end = endOf(token);
    if (end === undefined) return translated(token, flags);
    // Two anchors in a row match where one does, but two characters are not one: an anchor is at the edge of an alternative.
    const [outside = '|', inside = ''] = end === START ? [tokens[at - 1], tokens[at + 1]] : [tokens[at + 1]];
    return depth === 0 && outside === '|' && !REPETITION.test(inside) ? literal(end) : undefined;
  });
  return parts.includes(undefined)
    ? undefined
    : { source: parts.join(''), isCaseFolded: flags.includes('i') };
}

function endOf(token: string): number | undefined {
  if (token === '^' || token === '\\A') return START;
  return token === '$' || token === '\\z' ? END : undefined;
}

function translated(token: string, flags: string): string | undefined {
  if (token === '.') return `[^${flags.includes('s') ? '' : '\\n'}${ENDS}]`;
  if (token === '|' || token === ')') return token;
  if (token === '(' || /^\(\?./.test(token)) return '(?:';
  // What is found does not depend on whether a repetition is lazy.
  if (REPETITION.test(token)) return token.replace(/(.)\?$/, '$1');
  if (/^\[./.test(token)) return classOf(token);
  if (/^\\[DSW]$/.test(token)) return `[^${PERL[token.charAt(1).toLowerCase()] ?? ''}${ENDS}]`;
  const member = memberOf(token);
  return member && `[${member}]`;
}

function classOf(token: string): string | undefined {
  const [, negation = '', text = ''] = /^\[(\^?)([^]*)\]$/.exec(token) ?? [];
  const members = Array.from(text.matchAll(MEMBERS), ([, first = '', last]) => {
    if (last === undefined) return memberOf(first);
    const [low, high] = [characterOf(first), characterOf(last)];
    return low && high && `${low}-${high}`;
  });
  // A class by name, such as `[:alpha:]`, is not translated.
  if (text.includes('[:') || members.includes(undefined)) return undefined;
  return `[${negation}${members.join('')}${negation && ENDS}]`;
}

const memberOf = (token: string): string | undefined =>
  (token.startsWith('\\') ? PERL[token.charAt(1)] : undefined) ?? characterOf(token);

/** A character, as it is or escaped, written so that it has no other meaning. */
function characterOf(token: string): string | undefined {
  const character = token.replace(/^\\(?=[!-/:-@[-`{-~ ]$)/, '');
  return /^[^]$/u.test(character) ? literal(character.codePointAt(0) ?? 0) : undefined;
}
