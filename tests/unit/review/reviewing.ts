import type { Drift } from '../../../review/src/findings/drift';
import {
  DEFAULT_CONTEXT,
  guardsOf,
  NO_ASSERTIONS,
  readAssertionFile,
  reviewPreview,
} from '../../../review/src';
import type { FindingId } from '../../../review/src/findings/catalog';
import { plain } from '../../../review/src/text/escape';
import type {
  Assumptions,
  AssertionSet,
  BaseAssertions,
  FailOn,
  FeedRevisions,
  PreviewDocument,
  Report,
  Requirements,
  ReviewedPlan,
  Traffic,
} from '../../../review/src';
import type { StackState } from '../../../review/src/preview/stack-state';
import { cidrOf } from './pinned-feeds';

/** What a test wants to be otherwise than by default. */
export interface Wishes {
  readonly assumptions?: Partial<Assumptions>;
  readonly assertions?: AssertionSet;
  /** The base of the guards; without one it has what the change has. */
  readonly base?: BaseAssertions | 'not-known';
  readonly accepted?: string;
  readonly noNewAccess?: boolean;
  readonly expected?: ReviewedPlan;
  readonly failOn?: FailOn;
  readonly confirmedFeeds?: FailOn;
  readonly maxRefusedClients?: number;
  readonly traffic?: Traffic;
  readonly mustAllow?: readonly string[];
  readonly feeds?: FeedRevisions;
  readonly today?: string;
  /** The time of the review, RFC 3339. */
  readonly now?: string;
  readonly drift?: Drift;
  readonly requires?: Requirements;
  readonly state?: StackState;
}

/** A review with the defaults of the command line, on a fixed day. */
export function reviewed(preview: PreviewDocument, wishes: Wishes = {}): Report {
  const assumptions = { ...DEFAULT_CONTEXT.assumptions, ...wishes.assumptions };
  const assertions = wishes.assertions ?? NO_ASSERTIONS;
  const requestOf = () => ({
    context: { ...DEFAULT_CONTEXT, assumptions },
    // The guards are those of the base, unless a test is about a change of them.
    guards: guardsOf(preview, {
      assertions,
      ...(wishes.base !== 'not-known' && { base: wishes.base ?? { assertions } }),
      ...(wishes.accepted !== undefined && { accepted: wishes.accepted }),
      ...(wishes.feeds && { feeds: wishes.feeds }),
    }),
    now: wishes.now ?? `${wishes.today ?? '2026-06-15'}T12:00:00.000Z`,
    ...(wishes.requires && { requires: wishes.requires }),
    failOn: wishes.failOn ?? 'high',
    ...(wishes.confirmedFeeds && { confirmedFeeds: wishes.confirmedFeeds }),
    ...(wishes.mustAllow && { mustAllow: wishes.mustAllow.map(cidrOf) }),
    ...(wishes.feeds && { feeds: wishes.feeds }),
    ...(wishes.state && { state: wishes.state }),
    ...(wishes.expected && { expected: wishes.expected }),
    ...(wishes.maxRefusedClients !== undefined && { maxRefusedClients: wishes.maxRefusedClients }),
    ...(wishes.traffic && { traffic: wishes.traffic }),
    ...(wishes.noNewAccess !== undefined && { noNewAccess: wishes.noNewAccess }),
  });
  return reviewPreview({ ...preview, ...(wishes.drift && { drift: wishes.drift }) }, requestOf);
}

/** Findings in words, of all kinds or of one. */
export const told = ({ findings }: Pick<Report, 'findings'>, kind?: FindingId): string[] =>
  findings
    .filter(({ id }) => kind === undefined || id === kind)
    .map(({ id, severity, reason }) => `${severity} ${id}: ${plain(reason)}`);

/** Asks for something of the policy `ipp_1`. */
export const demanding = (demands: object): { readonly assertions: AssertionSet } => ({
  assertions: readAssertionFile(
    JSON.stringify({ policies: [{ ipPolicyId: 'ipp_1', ...demands }] }),
    'a.json',
  ),
});

/** The ids of the findings that the change brings, each as often as it is found. */
export const newIds = (report: Report): string[] =>
  report.findings.filter((found) => found.isNew).map((found) => found.id);
