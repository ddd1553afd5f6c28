import fc from 'fast-check';
import type { UserAgentModel } from '../../../../review/src/user-agents/user-agent-model';
import { SECRET, UNKNOWN } from '../preview-builder';
import { accessOf, type Filter, filter, isAdmitted, models, short, TEXTS, textsUpTo } from './filters';

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

test('whatever a hidden pattern is, nobody changes sides outside the bounds', () => {
  fc.assert(
    fc.property(
      hiddenIn(filter),
      hiddenIn(filter),
      models,
      fc.constantFrom(SECRET, UNKNOWN),
      (before, after, model, hidden) => {
        const sides = [before, after] as const;
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
      },
    ),
    { numRuns: 300 },
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
