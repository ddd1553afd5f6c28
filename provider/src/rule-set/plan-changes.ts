import type { LiveRule, Rule } from '../rule/rule';
import { compareRules, type Change } from './comparison';
import { pairMoves, type Moves } from './moves';
import { NetworkIndex } from './network-index';

/** One step of a plan. A flip is a delete and then a create, as the service may refuse two rules for one network. */
export type Step =
  | { readonly kind: 'create'; readonly rule: Rule }
  | { readonly kind: 'update' | 'flip'; readonly rule: LiveRule; readonly becomes: Rule }
  | { readonly kind: 'delete'; readonly rule: LiveRule };

/** Steps that may be done in any order, or at once. */
export type Phase = readonly Step[];

/**
 * Turns live rules into the declared ones, with the fewest requests and in an order in which no address is let in on the way
 * that has access neither before nor after. Assumes, as the public service of this interface works, that an address is let in
 * if it matches an allow and no deny.
 *
 * Each phase relies on those before it: steps that open (moved denies, new allows) come after all new denies, and a deny is
 * deleted only when the allows that end under it are gone. Other allows that end are deleted last, so that addresses which stay
 * let in under another allow are never shut out.
 */
export function planChanges(live: readonly LiveRule[], declared: readonly Rule[]): readonly Phase[] {
  const { edited, flipped, removed, added } = compareRules(live, declared);
  const ends = { allow: removed.filter(isAllow), deny: removed.filter(isDeny) };
  const begins = { allow: added.filter(isAllow), deny: added.filter(isDeny) };

  const endingDenies = lazily(() => new NetworkIndex(ends.deny));
  const isUnderNoEndingDeny = (rule: LiveRule): boolean =>
    endingDenies().overlapping(rule.cidr, 1).length === 0;
  const allows = pairMoves({ removed: ends.allow, added: begins.allow }, () => true, isUnderNoEndingDeny);
  const denies = pairMoves(
    { removed: ends.deny, added: begins.deny },
    movableDeny(ends.allow, begins.allow, allows),
  );
  const early = allowsUnder(denies.moved, allows.removed);

  return [
    denies.added.map(create),
    flipped.filter(({ becomes }) => isDeny(becomes)).map(flip),
    allows.removed.filter((rule) => early.has(rule)).map(remove),
    denies.moved.map(update),
    flipped.filter(({ becomes }) => isAllow(becomes)).map(flip),
    [...allows.added.map(create), ...allows.moved.map(update)],
    allows.removed.filter((rule) => !early.has(rule)).map(remove),
    [...denies.removed.map(remove), ...edited.map(update)],
  ].filter((phase) => phase.length > 0);
}

/** How many requests a plan takes if nothing goes wrong. */
export const requestCount = (plan: readonly Phase[]): number =>
  plan.flat().reduce((count, step) => count + (step.kind === 'flip' ? 2 : 1), 0);

/**
 * A deny may move only if every allow that ends in its network can be deleted before. That rules out allows that move
 * themselves (which comes after all denies), and those that overlap a new allow (whose addresses would be shut out in the
 * meantime).
 */
function movableDeny(
  endingAllows: readonly LiveRule[],
  newAllows: readonly Rule[],
  { moved }: Moves,
): (rule: LiveRule) => boolean {
  const isMoved = new Set(moved.map(({ rule }) => rule));
  const ending = lazily(() => new NetworkIndex(endingAllows));
  const beginning = lazily(() => new NetworkIndex(newAllows));
  return (deny) =>
    ending()
      .overlapping(deny.cidr)
      .every((allow) => !isMoved.has(allow) && beginning().overlapping(allow.cidr, 1).length === 0);
}

function allowsUnder(
  movedDenies: readonly Change[],
  endingAllows: readonly LiveRule[],
): ReadonlySet<LiveRule> {
  const index = new NetworkIndex(movedDenies.length === 0 ? [] : endingAllows);
  return new Set(movedDenies.flatMap(({ rule }) => index.overlapping(rule.cidr)));
}

/** Made only when needed, as an index of a long list is costly. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const isAllow = ({ action }: Rule): boolean => action === 'allow';
const isDeny = ({ action }: Rule): boolean => action === 'deny';
const create = (rule: Rule): Step => ({ kind: 'create', rule });
const remove = (rule: LiveRule): Step => ({ kind: 'delete', rule });
const update = (change: Change): Step => ({ kind: 'update', ...change });
const flip = (change: Change): Step => ({ kind: 'flip', ...change });
