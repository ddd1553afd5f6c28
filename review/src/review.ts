// What for: puts the folders of the review together: from a preview and its guards to a report.
// Must not know: the command line, files, and the service.
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { PolicyChange } from './access/policy-change';
import { acceptanceOf } from './guards/acceptance';
import { DEFAULT_FAIL_ON, type GateInForce } from './guards/gate';
import { assertionFindings, checkAssertions } from './guards/check-assertions';
import { lockedOutFindings } from './guards/locked-out';
import { newAccessFindings } from './guards/new-access';
import type { Guards } from './guards/guards';
import { requirementFindings } from './guards/requirements';
import { assertionGaps } from './guards/program-assertions';
import { applyWaivers } from './guards/waivers';
import { confirmedPolicies, feedFindings, verdictsOn } from './findings/feeds';
import { feedChanges, type FeedRevisions } from './findings/feed-changes';
import { trustedFeeds } from './guards/trusted-feeds';
import { serviceFindings } from './findings/services';
import { type Finding, sortFindings } from './findings/finding';
import { finding } from './findings/catalog';
import { modelFindings } from './findings/models';
import { trusted } from './text/sentence';
import { stoppingIn, verdictOf } from './report/verdict';
import { type Drift, driftFindings, isAboutProgram } from './findings/drift';
import { endFindings } from './findings/ends';
import {
  type LiveModulePlace,
  placesTakenOver,
  unmanagedModules,
  unmanagedRules,
  withLiveModules,
  withLiveRules,
  withoutLookUps,
  withUnmanaged,
} from './model/live-rules';
import { type Obstruction, obstructionsOf } from './model/obstructions';
import { liveFindings, upFindings } from './findings/up';
import { type LiveChange, liveChangeOf } from './model/live-state';
import { isLookedUp, resourceChanges, type ResourceSide } from './model/resource-change';
import { type StackChange, stackChangeOf } from './model/snapshot';
import { DEFAULT_CONTEXT, type FinderContext } from './findings/assumptions';
import { checkPlan, planFindings } from './guards/compare-plans';
import { changedSameGaps } from './guards/planned-items';
import type { ReviewedPlan } from './guards/reviewed-plan';
import { countOtherResources, hidesReplacementSteps } from './preview/preview-gaps';
import type { PreviewDocument } from './preview/preview-document';
import { otherStack, pendingGaps, type StackState, stateGaps } from './preview/stack-state';
import { plannedServices } from './preview/services';
import type { Report } from './report/report';
import { accessesOf, effectsOf, type Effects } from './effects/effects';
import { type OpenModel, underOtherModels } from './effects/other-models';
import { unjudgedGaps } from './effects/evaluators';
import { explainerOf } from './explain/explain';
import { replay, type SubjectTraffic } from './traffic/replay';
import { replayableModule, replayablePolicy } from './traffic/replayed-subject';
import { removedUses } from './traffic/rule-use';
import { trafficFindings } from './traffic/traffic-findings';
import { NO_TRAFFIC, type Traffic } from './traffic/traffic-log';
import { changeFindings, stateFindings } from './effects/stack-findings';

/** The input: a preview; or, with a drift, steps from what was known to what is live. */
export interface Judged extends PreviewDocument {
  readonly drift?: Drift;
}

export interface ReviewRequest extends GateInForce {
  readonly context: FinderContext;
  /** The models that neither the gate nor the caller names: a change is also judged under the others. */
  readonly openModels?: readonly OpenModel[];
  readonly guards: Guards;
  /** The name of the stack that the preview must be of. */
  readonly stack?: string;
  /** The content of the stack itself before the change. */
  readonly state?: StackState;
  /** The version of the CLI that made the preview, if it is known. */
  readonly cliVersion?: string;
  /** The addresses that must not be locked out, whatever the threshold. */
  readonly mustAllow?: readonly Cidr[];
  /** The time of the review, RFC 3339 in UTC, which decides about ended rules and waivers. */
  readonly now: string;
  readonly traffic?: Traffic;
  /** The approved plan: this preview must plan the same. */
  readonly expected?: ReviewedPlan;
  /** The hash of the change that another person has accepted. */
  readonly accepted?: string;
  /** The published networks of the change and of its base. */
  readonly feeds?: FeedRevisions;
  /** All rules of the account, to include those outside the stack. */
  readonly liveRules?: readonly ServiceRule[];
  /** The live modules at the places that were read. */
  readonly liveModules?: readonly ResourceSide[];
  /** Where modules were looked for; by default where the change takes one over. */
  readonly livePlaces?: readonly LiveModulePlace[];
}

/**
 * Says what a previewed change means for who gets in. The same preview and request give the same report. How long it takes is
 * the caller's concern; what overflows the stack, also in the request, is too complex.
 */
