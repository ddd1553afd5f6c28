// Rules of sets may end (`until`): a set leaves an ended rule out, but the service applies it until the next up.
import { endMs, hasEnded } from 'pulumi-edge-policy/internal/values/until';
import type { RuleDeclaration, Snapshot } from './declarations';
import { type Known, valueOf } from './known';
import { keptOrigins } from './resource-change';
import { rulesByPolicy, type StackChange } from './snapshot';

/** A snapshot at a later moment: without the rules that have ended by then. A policy that has lost all of them is empty. */
export function snapshotAt(snapshot: Snapshot, atMs: number): Snapshot {
  const { all, placed } = snapshot.rules;
  if (!all.some((rule) => isOver(rule, atMs))) return snapshot;
  const rules = rulesByPolicy(all.filter((rule) => !isOver(rule, atMs)));
  const emptied = [...placed.keys()].map((policyId) => [policyId, rules.placed.get(policyId) ?? []] as const);
  return { ...snapshot, rules: { ...rules, placed: new Map(emptied) } };
}

/** The content of a rule, whichever resource declares it. */
export const contentOf = ({ policyId, cidr, action }: RuleDeclaration): string =>
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
  JSON.stringify([contentOf(rule), rule.until === undefined ? null : (valueOf(rule.until) ?? '')]);

export const isOver = ({ until }: RuleDeclaration, nowMs: number): boolean =>
  until?.isKnown === true && hasEnded(until.value, nowMs);

/** When a rule ends, in milliseconds; Infinity if it has no end; undefined if that is not known. */
export const endOfRule = (until: Known<string> | undefined): number | undefined =>
  until === undefined ? Number.POSITIVE_INFINITY : until.isKnown ? endMs(until.value) : undefined;
