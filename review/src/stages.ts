// The stages of a review, each a function of the one before: evidence, effects, findings, guards, verdict.
import type { Judged, ReviewRequest } from './review-request';
import type { PolicyChange } from './access/policy-change';
import { acceptanceOf } from './guards/acceptance';
import { assertionFindings, checkAssertions } from './guards/check-assertions';
import { lockedOutFindings } from './guards/locked-out';
import { newAccessFindings } from './guards/new-access';
import { requirementFindings } from './guards/requirements';
import { assertionGaps } from './guards/guards';
import { applyWaivers } from './guards/waivers';
import { adviceOnGap } from './findings/hidden-values';
import { confirmedPolicies, feedFindings, verdictsOn } from './findings/feeds';
import { feedChanges, trustedFeeds } from './findings/feed-changes';
import { serviceFindings } from './findings/services';
import { type Finding, sortFindings } from './findings/finding';
import { finding } from './findings/catalog';
import { modelFindings } from './findings/models';
import { type Report, stoppingIn, verdictOf } from './report/report';
import { type Drift, driftFindings, isAboutProgram } from './findings/drift';
import { endFindings } from './findings/ends';
import {
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
import { liveChangeOf } from './model/live-state';
import { isLookedUp, resourceChanges } from './model/resource-change';
import { RunOrder } from './model/run-order';
import { type StackChange, stackChangeOf } from './model/snapshot';
import { isRefreshOnly } from './preview/fate';
import { checkPlan, planFindings } from './guards/compare-plans';
import { changedSameGaps } from './guards/planned-items';
import { countOtherResources, hidesReplacementSteps } from './preview/preview-gaps';
import { otherStack, pendingGaps, stateGaps } from './preview/stack-state';
import { plannedServices } from './preview/services';
import { accessesOf, changeFindings, type Effects, effectsOf, stateFindings } from './effects/effects';
import { underOtherModels } from './effects/other-models';
import { unjudgedGaps } from './effects/evaluators';
import { explainerOf } from './explain/explain';
import { replay, type SubjectTraffic } from './traffic/replay';
import { replayableModule, replayablePolicy } from './traffic/replayed-subject';
import { removedUses } from './traffic/rule-use';
import { trafficFindings } from './traffic/traffic-findings';
import { NO_TRAFFIC } from './traffic/traffic-log';

/** What is known of the change, and what hides the rest. */
type Evidence = ReturnType<typeof readEvidence>;
/** Who gets in before and after. */
type WithEffects = ReturnType<typeof addEffects>;
/** What people should see of that. */
type WithFindings = ReturnType<typeof addFindings>;
/** What must stay true, and what was approved. */
type WithGuards = ReturnType<typeof applyGuards>;

export const judge = (preview: Judged, request: ReviewRequest): Report =>
  conclude(applyGuards(addFindings(addEffects(readEvidence(preview, request)))));

function readEvidence(preview: Judged, request: ReviewRequest) {
  const { state, stack: name } = request;
  const gaps = [
    ...preview.gaps,
    ...assertionGaps(preview.steps),
    ...unjudgedGaps(preview.steps),
    ...changedSameGaps(preview.steps),
    ...(state ? [...stateGaps(preview.steps, state), ...pendingGaps(state)] : []),
    ...(name === undefined ? [] : otherStack(name, [preview, state?.of ?? {}])),
  ];
  const isWhole = gaps.length === 0;
  // If a preview hides something, nothing is concluded: an empty section would read as "no change".
  const managed = stackChangeOf(
    isWhole ? resourceChanges(preview.steps, state?.pending) : [],
    preview.drift || isRefreshOnly(preview.steps) ? undefined : new RunOrder(preview.steps),
  );
  const { liveRules: rules, liveModules: modules = [], livePlaces } = request;
  const places = livePlaces ?? placesTakenOver(managed.changes);
  // With the live objects, the change begins from them.
  const live =
    rules && !preview.drift ? liveChangeOf(managed.changes, { rules, modules, places }) : undefined;
  const begun = live ? stackChangeOf(live.changes, managed.order) : managed;
  return {
    ...{ preview, request, nowMs: Date.parse(request.now), gaps, isWhole, live },
    // The change of the stack's own resources; the same from the live objects, if those are given; the same among those of others.
    ...{ managed, begun, stack: withOthers(begun, preview, request) },
    countsLiveRules: request.liveRules !== undefined || preview.drift !== undefined,
  };
}

function addEffects(evidence: Evidence) {
  const { stack, request, nowMs } = evidence;
  const effects = effectsOf(stack, request.context, nowMs);
  const accesses = accessesOf(effects);
  return { ...evidence, effects, accesses, traffic: reviewTraffic(request, { stack, effects, accesses }) };
}

function addFindings(judged: WithEffects) {
  const { preview, request, nowMs, stack, effects, live, countsLiveRules } = judged;
  const { context, state, openModels: open = [] } = request;
  const ofChange = changeFindings(stack, effects, {
    ...{ context, countsLiveRules, isProved: state !== undefined },
  });
  const ofState = stateFindings(stack, effects, context);
  const ofPreview = (): Finding[] => [
    ...serviceFindings(preview, state),
    ...modelFindings(underOtherModels(stack, context, { open, nowMs })),
    ...upFindings(obstructionsIn(judged)),
    ...ofState,
  ];
  const ofDrift = (drift: Drift): Finding[] => [
    ...driftFindings(drift, preview.steps),
    ...ofState.filter(({ id }) => !isAboutProgram(id)),
  ];
  return {
    ...{ ...judged, ofChange },
    findings: [
      ...judged.gaps.map((reason) => {
        const advice = adviceOnGap(reason, preview.drift !== undefined);
        return finding('preview-incomplete', { where: {}, reason, advice });
      }),
      ...ofChange,
      ...(preview.drift ? ofDrift(preview.drift) : ofPreview()),
      ...(live ? liveFindings(live) : []),
      ...endFindings(stack, nowMs),
    ],
  };
}

function applyGuards(judged: WithFindings) {
  const { preview, request, nowMs, isWhole, managed, stack, effects, accesses } = judged;
  const { guards, requires, context } = request;
  const { policies } = effects;
  const feeds = reviewFeeds(request, policies, nowMs);
  const assertions = isWhole
    ? checkAssertions(guards.assertions, {
        ...{ policies, accesses, assumptions: context.assumptions },
        ...{ after: stack.after, feeds: feeds.trusted, brought: guards.brought },
        // A drift is about what is live, however long it has been so.
        ...(!preview.drift && { before: stack.before }),
      })
    : [];
  const services = plannedServices(preview.steps, preview.settings);
  const plan = checkPlan(
    { ...preview, isWhole, changes: managed.changes, services },
    { expected: request.expected, nowMs },
  );
  const model = context.assumptions.ipModel;
  return {
    ...{ ...judged, assertions, feeds, plan },
    findings: [
      ...judged.findings,
      ...planFindings(plan),
      ...(requires ? requirementFindings(stack, requires, nowMs) : []),
      ...lockedOutFindings(request.mustAllow ?? [], { policies, accesses, model }),
      ...assertionFindings(assertions),
      ...trafficFindings(judged.traffic, request.maxRefusedClients),
      ...guards.findings,
      ...feeds.findings,
      ...(request.noNewAccess === true ? newAccessFindings(accesses, judged.ofChange) : []),
    ],
  };
}

function conclude(judged: WithGuards): Report {
  const { preview, request, effects, accesses, managed, plan, feeds } = judged;
  const { assumptions } = request.context;
  const { cliVersion = request.state?.cliVersion } = request;
  const waived = waivedIn(judged);
  const findings = sortFindings(waived.findings.filter(({ id }) => !preview.drift || !OF_WAIVERS.has(id)));
  const gate = { failOn: request.failOn, isApproved: request.expected !== undefined };
  const { guards, accepted } = request;
  const acceptance = preview.drift
    ? undefined
    : acceptanceOf(stoppingIn(findings, gate), { plan: plan.plan, guards, accepted });
  return {
    ...(preview.stack !== undefined && { stack: preview.stack }),
    ...(preview.project !== undefined && { project: preview.project }),
    verdict: verdictOf(findings, accesses, { ...gate, isAccepted: acceptance?.isAccepted === true }),
    ...(acceptance && { acceptance }),
    ...{ findings, accesses, plan, assumptions },
    policies: effects.policies,
    assertions: judged.assertions,
    feeds: feeds.verdicts,
    ...(request.traffic && {
      traffic: {
        subjects: judged.traffic,
        removed: removedUses(effects.policies, request.traffic.logs, assumptions.ipModel),
        files: request.traffic.logs.flatMap(({ files }) => files),
      },
    }),
    waivers: waived.statuses,
    ...(preview.drift && { drift: {} }),
    ...(cliVersion !== undefined && { cliVersion }),
    includesLiveRules: judged.countsLiveRules,
    lookedUp: managed.changes.filter(isLookedUp).flatMap(({ before }) => before?.origin.name ?? []),
    hidesReplacementSteps: hidesReplacementSteps(preview.steps),
    otherResources: countOtherResources(preview.steps),
  };
}

/** The findings, each compared with its threshold and marked if a waiver covers it. */
function waivedIn({ request, isWhole, accesses, feeds, findings }: WithGuards) {
  const { confirmedFeeds: threshold, guards } = request;
  const isConfirmed = ({ id, where: { subject = '' } }: Finding): boolean =>
    id === 'access-widened' &&
    feeds.confirmed.has(subject) &&
    // An id that two kinds of objects have identifies neither.
    accesses.every((access) => access.subject !== subject || access.kind === 'policy');
  const graded = findings.map((each): Finding =>
    threshold && isConfirmed(each) ? { ...each, threshold } : each,
  );
  const inForce = isWhole ? guards : { waivers: [], proposed: [] };
  return applyWaivers(graded, inForce, { now: request.now, accesses });
}

/** Foreign rules, and modules that are taken over: in a review they survive the change, in a drift they are the change. */
function withOthers(managed: StackChange, { drift }: Judged, request: ReviewRequest): StackChange {
  const { liveRules, liveModules = [] } = request;
  if (drift) return withUnmanaged(managed, drift.unmanaged);
  if (!liveRules) return managed;
  return withLiveModules(withLiveRules(withoutLookUps(managed), liveRules), liveModules);
}

/** What would stop the `up`; with the live objects, what nobody manages as well. */
function obstructionsIn({ begun, request, nowMs }: Evidence): Obstruction[] {
  const { liveRules, liveModules = [], context } = request;
  const { order } = begun;
  if (!order) return [];
  const stack = liveRules ? withoutLookUps(begun) : begun;
  return obstructionsOf(stack.changes, {
    order,
    acceptsDuplicates: context.assumptions.duplicateNetworks === 'accepted',
    unmanaged: {
      rules: unmanagedRules(stack, liveRules ?? []),
      modules: unmanagedModules(stack.before, liveModules),
    },
    nowMs,
  });
}

/** What is said about waivers in a change only. */
const OF_WAIVERS: ReadonlySet<string> = new Set(['waiver-expired', 'waiver-too-long']);

/** The changes of published networks, and which of them their publishers confirm. */
function reviewFeeds({ feeds }: ReviewRequest, policies: readonly PolicyChange[], nowMs: number) {
  const changes = feeds ? feedChanges(feeds) : [];
  const verdicts = verdictsOn(changes, policies);
  return {
    verdicts,
    confirmed: confirmedPolicies(changes, policies),
    trusted: trustedFeeds(feeds?.base, changes),
    findings: feeds ? feedFindings(feeds, { verdicts, now: nowMs }) : [],
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