export function reviewPreview(preview: Judged, requestOf: () => ReviewRequest): Report {
  try {
    return judge(preview, requestOf());
  } catch (error) {
    // A stack overflow, or an array or text beyond the limits of the language.
    if (error instanceof RangeError) return tooComplexReport(preview);
    throw error;
  }
}

/** The report about a preview that takes too much time or memory to judge. */
export function tooComplexReport({ drift, ...of }: Pick<Judged, 'stack' | 'project' | 'drift'> = {}): Report {
  const undone = drift && { drift: { ...drift, items: [], unmanaged: [] } };
  return judge({ ...of, steps: [], gaps: [TOO_COMPLEX], ...undone }, NOTHING_ASKED);
}

const TOO_COMPLEX = trusted(
  'Not decided: too complex. Judging this change takes more time or memory than a review may.',
);

const NOTHING_ASKED: ReviewRequest = {
  context: DEFAULT_CONTEXT,
  guards: {
    assertions: [],
    brought: new Set(),
    waivers: [],
    proposed: [],
    gates: { base: {}, change: {} },
    findings: [],
    digest: '',
  },
  now: '1970-01-01T00:00:00Z',
  failOn: DEFAULT_FAIL_ON,
};

function judge(preview: Judged, request: ReviewRequest): Report {
  const gaps = [
    ...preview.gaps,
    ...assertionGaps(preview.steps),
    ...unjudgedGaps(preview.steps),
    ...changedSameGaps(preview.steps),
    ...(request.state ? [...stateGaps(preview.steps, request.state), ...pendingGaps(request.state)] : []),
    ...(request.stack === undefined ? [] : otherStack(request.stack, [preview, request.state?.of ?? {}])),
  ];
  const isWhole = gaps.length === 0;
  // If a preview hides something, nothing is concluded: an empty section would read as "no change".
  const managed = stackChangeOf(isWhole ? resourceChanges(preview.steps, request.state?.pending) : []);
  const nowMs = Date.parse(request.now);
  const live = liveChange(managed, preview, request);
  const begun = live ? stackChangeOf(live.changes) : managed;
  const stack = withOthers(begun, preview, request);
  const { context, cliVersion = request.state?.cliVersion } = request;
  const { assumptions } = context;
  const countsLiveRules = request.liveRules !== undefined || preview.drift !== undefined;
  const effects = effectsOf(stack, context, nowMs);
  const { policies } = effects;
  const accesses = accessesOf(effects);
  const { guards } = request;
  const feeds = reviewFeeds(request, policies);
  const results = isWhole
    ? checkAssertions(guards.assertions, {
        ...{ policies, accesses, assumptions },
        ...{ after: stack.after, feeds: feeds.trusted, brought: guards.brought },
        // A drift is about what is live, however long it has been so.
        ...(!preview.drift && { before: stack.before }),
      })
    : [];
  const { changes } = managed;
  const checkedPlan = checkPlan(
    { ...preview, isWhole, changes, services: plannedServices(preview.steps, preview.settings) },
    { expected: request.expected, nowMs },
  );
  const traffic = reviewTraffic(request, { stack, effects, accesses });
  const isProved = request.state !== undefined;
  const ofChange = changeFindings(stack, effects, { context, countsLiveRules, isProved });
  const found = [
    ...gaps.map((reason) => finding('preview-incomplete', { where: {}, reason })),
    ...planFindings(checkedPlan),
    ...(preview.drift ? [] : serviceFindings(preview, request.state)),
    ...ofChange,
    ...(preview.drift
      ? []
      : modelFindings(underOtherModels(stack, context, { open: request.openModels ?? [], nowMs }))),
    ...(preview.drift ? [] : upFindings(obstructionsIn(begun, preview, request))),
    ...(live ? liveFindings(live) : []),
    ...stateFindings(stack, effects, context).filter(({ id }) => !preview.drift || !isAboutProgram(id)),
    ...endFindings(stack, nowMs),
    ...(preview.drift ? driftFindings(preview.drift, preview.steps) : []),
    ...(request.requires ? requirementFindings(stack, request.requires, nowMs) : []),
    ...lockedOutFindings(request.mustAllow ?? [], { policies, accesses, model: assumptions.ipModel }),
    ...assertionFindings(results),
    ...trafficFindings(traffic, request.maxRefusedClients),
    ...guards.findings,
    ...feeds.findings,
    ...(request.noNewAccess === true ? newAccessFindings(accesses, ofChange) : []),
  ];
  const inForce = isWhole ? guards : { waivers: [], proposed: [] };
  const isConfirmed = ({ id, where: { subject = '' } }: Finding): boolean =>
    id === 'access-widened' &&
    feeds.confirmed.has(subject) &&
    // An id that two kinds of objects have identifies neither.
    accesses.every((access) => access.subject !== subject || access.kind === 'policy');
  const { confirmedFeeds: threshold } = request;
  const graded = found.map((each): Finding =>
    threshold && isConfirmed(each) ? { ...each, threshold } : each,
  );
  const waived = applyWaivers(graded, inForce, { today: request.now.slice(0, DATE_LENGTH), accesses });
  const findings = sortFindings(waived.findings.filter(({ id }) => !preview.drift || !OF_WAIVERS.has(id)));
  const gate = { failOn: request.failOn, isApproved: request.expected !== undefined };
  const { plan } = checkedPlan;
  const acceptance = preview.drift
    ? undefined
    : acceptanceOf(stoppingIn(findings, gate), { plan, guards, accepted: request.accepted });
  return {
    ...(preview.stack !== undefined && { stack: preview.stack }),
    ...(preview.project !== undefined && { project: preview.project }),
    verdict: verdictOf(findings, accesses, { ...gate, isAccepted: acceptance?.isAccepted === true }),
    ...(acceptance && { acceptance }),
    findings,
    policies,
    accesses,
    assertions: results,
    feeds: feeds.verdicts,
    ...(request.traffic && {
      traffic: {
        subjects: traffic,
        removed: removedUses(policies, request.traffic.logs, assumptions.ipModel),
        files: request.traffic.logs.flatMap(({ files }) => files),
      },
    }),
    waivers: waived.statuses,
    ...(preview.drift && { drift: {} }),
    assumptions,
    ...(cliVersion !== undefined && { cliVersion }),
    includesLiveRules: countsLiveRules,
    lookedUp: changes.filter(isLookedUp).flatMap(({ before }) => before?.origin.name ?? []),
    plan: checkedPlan,
    hidesReplacementSteps: hidesReplacementSteps(preview.steps),
    otherResources: countOtherResources(preview.steps),
  };
}

