import type { FeedRevisions } from '../feeds/revisions';
import { type Finding, finding } from '../findings/finding';
import { foreign, listOf, say, type Sentence, trusted } from '../text/sentence';
import type { AssertionSet } from './assertion';
import { type Guarded, guardedBy, guardedByFeeds, waivedBy } from './guarded';

/**
 * What a change takes from the guards of its base. Whatever the base guards, the change must guard as well: member by member, as it is
 * written, and as strictly or more so. Additions pass; anything else is for another person to accept.
 */
export function weakenedGuards(
  before: AssertionSet,
  after: AssertionSet,
  feeds: Omit<FeedRevisions, 'published'> | undefined,
): Finding[] {
  const byFeeds = feeds ? guardedByFeeds(feeds) : { before: [], after: [] };
  const [was, is] = [
    [...guardedBy(before), ...byFeeds.before],
    [...guardedBy(after), ...byFeeds.after],
  ];
  const lifted = lacking(waivedBy(after.waivers), waivedBy(before.waivers), trusted('before'));
  return [
    ...findingOf(trusted('removes or weakens'), lacking(was, is, trusted('now'))),
    ...findingOf(trusted('adds or extends'), lifted),
  ];
}

/** The wanted guards that are not there as strictly, in words, with what is there instead. */
function lacking(wanted: readonly Guarded[], there: readonly Guarded[], instead: Sentence): Sentence[] {
  const byKey = new Map<string, Guarded[]>();
  for (const guard of there) {
    const group = byKey.get(guard.key);
    if (group) group.push(guard);
    else byKey.set(guard.key, [guard]);
  }
  return wanted.flatMap((guard) => {
    const candidates = byKey.get(guard.key) ?? [];
    if (candidates.some((other) => isAsStrict(other, guard))) return [];
    const [{ value: other } = {}] = candidates;
    const now = other === undefined ? [] : say` (${instead} ${foreign(other)})`;
    return [guard.value === undefined ? guard.name : say`${guard.name} ${foreign(guard.value)}${now}`];
  });
}

function isAsStrict(other: Guarded, guard: Guarded): boolean {
  if (guard.leaves) {
    const left = new Set(guard.leaves);
    return other.leaves?.every((network) => left.has(network)) === true;
  }
  return other.strictness === undefined || guard.strictness === undefined
    ? other.value === guard.value
    : other.strictness >= guard.strictness;
}

/** Another person accepts them, and has to see them. */
const MOST_NAMED = 20;

const findingOf = (verb: Sentence, lacks: readonly Sentence[]): Finding[] =>
  lacks.length === 0
    ? []
    : [
        finding('guard-weakened', {
          where: {},
          reason: say`The change ${verb}: ${listOf(lacks, (lack) => lack, MOST_NAMED)}.`,
        }),
      ];
