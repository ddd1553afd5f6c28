import { type IntactFeed, isStale } from 'pulumi-edge-policy/internal/feeds/lock';
import { declarationInWords } from './feed-terms';
import { type FeedVerdict, verdictInWords } from './feed-confirmation';
import type { FeedRevisions, PinnedFeeds, RevisionFeeds } from './feed-change';
import { count, foreign, list, listOf, say } from '../text/sentence';
import { type Finding, finding } from './finding';

/** Findings about the feeds of a change, besides the effects of their networks as rules. */
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
  const isOld = (feed: IntactFeed | undefined): boolean => feed !== undefined && isStale(feed, now);
  const stale = [...change.feeds.values()].filter((feed) => {
    const declaration = known?.declarations.get(feed.declaration.name);
    return isOld(feed) || (declaration !== undefined && isOld({ ...feed, declaration }));
  });
  if (stale.length === 0) return [];
  const names = listOf(stale, ({ declaration: { name } }) => foreign(name));
  const reason = say`Not checked with their publishers for too long: ${names}.`;
  const isNew = stale.some(({ declaration: { name } }) => !isOld(known?.feeds.get(name)));
  return [finding('feed-stale', { where: {}, reason, isNew })];
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
  if (verdict.state === 'confirmed' || verdict.state === 'not-asked') return [];
  return [
    finding('feed-not-confirmed', {
      where: { subject: `feed ${verdict.name}` },
      reason: say`${foreign(verdict.name)}: ${verdictInWords(verdict)}.`,
      severity: verdict.state === 'contradicted' ? 'high' : 'medium',
    }),
  ];
}
