import fc from 'fast-check';
import { attributeRouteGain } from '../../../../review/src/user-agents/attribute-route-gain';
import {
  accessOf,
  comparable,
  type Filter,
  filter,
  isAdmitted,
  LONG_TEXTS,
  models,
  short,
  TEXTS,
} from './filters';

test('random filters: nothing that moves is called unchanged, and every witness moves', () => {
  fc.assert(
    fc.property(filter, filter, models, (before, after, model) => {
      const access = accessOf(before, after, model);
      const wrong: string[] = [];
      for (const [key, isGain] of [
        ['gained', true],
        ['lost', false],
      ] as const) {
        const moves = (text: string) =>
          isAdmitted(before, text, model) !== isGain && isAdmitted(after, text, model) === isGain;
        const { extent, witnesses } = access[key];
        if (extent === 'none') wrong.push(...TEXTS.filter(moves).map((text) => `${key} ${text}`));
        wrong.push(
          ...witnesses.flatMap((text) => (text !== null && !moves(text) ? [`no witness ${text}`] : [])),
        );
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 1500 },
  );
});

test.each<[string, (made: Filter) => Filter]>([
  ['another order', (made) => ({ ...made, deny: made.deny.toReversed(), allow: made.allow.toReversed() })],
  ['one alternation', (made) => ({ ...made, deny: made.deny.length === 0 ? [] : [made.deny.join('|')] })],
  ['groups around', (made) => ({ ...made, deny: made.deny.map((one) => `(?:${one})`) })],
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

type Change = NonNullable<ReturnType<typeof attributeRouteGain>['edit']>;

/** The filter after the change, with one pattern as before. */
const edited = (after: Filter, change: Change): Filter => {
  const listOf = (name: 'allow' | 'deny') => {
    const own = [change].filter(({ list: of }) => of === name);
    const added = own.filter(({ isAdded }) => isAdded).map(({ pattern: text }) => text);
    const gone = own.filter(({ isAdded }) => !isAdded).map(({ pattern: text }) => text);
    return [...after[name].filter((text) => !added.includes(text)), ...gone];
  };
  return { ...after, allow: listOf('allow'), deny: listOf('deny') };
};

test('the pattern that is said to prevent a gain prevents it', () => {
  let edits = 0;
  fc.assert(
    fc.property(short, short, models, (one, other, model) => {
      // Half of the list stays.
      const before = { ...one, enabled: true };
      const after = { ...other, enabled: true, deny: [...one.deny.slice(1), ...other.deny.slice(1)] };
      const access = accessOf(before, after, model);
      if (access.gained.extent !== 'some') return;
      const { edit } = attributeRouteGain(access, model);
      if (!edit) return;
      const gains = [null, ...LONG_TEXTS, ...access.gained.witnesses].filter(
        (text) => isAdmitted(edited(after, edit), text, model) && !isAdmitted(before, text, model),
      );
      expect(gains).toEqual([]);
      edits += 1;
    }),
    { numRuns: 400 },
  );
  expect(edits).toBeGreaterThan(25);
});
