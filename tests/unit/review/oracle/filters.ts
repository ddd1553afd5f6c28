// Random filters over three letters, judged by JavaScript's own engine.
import fc from 'fast-check';
import type { UserAgentModel } from '../../../../review/src/user-agents/user-agent-model';
import { USER_AGENT_MODELS } from '../../../../review/src/user-agents/user-agent-model';
import { stackChangeOf } from '../../../../review/src/model/snapshot';
import { resourceChanges } from '../../../../review/src/model/resource-change';
import { routeAccess } from '../../../../review/src/user-agents/route-access';
import { previewOf, agents } from '../preview-builder';

/** Every text of up to so many of the letters. */
export function textsUpTo(length: number, letters: readonly string[]): string[] {
  const texts = [''];
  for (const text of texts) if (text.length < length) texts.push(...letters.map((letter) => text + letter));
  return texts;
}

/** They are judged by JavaScript's own engine, pattern by pattern. */
export const TEXTS = textsUpTo(4, ['a', 'b', 'c']);

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
export const filter = filterOf(3);
export type Filter = typeof filter extends fc.Arbitrary<infer Made> ? Made : never;
const comparableOnly = (made: Filter): Filter => ({
  ...made,
  allow: made.allow.filter(isComparable),
  deny: made.deny.filter(isComparable),
});
export const comparable = filter.map(comparableOnly);
/** Short enough for a text of a few letters to be found by two of its patterns. */
export const short = filterOf(2).map(comparableOnly);

const expressions = new Map<string, RegExp>();
const expressionOf = (pattern: string): RegExp => {
  const expression = expressions.get(pattern) ?? new RegExp(pattern, 'u');
  expressions.set(pattern, expression);
  return expression;
};

/** Null is a client without the header: most of the models take that for an empty one. */
export function isAdmitted(
  { allow, deny, enabled }: Filter,
  text: string | null,
  model: UserAgentModel,
): boolean {
  if (!enabled) return true;
  const finds = (patterns: readonly string[]) => patterns.some((one) => expressionOf(one).test(text ?? ''));
  if (model === 'allow-wins' && text === null) return finds(allow);
  if (model === 'allow-wins') return finds(allow) || !finds(deny);
  if (finds(deny)) return false;
  return finds(allow) || (model === 'deny-wins' && allow.length === 0);
}

export const accessOf = (before: Filter, after: Filter, model: UserAgentModel) => {
  const route = { edgeId: 'e', routeId: 'r' };
  const sides = { before: { ...route, ...before }, after: { ...route, ...after } };
  // An update whatever is shown: two secrets that look alike may differ, which the step `same` would deny.
  const preview = previewOf(agents('filter', { ...sides, op: 'update' }));
  const [access] = routeAccess(stackChangeOf(resourceChanges(preview.steps)), { model, corpus: [] });
  if (!access) throw new Error('the route is missing');
  return access;
};

export const models = fc.constantFrom(...USER_AGENT_MODELS);
