import fc from 'fast-check';
import type { UserAgentModel } from '../../../../review/src/user-agents/user-agent-model';
import { USER_AGENT_MODELS } from '../../../../review/src/user-agents/user-agent-model';
import { stackChangeOf } from '../../../../review/src/model/snapshot';
import { resourceChanges } from '../../../../review/src/model/resource-change';
import { routeAccess } from '../../../../review/src/user-agents/route-access';
import { previewOf } from '../preview-builder';

/** Every text of up to four letters of three, judged by JavaScript's own engine, pattern by pattern. */
const TEXTS = [''];
for (const text of TEXTS) if (text.length < 4) TEXTS.push(...['a', 'b', 'c'].map((letter) => text + letter));

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
const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
const isPattern = (text: string): boolean => !/[\^$][*+?{]/.test(text);
/** Several anchors in a row are not compared: that is not decided, and says so. */
const isComparable = (text: string): boolean =>
  /^\^?[^^$]*\$?$/.test(text.replaceAll('[^a]', 'a')) && text !== '^$';
const list = fc.array(pattern.filter(isPattern), { maxLength: 3 });
const filter = fc.record({ allow: list, deny: list, enabled: fc.boolean() });
const comparable = filter.map((made) => ({
  ...made,
  allow: made.allow.filter(isComparable),
  deny: made.deny.filter(isComparable),
}));
type Filter = typeof filter extends fc.Arbitrary<infer Made> ? Made : never;

function isAdmitted({ allow, deny, enabled }: Filter, text: string, model: UserAgentModel): boolean {
  if (!enabled) return true;
  const finds = (patterns: readonly string[]) => patterns.some((one) => new RegExp(one, 'u').test(text));
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
