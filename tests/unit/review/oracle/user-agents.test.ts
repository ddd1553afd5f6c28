import fc from 'fast-check';
import { accessOf, comparable, type Filter, filter, isAdmitted, models, TEXTS } from './filters';

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
