import crawlers from 'crawler-user-agents';
import fc from 'fast-check';
import { checkPattern, keepPlaces, samePatternList } from '../../../provider/src/values/user-agent-pattern';

test.each([
  'curl',
  '(?i)bot\\b',
  '^Mozilla/5\\.0',
  '[[:alpha:]]+',
  '(?P<name>a)',
  '(?<name>a)',
  '\\pL',
  'x{1,1000}',
  // Checked in linear time, while they backtrack for ever elsewhere.
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a*)*b',
])('a pattern valid in RE2 passes in silence: %s', (pattern) => {
  expect(checkPattern(pattern)).toEqual({ warnings: [] });
});

describe('a pattern valid in neither dialect fails with the offending fragment', () => {
  test.each([
    ['bot(', 'missing closing )'],
    ['[z-a]', 'invalid character class range at "z-a"'],
    ['*bot', 'missing argument to repetition operator at "*"'],
    ['a**', 'invalid nested repetition operator at "**"'],
    ['(?<n>a)(?<n>b)', 'duplicate capture group name at "n"'],
  ])('%s', (pattern, problem) => {
    const { failure, warnings } = checkPattern(pattern);
    expect(failure).toContain('is not a valid regular expression in RE2 or in ECMAScript: ');
    expect(failure).toContain(problem);
    expect(warnings).toEqual([]);
  });

  test('a pattern may be a secret: neither all of it nor a long fragment is shown', () => {
    const { failure } = checkPattern(`(\u001b[31m]\n${'x'.repeat(5000)}`);
    expect(failure?.length).toBeLessThan(250);
    expect(failure).not.toMatch(/\p{Cc}/u);
    expect(checkPattern('secret(').failure).not.toContain('secret');
    expect(checkPattern(`ok|[${'secret'.repeat(3)}`).failure).not.toContain('secret');
  });

  test('nesting without end is refused and not run into', () => {
    expect(checkPattern('('.repeat(100_000)).failure).toBeDefined();
  });
});

test.each([
  ['a(?=b)', '(?='],
  ['a(?<!x)y', '(?<'],
  ['(a)\\1', '\\\\1'],
  ['\\u0041', '\\\\u'],
  ['a{2000}', '{2000}'],
  ['('.repeat(1500) + ')'.repeat(1500), 'nests too deeply'],
])('a pattern valid in ECMAScript alone is a warning: %s', (pattern, fragment) => {
  const { failure, warnings } = checkPattern(pattern);
  expect(failure).toBeUndefined();
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^is valid in ECMAScript but not in RE2, and a service may use either: .+$/);
  expect(JSON.stringify(warnings[0])).toContain(fragment.replaceAll('"', ''));
});

test.each(['', '.*', 'a*', 'bot|', '^$', '^', '(?i)', 'x?', '\\B'])(
  'a pattern that finds the empty string is a warning: %j',
  (pattern) => {
    expect(checkPattern(pattern)).toEqual({
      warnings: [
        'matches the empty string, so it matches a missing user agent and, unless anchored, every other one',
      ],
    });
  },
);

test('the patterns of real crawlers have no failure', () => {
  for (const { pattern } of crawlers) expect(checkPattern(pattern).failure).toBeUndefined();
});

test('no pattern makes the check throw', () => {
  const unit = fc.constantFrom(...Array.from('()[]{}*+?\\|^$.a1,-:P<>'), '\ud83d');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (pattern) => {
      const { failure, warnings } = checkPattern(pattern);
      for (const sentence of [failure ?? '', ...warnings])
        expect(sentence).not.toMatch(/\p{Cc}|\p{Surrogate}/u);
    }),
    { numRuns: 2000 },
  );
});

test('the order of patterns never counts, and every change of the content does', () => {
  const list = fc.array(fc.string({ maxLength: 2 }), { maxLength: 6 });
  fc.assert(
    fc.property(list, fc.nat(), fc.string({ maxLength: 2 }), (patterns, at, other) => {
      const rotated = [...patterns.slice(at % 7), ...patterns.slice(0, at % 7)];
      expect(samePatternList(patterns, rotated)).toBe(true);
      expect(samePatternList(patterns, [...patterns, other])).toBe(false);
      fc.pre(patterns.length > 0);
      const changed = patterns.with(0, other);
      expect(samePatternList(patterns, changed)).toBe(patterns[0] === other);
    }),
  );
});

const patterns: fc.Arbitrary<string[]> = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), {
  maxLength: 12,
});
const changedPlaces = (before: readonly string[], after: readonly string[]): number =>
  Array.from(
    { length: Math.max(before.length, after.length) },
    (_, place) => before[place] !== after[place],
  ).filter(Boolean).length;

test('of a changed list the patterns are the new ones, and few places change', () => {
  fc.assert(
    fc.property(patterns, patterns, (before, now) => {
      const placed = keepPlaces(before, now);
      expect(samePatternList(placed, now)).toBe(true);
      const kept = [...new Set(now)].reduce(
        (sum, pattern) =>
          sum + Math.min(...[before, now].map((list) => list.filter((p) => p === pattern).length)),
        0,
      );
      const removed = before.length - kept;
      const added = now.length - kept;
      expect(changedPlaces(before, placed)).toBeLessThanOrEqual(added + 2 * Math.max(0, removed - added));
    }),
  );
});
