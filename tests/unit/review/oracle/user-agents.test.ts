// Random filters over three letters, judged by JavaScript's own engine, pattern by pattern.
import fc from 'fast-check';
import { USER_AGENT_MODELS, type UserAgentModel } from '../../../../review/src/user-agents/user-agent-model';
import { routeAccess } from '../../../../review/src/user-agents/route-access';
import { agents, stackOf } from '../preview-builder';
import { SECRET, UNKNOWN } from '../inputs';
import { remembered } from './addresses';

/** Every text of up to so many of the letters. */
function textsUpTo(length: number, letters: readonly string[]): string[] {
  const texts = [''];
  for (const text of texts) if (text.length < length) texts.push(...letters.map((letter) => text + letter));
  return texts;
}

/** They are judged by JavaScript's own engine, pattern by pattern. */
const TEXTS = textsUpTo(4, ['a', 'b', 'c']);

const part = fc.constantFrom(
  ...'a b c . a* [ab] (?:a|bc) ^ $ b+ [^a] c? a{2} (?:ab)*'.split(' '),
  // Both ends of the text once more, so that two of a kind come to stand in a row.
  ...'^(?:^a|b) (?:a|b$)$ (?:^|a)'.split(' '),
);
const patternOf = (maxLength: number) =>
  fc.array(part, { minLength: 1, maxLength }).map((parts) => parts.join(''));
const isPattern = (text: string): boolean => !/[\^$][*+?{]/.test(text);
/** Several anchors in a row are not compared: that is not decided, and says so. */
const isComparable = (text: string): boolean =>
  /^\^?[^^$]*\$?$/.test(text.replaceAll('[^a]', 'a')) && text !== '^$';
const filterOf = (parts: number) => {
  const list = fc.array(patternOf(parts).filter(isPattern), { maxLength: 3 });
  return fc.record({ allow: list, deny: list, enabled: fc.boolean() });
};
const filter = filterOf(3);
type Filter = typeof filter extends fc.Arbitrary<infer Made> ? Made : never;
const comparableOnly = (made: Filter): Filter => ({
  ...made,
  allow: made.allow.filter(isComparable),
  deny: made.deny.filter(isComparable),
});
const comparable = filter.map(comparableOnly);
/** Short enough for a text of a few letters to be found by two of its patterns. */
const short = filterOf(2).map(comparableOnly);

const expressionOf = remembered((pattern) => new RegExp(pattern, 'u'));

/** Null is a client without the header: most of the models take that for an empty one. */
function isAdmitted({ allow, deny, enabled }: Filter, text: string | null, model: UserAgentModel): boolean {
  if (!enabled) return true;
  const finds = (patterns: readonly string[]) => patterns.some((one) => expressionOf(one).test(text ?? ''));
  if (model === 'allow-wins' && text === null) return finds(allow);
  if (model === 'allow-wins') return finds(allow) || !finds(deny);
  if (finds(deny)) return false;
  return finds(allow) || (model === 'deny-wins' && allow.length === 0);
}

const accessOf = (before: Filter, after: Filter, model: UserAgentModel) => {
  const route = { edgeId: 'e', routeId: 'r' };
  const sides = { before: { ...route, ...before }, after: { ...route, ...after } };
  // An update whatever is shown: two secrets that look alike may differ, which the step `same` would deny.
  const stack = stackOf(agents('filter', { ...sides, op: 'update' }));
  const [access] = routeAccess(stack, { model, corpus: [] });
  if (!access) throw new Error('the route is missing');
  return access;
};

const models = fc.constantFrom(...USER_AGENT_MODELS);

const moved = (
  [before, after]: readonly [Filter, Filter],
  model: UserAgentModel,
  isGain: boolean,
  texts: readonly (string | null)[],
) =>
  texts.filter(
    (text) => isAdmitted(before, text, model) !== isGain && isAdmitted(after, text, model) === isGain,
  );

const DIRECTIONS = [
  ['gained', true],
  ['lost', false],
] as const;

test.each<[string, (made: Filter) => Filter]>([
  ['another order', (made) => ({ ...made, deny: made.deny.toReversed(), allow: made.allow.toReversed() })],
  ['one alternation', (made) => ({ ...made, deny: made.deny.length === 0 ? [] : [made.deny.join('|')] })],
  [
    'groups within the anchors',
    (made) => ({ ...made, deny: made.deny.map((one) => one.replace(/^(\^?)(.*?)(\$?)$/, '$1(?:$2)$3')) }),
  ],
  ['a pattern twice', (made) => ({ ...made, deny: [...made.deny, ...made.deny] })],
  [
    'another class for a letter',
    (made) => ({ ...made, deny: made.deny.map((one) => one.replace(/^a/, '[a]')) }),
  ],
])('a rewrite that keeps its meaning is proved to change nothing: %s', (_name, rewrite) => {
  fc.assert(
    fc.property(comparable, models, (made, model) => {
      const access = accessOf(made, rewrite(made), model);
      expect([access.gained.extent, access.lost.extent]).toEqual(['none', 'none']);
    }),
    { numRuns: 300 },
  );
});

/** It finds none of the texts, and the other one finds all of them. */
const [NOTHING, ANYTHING] = ['z{9}', ''];
/** Room for two patterns, with a letter that none of them names. */
const LONGER = textsUpTo(5, ['a', 'b', 'c', '-']);

/** A filter of which the patterns at some places are hidden, as the preview shows it and as it is. */
interface Half {
  readonly made: Filter;
  readonly places: readonly number[];
}
const hiddenIn = (of: fc.Arbitrary<Filter>): fc.Arbitrary<Half> =>
  fc.record({ made: of, places: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 2 }) });

