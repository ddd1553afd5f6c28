// What for: what must stay true, and what was approved: assertions, waivers, the gate, the reviewed plan.
// Must not know: `report`, `effects` and `explain`; it reads no file by itself.
import type { FeedRevisions } from '../findings/feed-changes';
import type { Finding } from '../findings/finding';
import { finding, type FindingId } from '../findings/catalog';
import type { PreviewDocument } from '../preview/preview-document';
import { foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import { type Assertion, type AssertionSet, NO_ASSERTIONS, type Waiver } from './assertion';
import { decodeAssertions, decodeBaseAssertions, mergeAssertions } from './assertion-file';
import type { Gate } from './gate';
import type { GuardChange } from './guarded';
import { broughtBy, guardedBy, guardedByFeeds, lacking, valueInWords, waivedBy } from './guarded';
import { digestOf } from './reviewed-plan';
import { lackingPart } from './waivers';
import type { PreviewGap } from '../preview/preview-gaps';
import type { PreviewStep } from '../preview/preview-step';
import { ASSERTIONS_TYPE } from '../preview/resource-type';

/** The assertions of the base revision, or why they cannot be read, so that it is unknown what the change removes from them. */
export type BaseAssertions = { readonly assertions: AssertionSet } | { readonly problem: string };

export interface GuardSources {
  readonly assertions: AssertionSet;
  /** The assertion files of the base revision; absent if they were not asked for. */
  readonly base?: BaseAssertions;
  /** The feeds of both, as a feed's declaration guards the networks that it brings. */
  readonly feeds?: Omit<FeedRevisions, 'published'>;
}

/** The guards of a change. Its author can make them stricter, and cannot weaken them. */
export interface Guards {
  readonly assertions: AssertionSet['assertions'];
  /** Those that a known base does not ask for. */
  readonly brought: ReadonlySet<Assertion>;
  /** The waivers in force, and those that are only proposed. */
  readonly waivers: readonly Waiver[];
  readonly proposed: readonly Waiver[];
  readonly gates: { readonly base: Gate; readonly change: Gate };
  readonly findings: readonly Finding[];
  /** A digest of all that is guarded and waived, before and after: any further change gives another one. */
  readonly digest: string;
}

/** What the base guards, the change must guard as strictly, member by member as written; anything else stops until accepted. */
export function guardsOf(preview: PreviewDocument, sources: GuardSources): Guards {
  const { assertions, base, feeds } = sources;
  const files = base && 'assertions' in base ? base.assertions : undefined;
  const isWhole = preview.gaps.length === 0;
  const sideOf = (side: Side, assertions: AssertionSet): AssertionSet =>
    mergeAssertions([assertions, ...(isWhole ? programAssertions(preview.steps, side) : [])]);
  // Without a base, the files of the change are not trusted, and nothing is reported as taken from them.
  const before = sideOf('old', files ?? assertions);
  const after = sideOf('new', assertions);
  const ofFeeds = feeds ? guardedByFeeds(feeds) : { before: [], after: [] };
  const ofFiles = guardedBy(before, after);
  const guarded = {
    before: [...ofFiles.before, ...ofFeeds.before],
    after: [...ofFiles.after, ...ofFeeds.after],
  };
  const waived = { before: waivedBy(before.waivers), after: waivedBy(after.waivers) };
  const weakened = [
    ...weakening(trusted('removes or weakens'), lacking(guarded.before, guarded.after), trusted('now')),
    ...weakening(trusted('adds or extends'), lacking(waived.after, waived.before), trusted('before')),
  ];
  const inForce = waivedBy(sideOf('old', files ?? NO_ASSERTIONS).waivers);
  const isInForce = (waiver: Waiver): boolean => lacking(waivedBy([waiver]), inForce).length === 0;
  return {
    assertions: after.assertions,
    brought: files ? broughtBy(after, before) : new Set(),
    waivers: after.waivers.filter(isInForce),
    proposed: after.waivers.filter((waiver) => !isInForce(waiver)),
    gates: { base: files?.gate ?? {}, change: after.gate },
    findings: [...unread(sources), ...outdated(before, after), ...weakened],
    digest: digestOf(inOrder([guarded, waived])),
  };
}

/** High, as the person who accepts them has to see them. */
const MOST_NAMED = 20;

function weakening(verb: Sentence, lacks: ReturnType<typeof lacking>, when: Sentence): Finding[] {
  if (lacks.length === 0) return [];
  const named = listOf(
    lacks,
    ({ guard, instead }) => {
      const value = valueInWords(guard);
      return value ? say`${guard.name} ${value}${instead ? say` (${when} ${instead})` : []}` : guard.name;
    },
    MOST_NAMED,
  );
  return [finding('guard-weakened', { where: {}, reason: say`The change ${verb}: ${named}.` })];
}

const inOrder = (changes: readonly GuardChange[]): readonly (readonly string[])[] =>
  changes
    .flatMap(({ before, after }) => [before, after])
    .map((guards) => guards.map((guard) => JSON.stringify(guard)).sort());

/** What the base asks for in vain. Of a waiver that the change still has, there is a finding of its own. */
function outdated({ ignored = [], waivers }: AssertionSet, after: AssertionSet): Finding[] {
  const kept = new Set(after.waivers.map((waiver) => JSON.stringify(waiver)));
  const gone = waivers.filter((waiver) => lackingPart(waiver) && !kept.has(JSON.stringify(waiver)));
  const all = [
    ...ignored.map((each) => say`${foreign(each)}`),
    ...gone.map(
      ({ finding: id, subject }) =>
        say`the waiver of ${foreign(id)} for ${foreign(subject)} does not name what it accepts, and covers nothing`,
    ),
  ];
  return all.length === 0
    ? []
    : [finding('base-assertions-outdated', { where: {}, reason: say`${list(all)}.` })];
}

/** What is not known of the base, so that the change may take it away unseen. */
function unread({ base, assertions: { waivers, gate }, feeds }: GuardSources): Finding[] {
  const ofFeeds = feeds?.base && 'problem' in feeds.base ? feeds.base.problem : undefined;
  const ofFiles = base && 'problem' in base ? base.problem : undefined;
  const isNeeded = !base && waivers.length + Object.keys(gate).length > 0;
  const of = (id: FindingId, reason: Sentence) => finding(id, { where: {}, reason });
  const unknown = say`It is unknown which assertions the change removes: ${foreign(ofFiles ?? '')}.`;
  const lists = say`Published lists cannot be compared before and after the change: ${foreign(ofFeeds ?? '')}`;
  return [
    ...(ofFiles === undefined ? [] : [of('base-assertions-unread', unknown)]),
    ...(isNeeded ? [of('guards-without-base', WITHOUT_BASE)] : []),
    ...(ofFeeds === undefined ? [] : [of('base-feeds-unread', lists)]),
  ];
}

const WITHOUT_BASE = trusted(
  'Waivers, models and a milder threshold of the assertion files do not count because those of the base revision are not known.',
);

type Side = 'old' | 'new';

/** By the type on that side: an alias can give a component another type, and then it no longer states anything. */
const declarations = (steps: readonly PreviewStep[], side: Side): PreviewStep[] =>
  steps
    .filter((step) => step[side]?.type === ASSERTIONS_TYPE && step.op !== 'refresh')
    .sort((left, right) => (left.urn.text < right.urn.text ? -1 : 1));

/** The assertions of the program itself, which a preview shows as the inputs of a component. */
export const programAssertions = (steps: readonly PreviewStep[], side: Side): AssertionSet[] =>
  declarations(steps, side).flatMap((step) => {
    const inputs = step[side]?.inputs;
    const decode = side === 'old' ? decodeBaseAssertions : decodeAssertions;
    return inputs ? [decode(inputs, `The assertions ${step.urn.name}`)] : [];
  });

/** The assertions of the program that a preview does not show, as the SDK can be told to send no inputs of components. */
export const assertionGaps = (steps: readonly PreviewStep[]): PreviewGap[] =>
  (['old', 'new'] as const)
    .flatMap((side) =>
      declarations(steps, side).filter((step) => step[side]?.inputs?.['policies'] === undefined),
    )
    .map(
      ({ urn }) =>
        say`The preview hides what the assertions ${foreign(urn.name)} ask for because PULUMI_NODEJS_SKIP_COMPONENT_INPUTS was set.`,
    );
