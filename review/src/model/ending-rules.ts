// Rules of sets may end (`until`): a set leaves an ended rule out, but the service applies it until the next up.
import { endMs, hasEnded } from 'pulumi-edge-policy/internal/values/until';
import type { RuleDeclaration } from './declarations';
import { type Known, valueOf } from './known';
import { keptOrigins } from './resource-change';
import { rulesByPolicy, type StackChange } from './snapshot';

/** A rule that ends, with its other side if there is one. */
export interface EndingRule {
  readonly before?: RuleDeclaration;
  readonly after?: RuleDeclaration;
}

/** The rules that end on at least one side of the change, in the order of that side. */
export function endingRules({ before, after }: StackChange): EndingRule[] {
  const ends = ({ until, visible }: RuleDeclaration): boolean => until !== undefined && visible !== undefined;
  const [endingBefore, endingAfter] = [before.rules.all.filter(ends), after.rules.all.filter(ends)];
  if (endingBefore.length + endingAfter.length === 0) return [];
  const keys = new Set([...endingBefore, ...endingAfter].map(keyOf));
  const pairs = new Map<string, EndingRule>();
  const add = (rules: readonly RuleDeclaration[], side: 'before' | 'after'): void => {
    for (const rule of rules) {
      const key = keyOf(rule);
      if (keys.has(key)) pairs.set(key, { ...pairs.get(key), [side]: rule });
    }
  };
  add(before.rules.all, 'before');
  add(after.rules.all, 'after');
  return [...pairs.values()];
}

/** The content of a rule, whichever resource declares it. */
const keyOf = ({ policyId, cidr, action }: RuleDeclaration): string =>
  JSON.stringify([valueOf(policyId), valueOf(cidr)?.text, valueOf(action)]);

/** The rules that a change adds, or gives another end. A rule with a hidden value counts unless its resource is unchanged. */
export function startingAnew({ before, after, changes }: StackChange): RuleDeclaration[] {
  const kept = keptOrigins(changes);
  const earlier = new Set(before.rules.all.filter(({ visible }) => visible).map(keyWithEnd));
  const same = new Set(before.rules.all);
  return after.rules.all.filter(
    (rule) => !same.has(rule) && !kept.has(rule.origin) && !(rule.visible && earlier.has(keyWithEnd(rule))),
  );
}

const keyWithEnd = (rule: RuleDeclaration): string =>
  JSON.stringify([keyOf(rule), rule.until === undefined ? null : (valueOf(rule.until) ?? '')]);

/** Whether a rule has ended by then; unknown if its end is. */
export const isOver = ({ until }: RuleDeclaration, nowMs: number): boolean =>
  until?.isKnown === true && hasEnded(until.value, nowMs);

/** When a rule ends, in milliseconds; Infinity if it has no end; undefined if that is not known. */
export const endOfRule = (until: Known<string> | undefined): number | undefined =>
  until === undefined ? Number.POSITIVE_INFINITY : until.isKnown ? endMs(until.value) : undefined;

/**
 * The change without the rules that have ended and that it declares anew: the access that they give should be over, so it
 * counts as gained. An ended rule that is only removed is live until then.
 */
export function withoutRevived(stack: StackChange, nowMs: number): StackChange {
  const revived = new Set(
    endingRules(stack).flatMap(({ before, after }) =>
      before && after && isOver(before, nowMs) && !isOver(after, nowMs) ? [before] : [],
    ),
  );
  if (revived.size === 0) return stack;
  const rules = rulesByPolicy(stack.before.rules.all.filter((rule) => !revived.has(rule)));
  return { ...stack, before: { ...stack.before, rules } };
}