/** Puts something in the hidden places; those from 3 on are of the deny list. */
const withPatterns = ({ made, places }: Half, patternAt: (place: number) => string): Filter => {
  const listOf = (list: readonly string[], first: number) =>
    list.map((pattern, index) => (places.includes(first + index) ? patternAt(first + index) : pattern));
  return { ...made, allow: listOf(made.allow, 0), deny: listOf(made.deny, 3) };
};

type Sides = readonly [before: Half, after: Half];

const shown = ([before, after]: Sides, hidden: string) =>
  [withPatterns(before, () => SECRET), withPatterns(after, () => hidden)] as const;

/** What the filters may be: as they were made, and with patterns that find everything or nothing in place of the hidden ones. */
const meanings = ([before, after]: Sides): (readonly [Filter, Filter])[] => {
  if (before.places.length + after.places.length === 0) return [[before.made, after.made]];
  const extremes = [NOTHING, ANYTHING].flatMap((allow) =>
    [NOTHING, ANYTHING].map((deny) => (place: number) => (place < 3 ? allow : deny)),
  );
  return [
    [before.made, after.made],
    ...extremes.flatMap((left) =>
      extremes.map((right) => [withPatterns(before, left), withPatterns(after, right)] as const),
    ),
  ];
};

test('random filters: nobody changes sides outside the bounds, whatever a hidden pattern is, and every witness does', () => {
  const seen = filter.map((made): Half => ({ made, places: [] }));
  const pairs = fc.oneof(fc.tuple(seen, seen), fc.tuple(hiddenIn(filter), hiddenIn(filter)));
  fc.assert(
    fc.property(pairs, models, fc.constantFrom(SECRET, UNKNOWN), (sides, model, hidden) => {
      const access = accessOf(...shown(sides, hidden), model);
      const wrong: string[] = [];
      for (const [key, isGain] of DIRECTIONS) {
        const { extent, witnesses, mayBeMore } = access[key];
        const texts = [null, ...TEXTS, ...witnesses];
        const moves = meanings(sides).map((meaning) => new Set(moved(meaning, model, isGain, texts)));
        for (const text of texts) {
          const count = moves.filter((move) => move.has(text)).length;
          if (extent === 'none' && count > 0) wrong.push(`${key} ${text}`);
          if (witnesses.includes(text) && count < moves.length) wrong.push(`not sure: ${key} ${text}`);
          if (extent === 'some' && !mayBeMore && count > 0 && count < moves.length)
            wrong.push(`more: ${key} ${text}`);
        }
      }
      for (const [side, index] of [
        ['before', 0],
        ['after', 1],
      ] as const) {
        const { letsEverybodyIn, letsNobodyIn } = access[side];
        for (const meaning of meanings(sides)) {
          const isIn = TEXTS.slice(1).map((text) => isAdmitted(meaning[index], text, model));
          if (letsEverybodyIn === true && isIn.includes(false)) wrong.push(`${side} not everybody`);
          if (letsNobodyIn === true && isIn.includes(true)) wrong.push(`${side} not nobody`);
        }
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test('what known patterns decide is decided, whatever is hidden beside them', () => {
  let decided = 0;
  fc.assert(
    fc.property(hiddenIn(short), hiddenIn(short), models, (before, after, model) => {
      const sides = [before, after] as const;
      const access = accessOf(...shown(sides, UNKNOWN), model);
      for (const [key, isGain] of DIRECTIONS) {
        const texts = [null, ...LONGER];
        const sets = meanings(sides).map((meaning) => new Set(moved(meaning, model, isGain, texts)));
        if (sets.every((set) => set.size === 0)) expect([key, access[key].extent]).toEqual([key, 'none']);
        else if (texts.some((text) => sets.every((set) => set.has(text))))
          expect([key, access[key].extent]).toEqual([key, 'some']);
        else continue;
        decided += 1;
      }
    }),
    { numRuns: 150 },
  );
  expect(decided).toBeGreaterThan(100);
});
