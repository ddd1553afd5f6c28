import fc from 'fast-check';
import type { UserAgentModel } from '../../../../review/src/user-agents/user-agent-model';
import { USER_AGENT_MODELS } from '../../../../review/src/user-agents/user-agent-model';
import { stackChangeOf } from '../../../../review/src/model/snapshot';
import { resourceChanges } from '../../../../review/src/model/resource-change';
import { attributeRouteGain } from '../../../../review/src/user-agents/attribution';
import { routeAccess } from '../../../../review/src/user-agents/route-access';
import { previewOf } from '../preview-builder';

/** Every text of up to so many of the letters. */
function textsUpTo(length: number, letters: readonly string[]): string[] {
  const texts = [''];
  for (const text of texts) if (text.length < length) texts.push(...letters.map((letter) => text + letter));
  return texts;
}

/** They are judged by JavaScript's own engine, pattern by pattern. */
const TEXTS = textsUpTo(4, ['a', 'b', 'c']);
/** Parts of several patterns, one behind the other, have room in these, with a letter that no pattern names between them. */
const LONG_TEXTS = textsUpTo(6, ['a', 'b', 'c', '-']);

const part = fc.constantFrom(
  'a',
  'b',
  'c',
  '.',
  'a*',
  '[ab]',
  '(?:a|bc)',
  '^',
  '$',
  'b+',
  '[^a]',
  'c?',
  'a{2}',
  '(?:ab)*',
  // Both ends of the text once more, so that two of a kind come to stand in a row.
  '^(?:^a|b)',
  '(?:a|b$)$',
  '(?:^|a)',
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

/** Null is a client without the header: most of the models take that for an empty one. */
function isAdmitted({ allow, deny, enabled }: Filter, text: string | null, model: UserAgentModel): boolean {
  if (!enabled) return true;
  const finds = (patterns: readonly string[]) =>
    patterns.some((one) => new RegExp(one, 'u').test(text ?? ''));
  if (model === 'allow-wins' && text === null) return finds(allow);
  if (model === 'allow-wins') return finds(allow) || !finds(deny);
  if (finds(deny)) return false;
  return finds(allow) || (model === 'deny-wins' && allow.length === 0);
}

const accessOf = (before: Filter, after: Filter, model: UserAgentModel) => {
  const route = { edgeId: 'e', routeId: 'r' };
  const preview = previewOf({
    type: 'HttpsEdgeRouteUserAgentFilterModule',
    name: 'filter',
    before: { ...route, ...before },
    after: { ...route, ...after },
  });
  const [access] = routeAccess(stackChangeOf(resourceChanges(preview.steps)), { model, corpus: [] });
  if (!access) throw new Error('the route is missing');
  return access;
};

const models = fc.constantFrom(...USER_AGENT_MODELS);

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
