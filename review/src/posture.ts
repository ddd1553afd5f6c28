import type { Assertion } from './guards/assertion';
import { DECLARED } from './guards/check-assertions';
import { decodeAssertions, mergeAssertions } from './guards/assertion-file';
import { gateInForce } from './guards/gate';
import { guardsOf } from './guards/guards';
import { applyWaivers, type ReportedFinding } from './guards/waivers';
import { DEFAULT_CONTEXT } from './findings/assumptions';
import { POSTURE_KINDS } from './findings/catalog';
import type { Severity } from './findings/severity';
import { hiddenValueFindings } from './findings/hidden-values';
import type { Origin, Snapshot } from './model/declarations';
import { resourceChanges } from './model/resource-change';
import { snapshotOf } from './model/snapshot';
import { declarationGaps } from './preview/preview-gaps';
import { type PreviewStep, readStep } from './preview/preview-step';
import { ASSERTIONS_TYPE } from './preview/resource-type';
import { reviewPreview } from './review';
import { plain } from './text/escape';
import { isForeign, type Sentence } from './text/sentence';

export { POSTURE_KINDS, type PostureKind } from './findings/catalog';

export { UNKNOWN } from 'pulumi-edge-policy/internal/values/unknowns';
export interface DeclaredResource {
  readonly urn: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly provider?: string;
}

export interface PostureRequest {
  /** Assertions, waivers and models: the content of assertion files. */
  readonly assertions: readonly Readonly<Record<string, unknown>>[];
  /** The time of the judgement, RFC 3339 in UTC, which decides about ended rules and waivers. */
  readonly now: string;
}

/** A finding, in words that contain no value of the stack, as any of them may be a secret. */
export interface PostureFinding {
  readonly id: string;
  readonly severity: Severity;
  readonly urn?: string;
  readonly property?: string;
  readonly detail?: string;
  readonly advice?: string;
}

/** Judges resources as if all were created, without waived findings. Throws a DocumentError for assertions that cannot be read. */
export function judgePosture(
  resources: readonly DeclaredResource[],
  { assertions: documents, now }: PostureRequest,
): PostureFinding[] {
  const steps = resources.flatMap(creating);
  const stack = snapshotOf(resourceChanges(steps).flatMap(({ after }) => after ?? []));
  const asked = mergeAssertions(documents.map((document) => decodeAssertions(document, 'assertions')));
  const assertions = { ...asked, assertions: asked.assertions.filter((each) => isAbout(each, stack)) };
  const preview = { steps, gaps: declarationGaps(steps) };
  // The assertions come from another person than the author of the stack.
  const guards = guardsOf(preview, { assertions, base: { assertions } });
  const { models, gate } = gateInForce({ base: asked.gate, change: {} }, { noNewAccess: false, models: {} });
  const report = reviewPreview(preview, () => ({
    context: { ...DEFAULT_CONTEXT, assumptions: { ...DEFAULT_CONTEXT.assumptions, ...models } },
    guards,
    now,
    ...gate,
  }));
  const hidden = applyWaivers(hiddenValueFindings(stack), guards, { now, accesses: report.accesses });
  // The review says what a hidden value may change; here the hidden values themselves are named.
  const others = report.findings.filter(({ id, where }) => id !== 'value-hidden' || !where.property);
  return [...others, ...hidden.findings]
    .filter(({ id, waiver }) => POSTURE_KINDS.some((kind) => kind.id === id) && !waiver)
    .map((each) => inPlainSight(each, stack));
}

export const isJudged = (type: string): boolean => /^pulumi:providers:|(?:^|\/)edge-policy:/.test(type);

/** The step that creates a resource. Assertions in the program are left out, as their inputs are not shown here. */
function creating({ urn, type, properties, provider }: DeclaredResource): PreviewStep[] {
  const state = {
    urn,
    type,
    inputs: properties,
    ...(provider !== undefined && { provider: `${provider}::` }),
  };
  return type === ASSERTIONS_TYPE ? [] : [readStep({ op: 'create', urn, newState: state })];
}

/** The assertions are for many stacks, so only those about the stack's own policies, edges and routes are checked. */
const isAbout = ({ kind, subject }: Assertion, stack: Snapshot): boolean =>
  subject.isKnown && DECLARED[kind](stack).some(({ placed }) => placed.has(subject.value));

/** Reasons quote networks, patterns and ids. So only the place of a finding is shown, and the parts without values. */
function inPlainSight(
  { id, severity, where, withoutValues: words, reason, advice }: ReportedFinding,
  stack: Snapshot,
): PostureFinding {
  const origin = where.origin ?? firstAbout(where.subject, stack);
  const detail = words ? plain(words) : id === 'preview-incomplete' ? withheld(reason) : undefined;
  return {
    id,
    severity,
    ...(advice !== undefined && { advice }),
    ...(origin && { urn: origin.urn }),
    // The key of an entry is a network.
    ...(where.property !== undefined && { property: where.property.split('["', 1)[0] ?? '' }),
    ...(detail !== undefined && { detail }),
  };
}

const withheld = (sentence: Sentence): string =>
  sentence.map((run) => (isForeign(run) ? '(not shown)' : run)).join('');

const firstAbout = (subject: string | undefined, stack: Snapshot): Origin | undefined =>
  subject === undefined
    ? undefined
    : Object.values(DECLARED)
        .flatMap((of) => of(stack))
        .flatMap(({ placed }) => placed.get(subject) ?? [])[0]?.origin;
