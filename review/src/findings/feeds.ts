import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { type IntactFeed, isStale } from 'pulumi-edge-policy/internal/feeds/lock';
import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { emptyCidrSet, intersect, isEmptyCidrSet, subtract, toCidrs, unionAll } from '../access/cidr-set';
import type { PolicyChange } from '../access/policy-change';
import { networksWithSize } from '../text/amounts';
import { count, foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import type { FeedChange, FeedRevisions, PinnedFeeds, RevisionFeeds } from './feed-changes';
import { declarationInWords } from './feed-changes';
import { type Finding, findingOf, markExisting } from './finding';
import { aboutChange, aboutEvidence, aboutState } from './severity';

export const feedKinds = {
  'base-feeds-unread': aboutChange('high', {
    title: 'The published lists of the base revision cannot be read',
    verdict: 'stops-review',
    isUnacceptable: true,
    advice: 'Make sure that the base has both files, intact: without them, the lists cannot be compared.',
  }),
  'feed-lock-broken': aboutEvidence('high', 'none', {
    title: 'The lock of published lists is damaged or out of date',
    advice: `Run ${COMMAND_LINE} feeds update, or take the lock from the last good commit.`,
  }),
  'feed-not-confirmed': aboutChange('medium', {
    title: 'A publisher does not confirm the networks in the lock',
    advice: `Run ${COMMAND_LINE} feeds update; if the publisher does not list a network, find out who wrote it into the lock.`,
  }),
  'feed-beyond-bounds': aboutChange('medium', {
    title: 'The lock of a published list changes more than the base expects',
    advice:
      'Compare it with the publisher’s own page: beyond the bounds, no answer of the publisher confirms the change.',
  }),
  'feed-declared': aboutChange('medium', {
    title: 'A published list is new',
    advice:
      'Check whose list it is: once it is declared, what a publisher lists counts as confirmed in later changes. The owner of a DNS name chooses who gets in.',
  }),
  'feed-stale': aboutState('medium', 'none', {
    title: 'A published list has not been checked for too long',
    advice: `Run ${COMMAND_LINE} feeds update, preferably in a scheduled job.`,
  }),
};

const finding = findingOf(feedKinds);

export function feedFindings(
  { change, base }: FeedRevisions,
  { verdicts, now }: { readonly verdicts: readonly FeedVerdict[]; readonly now: number },
): Finding[] {
  if ('problem' in change) return [broken([change.problem])];
  return [
    ...(change.problems.size === 0 ? [] : [broken([...change.problems.values()])]),
    ...staleFindings(change, base, now),
    ...newFeeds(change, base),
    ...verdicts.flatMap(unconfirmed),
  ];
}

/** It is unknown what was locked. */
const broken = (problems: readonly string[]): Finding =>
  finding('feed-lock-broken', { where: {}, reason: say`${listOf(problems, foreign, 1)}` });

/** Stale by the declaration of the base, too, as a change must not make its own lock look fresh. */
function staleFindings(change: PinnedFeeds, base: RevisionFeeds | undefined, now: number): Finding[] {
  const known = base && !('problem' in base) ? base : undefined;
  const staleAmong = (feeds: readonly IntactFeed[]): Finding => {
    const names = feeds.map(({ declaration: { name } }) => name);
    const reason = say`Not checked with their publishers for too long: ${listOf(names, foreign)}.`;
    return finding('feed-stale', { where: {}, reason, members: names });
  };
  const isOld = (feed: IntactFeed): boolean => isStale(feed, now);
  const stale = [...change.feeds.values()].filter((feed) => {
    const declaration = known?.declarations.get(feed.declaration.name);
    return isOld(feed) || (declaration !== undefined && isOld({ ...feed, declaration }));
  });
  if (stale.length === 0) return [];
  return markExisting([staleAmong(stale)], [staleAmong([...(known?.feeds.values() ?? [])].filter(isOld))]);
}

/** From the next change on, what its publisher lists counts as confirmed. */
function newFeeds(change: PinnedFeeds, base: RevisionFeeds | undefined): Finding[] {
  if (!base || 'problem' in base) return [];
  const added = [...change.declarations.values()].filter(({ name }) => !base.declarations.has(name));
  if (added.length === 0) return [];
  const reason = say`The change declares ${count(added.length, 'feed')}: ${list(added.map(declarationInWords))}.`;
  return [finding('feed-declared', { where: {}, reason })];
}

function unconfirmed(verdict: FeedVerdict): Finding[] {
  const { name, state, beyond } = verdict;
  const where = { subject: `feed ${name}` };
  const isOpen = state === 'contradicted' || state === 'unconfirmed';
  const severity = state === 'contradicted' ? 'high' : 'medium';
  const reason = say`${foreign(name)}: ${verdictInWords(verdict)}.`;
  const step = beyond && say`${foreign(name)}: the lock changed, and ${beyond}.`;
  return [
    ...(isOpen ? [finding('feed-not-confirmed', { where, reason, severity })] : []),
    ...(step ? [finding('feed-beyond-bounds', { where, reason: step })] : []),
  ];
}

export interface FeedVerdict extends Pick<FeedChange, 'added' | 'beyond' | 'name' | 'removed'> {
  readonly state: 'by-name' | 'confirmed' | 'contradicted' | 'not-asked' | 'unconfirmed';
  readonly reason?: Sentence;
}

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
    const { gained, lost, answer, beyond } = change;
    if (!answer || 'problem' in answer || beyond) return [];
    return uses(change).map((action) =>
      action === 'allow' ? intersect(gained, answer.published) : subtract(lost, answer.published),
    );
  });
  const gains = [policy.access, ...policy.later].map((access) => access.gained.possibly);
  return isEmptyCidrSet(subtract(unionAll(gains), unionAll(confirmed)));
}

