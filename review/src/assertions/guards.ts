import { createHash } from 'node:crypto';
import type { FeedRevisions } from '../feeds/revisions';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import type { PreviewDocument } from '../preview/preview-document';
import { foreign, say, trusted } from '../text/sentence';
import type { AssertionSet, Waiver } from './assertion';
import { NO_ASSERTIONS } from './assertion';
import { mergeAssertions } from './assertion-file';
import type { Gate } from './gate';
import type { Side } from './program-assertions';
import { programAssertions } from './program-assertions';
import { weakenedGuards } from './weakened';

/** The assertions of the base revision, or why they cannot be read, so that it is unknown what the change removes from them. */
export type BaseAssertions = { readonly assertions: AssertionSet } | { readonly problem: string };

/** The sources of guards: files of the change and of its base, and the assertions in the program. */
export interface GuardSources {
  /** The assertion files of the change. */
  readonly assertions: AssertionSet;
  /** The assertion files of the base revision; absent if they were not asked for. */
  readonly base?: BaseAssertions;
  /** The hash of the change of guards that another person has accepted. */
  readonly accepted?: string;
  /** The feeds of both, as a feed's declaration guards the networks that it brings. */
  readonly feeds?: Omit<FeedRevisions, 'published'>;
}

/** The guards of a change. Its author can make them stricter, and cannot weaken them. */
export interface Guards {
  /** The assertions about the stack. */
  readonly assertions: AssertionSet['assertions'];
  /** The waivers in force, and those that are only proposed. */
  readonly waivers: readonly Waiver[];
  readonly proposed: readonly Waiver[];
  /** The gates in the files of the base and of the change. */
  readonly gates: { readonly base: Gate; readonly change: Gate };
  readonly findings: readonly Finding[];
  /** Set if the change weakens a guard: another person may accept exactly the change with this hash. */
  readonly change?: { readonly hash: string; readonly isAccepted: boolean };
}

/** Compares the guards before and after a change. */
export function guardsOf(
  preview: PreviewDocument,
  { assertions, base, accepted, feeds }: GuardSources,
): Guards {
  const trusted = base && 'assertions' in base ? base.assertions : NO_ASSERTIONS;
  const isWhole = preview.gaps.length === 0;
  const sideOf = (side: Side, own: AssertionSet): AssertionSet =>
    mergeAssertions([own, ...(isWhole ? programAssertions(preview.steps, side) : [])]);
  // Without a base, it is unknown what the change takes from its files: so these are not trusted, and nothing is reported as
  // taken.
  const before = sideOf('old', base && 'assertions' in base ? trusted : assertions);
  const after = sideOf('new', assertions);
  const weakened = weakenedGuards(before, after, feeds);
  const hash = hashOf(preview, { before, after, ...(feeds && { feeds }) });
  const isAccepted = weakened.length > 0 && accepted === hash;
  const inForce = isAccepted ? after : sideOf('old', trusted);
  const waivers = after.waivers.flatMap((waiver) => narrowed(waiver, inForce.waivers));
  const isTrusted = (waiver: Waiver): boolean =>
    waivers.some(({ finding: id, subject }) => id === waiver.finding && subject === waiver.subject);
  return {
    assertions: after.assertions,
    waivers,
    proposed: after.waivers.filter((waiver) => !isTrusted(waiver)),
    gates: { base: isAccepted ? after.gate : trusted.gate, change: after.gate },
    findings: [
      ...baseFindings(base, assertions),
      ...unreadBaseFeeds(feeds?.base),
      ...weakened.map((found) => (isAccepted ? accept(found, hash) : withHash(found, hash, accepted))),
    ],
    ...(weakened.length > 0 && { change: { hash, isAccepted } }),
  };
}

/** As far as the waivers in force reach. */
function narrowed(waiver: Waiver, inForce: readonly Waiver[]): Waiver[] {
  const expires = inForce
    .filter(({ finding: id, subject }) => id === waiver.finding && subject === waiver.subject)
    .map((old) => (old.expires < waiver.expires ? old.expires : waiver.expires))
    .sort()
    .at(-1);
  return expires === undefined ? [] : [{ ...waiver, expires }];
}

/** Covers the stack and both sides in full: any further change gives another hash. */
function hashOf(
  { project, stack }: PreviewDocument,
  { before, after, feeds }: Readonly<Record<'before' | 'after', AssertionSet>> & Pick<GuardSources, 'feeds'>,
): string {
  const sorted = ({ assertions, waivers, gate }: AssertionSet) => [
    assertions.map((assertion) => JSON.stringify(assertion)).sort(),
    waivers.map((waiver) => JSON.stringify(waiver)).sort(),
    Object.entries(gate).sort(([left], [right]) => (left < right ? -1 : 1)),
  ];
  const declared = feeds ? [declarationsIn(feeds.base), declarationsIn(feeds.change)] : [];
  const content = JSON.stringify([project, stack, sorted(before), sorted(after), declared]);
  return createHash('sha256').update(content).digest('hex');
}

/** The declarations in the form in which the hash of a change of guards includes them. */
const declarationsIn = (revision: FeedRevisions['base']): readonly string[] =>
  !revision || 'problem' in revision
    ? []
    : [...revision.declarations.values()].map((declaration) => JSON.stringify(declaration)).sort();

/** Why it is unknown what the change takes from the declarations of its base. */
function unreadBaseFeeds(base: FeedRevisions['base']): Finding[] {
  if (!base || !('problem' in base)) return [];
  const reason = say`Published lists cannot be compared before and after the change: ${foreign(base.problem)}`;
  return [finding('base-feeds-unread', { where: {}, reason })];
}

function baseFindings(base: BaseAssertions | undefined, { waivers, gate }: AssertionSet): Finding[] {
  if (base && 'problem' in base) {
    const reason = say`It is unknown which assertions the change removes: ${foreign(base.problem)}.`;
    return [finding('base-assertions-unread', { where: {}, reason })];
  }
  if (base || waivers.length + Object.keys(gate).length === 0) return [];
  const reason = trusted(
    'Waivers, models and a milder threshold of the assertion files do not count, as those of the base revision are not known.',
  );
  return [finding('guards-without-base', { where: {}, reason })];
}

const accept = ({ where, reason }: Finding, hash: string): Finding =>
  finding('guards-accepted', { where, reason: say`${reason} Accepted as ${foreign(hash)}.` });

function withHash(found: Finding, hash: string, accepted: string | undefined): Finding {
  const note = say`Another person can accept exactly these changes to guards: --accept-guards ${foreign(hash)}.`;
  const other = say`Other changes to guards were accepted: ${foreign(accepted ?? '')}.`;
  return { ...found, notes: [note, ...(accepted === undefined ? [] : [other])] };
}
