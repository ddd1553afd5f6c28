import fc from 'fast-check';
import { automatonOf } from '../../../review/src/user-agents/automata';
import { compilePattern } from '../../../review/src/user-agents/compiled-patterns';
import { CORPUS } from '../../../review/src';
import { findWord } from '../../../review/src/user-agents/find-word';
import { agents } from './preview-builder';
import { filterInputs, UNKNOWN } from './inputs';
import { newIds, reviewed, told } from './reviewing';

const filter = (allow: readonly string[], deny: readonly string[], enabled = true) => ({
  ...{ ...filterInputs(deny, allow), enabled },
});
const review = (before: object | undefined, after: object | undefined) =>
  reviewed([agents('ua', { before, after })]);
const ids = (before: object | undefined, after: object | undefined): string[] =>
  newIds(review(before, after)).sort();

test('a pattern that takes a backtracking engine for ever is judged at once', () => {
  expect(compilePattern('^(a+)+$')?.finds(`${'a'.repeat(50_000)}!`)).toBe(false);
});

test('letters beyond ASCII are not compared without regard to case, as versions of Unicode differ', () => {
  expect(automatonOf('(?i)curl')).toBeDefined();
  expect(automatonOf('ɤ')).toBeDefined();
  expect(automatonOf('(?i)ɤ')).toBeUndefined();
  const [before, after] = [filterInputs(['(?i)ɤ']), filterInputs(['[ɤꟋ]'])];
  const report = reviewed([agents('agents', { before, after })]);
  expect(report.verdict.affectsAccess).toBe(true);
});

test.each(['(?=a)', '(?<!a)b', '(a)\\1', '(', '[z-a]'])('%s is not for RE2', (pattern) => {
  expect(compilePattern(pattern)).toBeUndefined();
});

test('the corpus has a client without the header, and no client twice', () => {
  expect(CORPUS.filter((entry) => entry.userAgent === null)).toHaveLength(1);
  expect(new Set(CORPUS.map((entry) => entry.userAgent)).size).toBe(CORPUS.length);
});

test.each([
  ['user-agent-pattern-invalid', filter([], ['(?=curl)'])],
  ['user-agent-filter-open', filter(['^curl'], [])],
  ['user-agent-filter-open', filter(['a|[^a]'], ['curl'])],
  ['user-agent-filter-open', filter([], [])],
])('%s', (id, after) => {
  expect(ids(filter([], ['Wget']), after)).toContain(id);
  expect(ids(after, after)).toEqual([]);
});

test.each([
  ['keeps out one word', filter([], ['^NoSuchClient$'])],
  ['keeps out only clients without the header', filter([], ['^$'])],
  ['is off', filter(['^curl'], [], false)],
  ['has a hidden pattern', filter(['^curl'], ['[secret]'])],
])('user-agent-filter-open: not for a filter that %s', (what, after) => {
  const isOpen = what.endsWith('without the header');
  expect(ids(filter([], ['Wget']), after).includes('user-agent-filter-open')).toBe(isOpen);
});

/** Parts of patterns, every class of the grammar among them, negated and not. */
const NAMES = 'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(
  ' ',
);
const letter = fc.constantFrom('a', 'Z', '7', '9', '-', '\u00e9', '\u017f', '\u2603', '_', ' ', '~', '\t');
const word = fc.oneof(
  fc.string({ unit: letter, maxLength: 4 }),
  fc.string({ unit: fc.constantFrom('a', '7'), maxLength: 2 }),
);
const member = fc.oneof(
  fc.constantFrom(...NAMES).chain((name) => fc.constantFrom(`[:${name}:]`, `[:^${name}:]`)),
  fc.constantFrom(...'\\d \\D \\w \\W \\s \\S a-f A-F 0-9 a \u00e9 . ^ \\] \\- \\x41'.split(' ')),
);
const set = fc
  .tuple(fc.constantFrom('[', '[^'), fc.array(member, { minLength: 1, maxLength: 3 }))
  .map(([open, members]) => `${open}${members.join('')}]`);
const atom = fc.oneof(
  set,
  fc.constantFrom(...'a . \\d \\W \\S \u00e9 \\Q.-\\E \\x{2603} \\. ^ $ \\A (?:a|7) Z?'.split(' ')),
);
const grammar = fc
  .tuple(
    fc.constantFrom('', '', '(?i)', '(?s)'),
    fc.array(fc.tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}')), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom('', '', '|a', '|^7'),
  )
  .map(([flags, parts, end]) => `${flags}${parts.map(([part, times]) => part + times).join('')}${end}`);

/** Anchors at every place, so that two of them meet. */
const anchored = fc.string({
  unit: fc.constantFrom('^', '$', 'a', '7', '|', '(?:a|^7)', '(?:7|a$)', '(?:^|a)'),
  ...{ minLength: 1, maxLength: 4 },
});

test('the search reads a pattern as RE2 does, over the whole grammar of classes', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.oneof(grammar, anchored), word, (pattern, word) => {
      const compiled = compilePattern(pattern);
      if (!compiled) return;
      const exactly = `^${word.replace(/[-~]/g, '\\$&')}$`;
      const isFound = compiled.finds(word);
      // Whatever is left out of the search only adds words: one that is proved not to be there must not be.
      if (isFound) expect(findWord({ found: [[pattern], [exactly]], notFound: [] }).kind).not.toBe('none');
      else expect(findWord({ found: [[exactly]], notFound: [pattern] }).kind).not.toBe('none');
      compared += 1;
    }),
    { numRuns: 3000 },
  );
  expect(compared).toBeGreaterThan(1500);
});

const mayChange = (before: object, after: object): string[] =>
  told(review(before, after), 'user-agents-may-change');

test('user-agents-may-change: a hidden pattern leaves bounds', () => {
  const allows = filter(['[secret]'], ['curl', 'Wget']);
  expect(mayChange(filter([], ['curl', 'Wget']), allows)).toEqual([
    'high user-agents-may-change: Not decided for "edghts_1/edghtsrt_1" because the "allow[0]" of "ua" is secret: clients may gain access (of the corpus at most "no header", "curl" and "Wget").',
  ]);
  const [browsers, denies] = [filter(['^Mozilla'], ['.*']), filter(['^Mozilla'], ['.*', UNKNOWN])];
  expect(mayChange(browsers, denies)).toEqual([]);
  expect(review(browsers, denies).verdict.affectsAccess).toBe(false);
});

test('user-agents-may-change: what is sure is said, and what a hidden pattern adds to it', () => {
  const [open, shut] = [filter(['^Mozilla'], ['curl']), filter(['^Mozilla'], ['curl', '^Wget', UNKNOWN])];
  expect(review(open, shut).accesses[0]).toMatchObject({ lost: { extent: 'some', mayBeMore: true } });
  expect(newIds(review(open, shut))).toEqual(['user-agents-may-change', 'user-agents-narrowed']);
  expect(mayChange(open, shut).join()).toContain('other clients may lose access');
});
