import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import {
  type CidrSet,
  emptyCidrSet,
  intersect,
  isEmptyCidrSet,
  overlap,
  subtract,
  unionAll,
  toCidrs,
} from '../access/cidr-set';
import type { PolicyChange } from '../access/policy-change';
import { networksWithSize } from '../text/amounts';
import { foreign, listOf, say, type Sentence, trusted } from '../text/sentence';
import type { FeedChange } from './feed-change';

/** Whether a publisher confirms the locked networks of its feed. */
export interface FeedVerdict extends Pick<FeedChange, 'added' | 'name' | 'removed'> {
  readonly state: 'confirmed' | 'contradicted' | 'not-asked' | 'unconfirmed';
  /** Why it is not confirmed. */
  readonly reason?: Sentence;
}

/** Whether addresses gain access or lose it. */
export type Direction = 'gained' | 'lost';

/** Names the feeds that account for all of these addresses, if each publisher confirms them; undefined otherwise. */
export type ConfirmedMoves = (moved: CidrSet, direction: Direction) => readonly string[];

/** The confirmations by publishers, feed by feed, and for the effects on a policy. */
export interface Confirmation {
  readonly verdicts: readonly FeedVerdict[];
  readonly movesOf: (policy: PolicyChange) => ConfirmedMoves;
}

/** Compares the changes of feeds with what their publishers say. */
export function confirmationOf(
  changes: readonly FeedChange[],
  policies: readonly PolicyChange[],
): Confirmation {
  const uses = new Map(policies.map((policy) => [policy, usesIn(policy, changes)]));
  const all = [...uses.values()].flat();
  const verdicts = changes.map((change) =>
    verdictOn(change, new Set(all.flatMap((use) => (use.change === change ? [use.action] : [])))),
  );
  const confirmed = new Set(changes.filter((_, index) => verdicts[index]?.state === 'confirmed'));
  return {
    verdicts,
    movesOf: (policy) => {
      const moves = (uses.get(policy) ?? []).filter(({ change }) => confirmed.has(change)).map(movesBy);
      return (moved, direction) => {
        const touching = moves.filter((move) => overlap(move[direction], moved));
        const left = subtract(moved, unionAll(touching.map((move) => move[direction])));
        return isEmptyCidrSet(left) ? touching.map(({ name }) => name) : [];
      };
    },
  };
}

/** How a policy uses a feed. */
interface Use {
  readonly change: FeedChange;
  readonly action: RuleAction;
}

/**
 * The feeds that a policy already used: all networks of the base are rules of it. That a change adds a feed to a policy is a
 * person's decision, which no publisher confirms.
 */
function usesIn({ before }: PolicyChange, changes: readonly FeedChange[]): Use[] {
  if (changes.length === 0) return [];
  return (['allow', 'deny'] as const).flatMap((action) => {
    const networks = new Set(before.byAction[action].rules.map(({ cidr }) => cidr.text));
    return changes
      .filter((change) => change.before.every(({ text }) => networks.has(text)))
      .map((change) => ({ change, action }));
  });
}

/** Additions count if a feed is allowed, and removals if it is denied: those let somebody in. */
function verdictOn(
  { name, added, removed, gained, lost, answer }: FeedChange,
  actions: ReadonlySet<RuleAction>,
): FeedVerdict {
  const counts = { name, added, removed };
  if (!answer) return { ...counts, state: 'not-asked', reason: trusted('its publisher was not asked') };
  if ('problem' in answer) return { ...counts, state: 'unconfirmed', reason: answer.problem };
  const isDenied = actions.has('deny');
  const unlisted = actions.has('allow') || !isDenied ? subtract(gained, answer.published) : emptyCidrSet;
  const stillListed = isDenied ? intersect(lost, answer.published) : emptyCidrSet;
  if (!isEmptyCidrSet(unlisted)) {
    const reason = say`its publisher does not list ${networksWithSize(toCidrs(unlisted))}`;
    return { ...counts, state: 'contradicted', reason };
  }
  if (!isEmptyCidrSet(stillListed)) {
    const reason = say`its publisher still lists ${networksWithSize(toCidrs(stillListed))}`;
    return { ...counts, state: 'contradicted', reason };
  }
  return { ...counts, state: 'confirmed' };
}

interface Moves extends Readonly<Record<Direction, CidrSet>> {
  readonly name: string;
}

function movesBy({ change: { name, gained, lost, answer }, action }: Use): Moves {
  const none = emptyCidrSet;
  if (!answer || 'problem' in answer) return { name, gained: none, lost: none };
  const listed = intersect(gained, answer.published);
  const gone = subtract(lost, answer.published);
  return action === 'allow' ? { name, gained: listed, lost: gone } : { name, gained: gone, lost: listed };
}

/** `3 networks more, 1 fewer, confirmed with the publisher`. */
export function verdictInWords({ added, removed, state, reason }: FeedVerdict): Sentence {
  const networks = trusted(added === 1 ? 'network' : 'networks');
  const change = say`${added} ${networks} more, ${removed} fewer`;
  if (state === 'confirmed') return say`${change}, confirmed with the publisher`;
  return say`${change}, claimed by the lock, not confirmed${reason ? say`: ${reason}` : []}`;
}

/** `the feed cloudflare, confirmed with the publisher`. */
export const feedsInWords = (names: readonly string[]): Sentence =>
  names.length === 1
    ? say`the feed ${listOf(names, foreign)}, confirmed with its publisher`
    : say`the feeds ${listOf(names, foreign)}, confirmed with their publishers`;
