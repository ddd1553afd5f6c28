import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { emptyCidrSet, intersect, isEmptyCidrSet, subtract, toCidrs, unionAll } from '../access/cidr-set';
import type { PolicyChange } from '../access/policy-change';
import { networksWithSize } from '../text/amounts';
import { say, type Sentence, trusted } from '../text/sentence';
import type { FeedChange } from './feed-change';

/** Whether a publisher confirms the locked networks of its feed. */
export interface FeedVerdict extends Pick<FeedChange, 'added' | 'name' | 'removed'> {
  readonly state: 'confirmed' | 'contradicted' | 'not-asked' | 'unconfirmed';
  /** Why it is not confirmed. */
  readonly reason?: Sentence;
}

/** Compares the changes of feeds with what their publishers say. */
export function verdictsOn(
  changes: readonly FeedChange[],
  policies: readonly PolicyChange[],
): readonly FeedVerdict[] {
  if (changes.length === 0) return [];
  const uses = policies.map(usesIn);
  return changes.map((change) => verdictOn(change, new Set(uses.flatMap((of) => of(change)))));
}

/** How a policy uses a feed: those of its rules of an action that have all networks of the base. */
function usesIn({ before }: PolicyChange): (change: FeedChange) => readonly RuleAction[] {
  const lists = (['allow', 'deny'] as const).map((action) => {
    const networks = new Set(before.byAction[action].rules.map(({ cidr }) => cidr.text));
    return { action, networks };
  });
  return (change) =>
    lists.flatMap(({ action, networks }) =>
      change.before.every(({ text }) => networks.has(text)) ? [action] : [],
    );
}

/** The policies whose gains, now and later, are only what the publishers of their feeds confirm. */
export const confirmedPolicies = (
  changes: readonly FeedChange[],
  policies: readonly PolicyChange[],
): ReadonlySet<string> =>
  new Set(policies.filter((policy) => isConfirmed(policy, changes)).map(({ policyId }) => policyId));

function isConfirmed(policy: PolicyChange, changes: readonly FeedChange[]): boolean {
  const uses = usesIn(policy);
  const confirmed = changes.flatMap((change) => {
    const { gained, lost, answer } = change;
    if (!answer || 'problem' in answer) return [];
    return uses(change).map((action) =>
      action === 'allow' ? intersect(gained, answer.published) : subtract(lost, answer.published),
    );
  });
  const gains = [policy.access, ...policy.later].map((access) => access.gained.possibly);
  return isEmptyCidrSet(subtract(unionAll(gains), unionAll(confirmed)));
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

/** `3 networks more, 1 fewer, confirmed with the publisher`. */
export function verdictInWords({ added, removed, state, reason }: FeedVerdict): Sentence {
  const networks = trusted(added === 1 ? 'network' : 'networks');
  const change = say`${added} ${networks} more, ${removed} fewer`;
  if (state === 'confirmed') return say`${change}, confirmed with the publisher`;
  return say`${change}, claimed by the lock, not confirmed${reason ? say`: ${reason}` : []}`;
}
