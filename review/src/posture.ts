import type { Assertion } from './assertions/assertion';
import { decodeAssertions, mergeAssertions } from './assertions/assertion-file';
import { gateInForce } from './assertions/gate';
import { guardsOf } from './assertions/guards';
import { applyWaivers, type ReportedFinding } from './assertions/waivers';
import { DEFAULT_CONTEXT } from './effects/assumptions';
import type { FindingId } from './findings/catalog';
import { isPosture } from './findings/posture-kinds';
import type { Severity } from './findings/severity';
import { hiddenValueFindings } from './findings/hidden-value-findings';
import type { BySubject } from './model/by-subject';
import type { Origin, Snapshot } from './model/declarations';
import { UNKNOWN_AT_PREVIEW } from './model/known';
import { resourceChanges } from './model/resource-change';
import { snapshotOf } from './model/snapshot';
import { declarationGaps } from './preview/preview-gaps';
import { type PreviewStep, readStep } from './preview/preview-step';
import { reviewPreview } from './review';
import { plain } from './text/escape';
import { trafficPoliciesOf } from './traffic-policy/policies';
import { filtersOf } from './user-agents/filters';
import { isForeign, type Sentence } from './text/sentence';

export { POSTURE_KINDS } from './findings/posture-kinds';
export type { PostureKind } from './findings/posture-kinds';

/** What stands for a value that is not known yet. */
export const UNKNOWN = UNKNOWN_AT_PREVIEW;

/** A resource as a stack declares it, of whatever type. */
export interface DeclaredResource {
  readonly urn: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The URN of its provider, if that is known. */
  readonly provider?: string;
}

/** What is asked of a stack, besides what is asked of all. */
export interface PostureRequest {
  /** What must be true, what is waived, and the models: the content of assertion files. */
  readonly assertions: readonly Readonly<Record<string, unknown>>[];
  /** The time at which it is judged, RFC 3339 in UTC: which rules have ended, and which waivers. */
  readonly now: string;
}

/** A finding, in words that hold no value of the stack: any of them may be a secret. */
export interface PostureFinding {
  readonly id: FindingId;
  readonly severity: Severity;
  /** The resource to look at; none if it is about the whole stack. */
  readonly urn?: string;
  /** The property to look at. */
  readonly property?: string;
  /** What is asked for and does not hold, or what cannot be seen. */
  readonly detail?: string;
}

/**
 * Judges resources as they stand: as a review judges a change that creates all of them. What a waiver covers is left out.
 *
 * @throws AssertionFileError for assertions that cannot be read.
 */
export function judgePosture(
  resources: readonly DeclaredResource[],
  { assertions: documents, now }: PostureRequest,
): PostureFinding[] {
  const steps = resources.flatMap(creating);
  const stack = snapshotOf(resourceChanges(steps).flatMap(({ after }) => after ?? []));
  const asked = mergeAssertions(documents.map((document) => decodeAssertions(document, 'assertions')));
  const assertions = { ...asked, assertions: asked.assertions.filter((each) => isAbout(each, stack)) };
  const preview = { steps, gaps: declarationGaps(steps) };
  // Whoever gives the assertions is not the author of the stack.
  const guards = guardsOf(preview, { assertions, base: { assertions } });
  const { models, ...gate } = gateInForce(
    { base: asked.gate, change: {} },
    { noNewAccess: false, models: {} },
  );
  const report = reviewPreview(preview, () => ({
    context: { ...DEFAULT_CONTEXT, assumptions: { ...DEFAULT_CONTEXT.assumptions, ...models } },
    guards,
    now,
    ...gate,
  }));
  const today = now.slice(0, DATE_LENGTH);
  const hidden = applyWaivers(hiddenValueFindings(stack), guards, { today, accesses: report.accesses });
  // The review says what a hidden value may change; here it says which values are hidden.
  const others = report.findings.filter(({ id, where }) => id !== 'not-decidable' || !where.property);
  return [...others, ...hidden.findings]
    .filter(({ id, waiver }) => isPosture(id) && !waiver)
    .map((found) => inPlainSight(found, stack));
}

const DATE_LENGTH = '2027-01-31'.length;

/** Whether a judgement takes notice of what has this type token. */
export const isJudged = (type: string): boolean => /^pulumi:providers:|(?:^|\/)edge-policy:/.test(type);

/** The step that creates a resource. The assertions of a program are its own: their inputs are not shown here. */
function creating({ urn, type, properties, provider }: DeclaredResource): PreviewStep[] {
  const state = {
    urn,
    type,
    inputs: properties,
    ...(provider !== undefined && { provider: `${provider}::` }),
  };
  return type.endsWith(':AccessAssertions') ? [] : [readStep({ op: 'create', urn, newState: state })];
}

/** Assertions are for many stacks: each looks at those about its own policies, edges and routes. */
function isAbout({ kind, subject }: Assertion, stack: Snapshot): boolean {
  return subject.isKnown && SUBJECTS[kind](stack).placed.has(subject.value);
}

const SUBJECTS: Readonly<
  Record<Assertion['kind'], (stack: Snapshot) => BySubject<{ readonly origin: Origin }>>
> = {
  address: ({ rules }) => rules,
  connection: trafficPoliciesOf,
  'user-agent': filtersOf,
};

/** Reasons quote networks, patterns and ids: of a finding, what is said is where it is, and what is no value. */
function inPlainSight(
  { id, severity, where, withoutValues: words, reason }: ReportedFinding,
  stack: Snapshot,
): PostureFinding {
  const origin = where.origin ?? firstAbout(where.subject, stack);
  const detail = words ? plain(words) : id === 'preview-incomplete' ? withheld(reason) : undefined;
  return {
    id,
    severity,
    ...(origin && { urn: origin.urn }),
    // The key of an entry is a network.
    ...(where.property !== undefined && { property: where.property.split('["', 1)[0] ?? '' }),
    ...(detail !== undefined && { detail }),
  };
}

const withheld = (sentence: Sentence): string =>
  sentence.map((run) => (isForeign(run) ? '(not shown)' : run)).join('');

/** The first resource that declares something of a policy, edge or route. */
const firstAbout = (subject: string | undefined, stack: Snapshot): Origin | undefined =>
  subject === undefined
    ? undefined
    : Object.values(SUBJECTS).flatMap((of) => of(stack).placed.get(subject) ?? [])[0]?.origin;
