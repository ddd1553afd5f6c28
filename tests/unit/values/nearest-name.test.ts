import fc from 'fast-check';
import { nearestName } from '../../../provider/src/values/failure';

test.each([
  ['another case', 'ACTIONS', 'actions'],
  ['another case and a wrong letter', 'Nane', 'name'],
  ['two wrong letters', 'nxye', undefined],
  ['nothing', '', undefined],
])('%s: %s', (_what, given, nearest) => {
  expect(nearestName(given, ['name', 'expressions', 'actions'])).toBe(nearest);
});

test('every single edit of a name leads back to it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 8 });
  const letter = fc.constantFrom('a', 'b', 'c', 'd', 'x');
  fc.assert(
    fc.property(word, fc.nat(), letter, (name, at, other) => {
      const index = at % name.length;
      const [before, rest] = [name.slice(0, index), name.slice(index)];
      const swapped = `${before}${rest.slice(1, 2)}${rest.slice(0, 1)}${rest.slice(2)}`;
      for (const edited of [
        before + other + rest,
        before + rest.slice(1),
        before + other + rest.slice(1),
        swapped,
      ]) {
        expect(nearestName(edited, [name])).toBe(edited === name ? undefined : name);
      }
    }),
  );
});