/** Additions count if a feed is allowed, and removals if it is denied: those let somebody in. */
function verdictOn(
  { name, added, removed, gained, lost, names, answer, beyond }: FeedChange,
  actions: ReadonlySet<RuleAction>,
): FeedVerdict {
  const counts = { name, added, removed, ...(beyond && { beyond }) };
  if (names) return { ...counts, state: 'by-name', reason: listOf(names, foreign) };
  if (!answer) return { ...counts, state: 'not-asked', reason: trusted('its publisher was not asked') };
  if ('problem' in answer) return { ...counts, state: 'unconfirmed', reason: answer.problem };
  const isDenied = actions.has('deny');
  const unlisted = actions.has('allow') || !isDenied ? subtract(gained, answer.published) : emptyCidrSet;
  const stillListed = isDenied ? intersect(lost, answer.published) : emptyCidrSet;
  const claims = [
    ...(isEmptyCidrSet(unlisted) ? [] : [say`does not list ${networksWithSize(toCidrs(unlisted))}`]),
    ...(isEmptyCidrSet(stillListed) ? [] : [say`still lists ${networksWithSize(toCidrs(stillListed))}`]),
  ];
  if (claims[0]) return { ...counts, state: 'contradicted', reason: say`its publisher ${claims[0]}` };
  return beyond ? { ...counts, state: 'unconfirmed', reason: beyond } : { ...counts, state: 'confirmed' };
}

/** `3 networks more, 1 fewer, confirmed with the publisher`. */
export function verdictInWords({ added, removed, state, reason }: FeedVerdict): Sentence {
  const networks = trusted(added === 1 ? 'network' : 'networks');
  const change = say`${added} ${networks} more, ${removed} fewer`;
  // Nobody can confirm it: whoever owns the name could let themselves in.
  if (state === 'by-name')
    return say`${change}, by the name ${reason ?? []}, whose owner chooses the addresses`;
  if (state === 'confirmed') return say`${change}, confirmed with the publisher`;
  return say`${change}, claimed by the lock, not confirmed${reason ? say`: ${reason}` : []}`;
}
