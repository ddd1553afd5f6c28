import { type FeedDeclaration, isSameSource } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import type { FeedRevisions } from '../feeds/revisions';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import { foreign, list, say, type Sentence, trusted } from '../text/sentence';

/** What a change takes from the feed declarations of its base. A removed feed takes nothing: its networks are removed as rules. */
export function weakenedFeeds({ base, change }: Omit<FeedRevisions, 'published'>): Finding[] {
  if (!base || 'problem' in base || 'problem' in change) return [];
  return [...base.declarations.values()].flatMap((before) => {
    const { name } = before;
    const after = change.declarations.get(name);
    const losses = after ? lossesOf(before, after) : [];
    if (losses.length === 0) return [];
    const reason = say`The change weakens the feed ${foreign(name)}: ${list(losses, losses.length)}.`;
    return [finding('feed-weakened', { where: { subject: `feed ${name}` }, reason })];
  });
}

function lossesOf(before: FeedDeclaration, after: FeedDeclaration): Sentence[] {
  const [old, young] = [before.bounds, after.bounds];
  const from = say`it takes ${foreign(JSON.stringify(after.source))} in place of ${foreign(JSON.stringify(before.source))}`;
  const losses: readonly (readonly [boolean, Sentence])[] = [
    [!isSameSource(before.source, after.source), from],
    [young.atLeast < old.atLeast, trusted('it may shrink more at once (atLeast)')],
    [young.atMost > old.atMost, trusted('it may grow more at once (atMost)')],
    [young.widest[4] < old.widest[4], trusted('its networks may be wider (widestIpv4)')],
    [young.widest[6] < old.widest[6], trusted('its networks may be wider (widestIpv6)')],
    [
      young.isSpecialAllowed && !old.isSpecialAllowed,
      trusted('it may hold special-purpose networks (specialPurpose)'),
    ],
    [after.maxAgeDays > before.maxAgeDays, trusted('it may be older (maxAgeDays)')],
  ];
  return losses.filter(([isLost]) => isLost).map(([, loss]) => loss);
}

/** The declarations in the form in which the hash of a change of guards includes them. */
export const declarationsIn = (revision: FeedRevisions['base']): readonly string[] =>
  !revision || 'problem' in revision
    ? []
    : [...revision.declarations.values()].map((declaration) => JSON.stringify(declaration)).sort();

/** Why it is unknown what the change takes from the declarations of its base. */
export function unreadBaseFeeds(base: FeedRevisions['base']): Finding[] {
  if (!base || !('problem' in base)) return [];
  const reason = say`Published lists cannot be compared before and after the change: ${foreign(base.problem)}`;
  return [finding('base-feeds-unread', { where: {}, reason })];
}