/** With the live objects, the change begins from them. */
function liveChange(
  { changes }: StackChange,
  { drift }: Judged,
  { liveRules, liveModules = [], livePlaces = placesTakenOver(changes) }: ReviewRequest,
): LiveChange | undefined {
  if (!liveRules || drift) return undefined;
  return liveChangeOf(changes, { rules: liveRules, modules: liveModules, places: livePlaces });
}

/** Foreign rules, and modules that are taken over: in a review they survive the change, in a drift they are the change. */
function withOthers(managed: StackChange, { drift }: Judged, request: ReviewRequest): StackChange {
  const { liveRules, liveModules = [] } = request;
  if (drift) return withUnmanaged(managed, drift.unmanaged);
  if (!liveRules) return managed;
  return withLiveModules(withLiveRules(withoutLookUps(managed), liveRules), liveModules);
}

/** What would stop the `up`; with the live objects, what nobody manages as well. */
function obstructionsIn(
  managed: StackChange,
  { steps }: Judged,
  { liveRules, liveModules = [], context, now }: ReviewRequest,
): Obstruction[] {
  const stack = liveRules ? withoutLookUps(managed) : managed;
  return obstructionsOf(stack.changes, {
    steps,
    acceptsDuplicates: context.assumptions.duplicateNetworks === 'accepted',
    unmanaged: {
      rules: unmanagedRules(stack, liveRules ?? []),
      modules: unmanagedModules(stack.before, liveModules),
    },
    nowMs: Date.parse(now),
  });
}

/** What is said about waivers in a change only. */
const OF_WAIVERS: ReadonlySet<string> = new Set(['waiver-expired', 'waiver-too-long']);

const DATE_LENGTH = '2027-01-31'.length;

/** The changes of published networks, and which of them their publishers confirm. */
function reviewFeeds({ feeds, now }: ReviewRequest, policies: readonly PolicyChange[]) {
  const changes = feeds ? feedChanges(feeds) : [];
  const verdicts = verdictsOn(changes, policies);
  return {
    verdicts,
    confirmed: confirmedPolicies(changes, policies),
    trusted: trustedFeeds(feeds?.base, changes),
    findings: feeds ? feedFindings(feeds, { verdicts, now: Date.parse(now) }) : [],
  };
}

/** Without a log, only the threshold of the gate asks for clients. */
function reviewTraffic(
  { traffic, maxRefusedClients, context: { assumptions } }: ReviewRequest,
  { stack, effects, accesses }: Pick<Report, 'accesses'> & { stack: StackChange; effects: Effects },
): SubjectTraffic[] {
  if (!traffic && maxRefusedClients === undefined) return [];
  const explain = {
    before: explainerOf(stack.before, assumptions),
    after: explainerOf(stack.after, assumptions),
  };
  return replay(traffic ?? NO_TRAFFIC, [
    ...[...effects.policies, ...effects.unplaced].map((policy) => replayablePolicy(policy, assumptions)),
    ...accesses
      .filter(({ kind }) => kind !== 'policy')
      .map((access) => replayableModule(access, explain, assumptions)),
  ]);
}
