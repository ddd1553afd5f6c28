import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import type { AssertionSet } from './assertions/assertion';
import type { FailOn } from './assertions/gate';
import { assertionFindings, checkAssertions } from './assertions/check-assertions';
import { mergeAssertions } from './assertions/assertion-file';
import { newAccessFindings } from './assertions/new-access';
import type { Side } from './assertions/program-assertions';
import { assertionGaps, programAssertions } from './assertions/program-assertions';
import { weakenedGuards } from './assertions/weakened';
import { applyWaivers } from './assertions/waivers';
import { costOfUp } from './cost/requests';
import type { Finding } from './findings/finding';
import { finding, sortFindings } from './findings/finding';
import { gapFindings } from './findings/preview-gap-findings';
import { verdictOf } from './report/verdict';
import { withLiveRules } from './model/live-rules';
import { pairsOf } from './model/by-subject';
import { resourceChanges } from './model/resource-change';
import type { StackChange } from './model/snapshot';
import { stackChangeOf } from './model/snapshot';
import type { FinderContext } from './effects/options';
import { DEFAULT_ASSUMPTIONS } from './effects/options';
import { checkPlan, planFindings } from './plan/check-plan';
import type { ReviewedPlan } from './plan/reviewed-plan';
import { countOtherResources, hidesReplacementSteps } from './preview/preview-gaps';
import type { PreviewDocument } from './preview/preview-document';
import { foreign, say } from './text/sentence';
import type { Report, RouteDecisions } from './report/report';
import { decisionTable, judgeOf } from './user-agents/decision-table';
import { accessesOf, effectsOf } from './effects/effects';
import { changeFindings, stateFindings } from './findings/stack-findings';

/** What a review is asked for, besides the preview. */
export interface ReviewRequest {
  readonly context: FinderContext;
  readonly assertions: AssertionSet;
  /** The assertions of the revision that the change is against: nothing if they were not asked for. */
  readonly base?: BaseAssertions;
  /** Whether any gain of access is refused, whatever the threshold. */
  readonly noNewAccess?: boolean;
  /** The day on which waivers are looked at, as `2027-01-31`. */
  readonly today: string;
  readonly failOn: FailOn;
  /** The plan that was approved: this preview must plan the same. */
  readonly expected?: ReviewedPlan;
  /** All rules of the account, to count those outside the stack as well. */
  readonly liveRules?: readonly ServiceRule[];
}

/** The assertions of the base revision, or why they cannot be read: what the change removes from them is then unknown. */
export type BaseAssertions = { readonly assertions: AssertionSet } | { readonly problem: string };

/** Says what a previewed change means for who gets in. The same preview and request give the same report. */
export function reviewPreview(preview: PreviewDocument, request: ReviewRequest): Report {
  const gaps = [...preview.gaps, ...assertionGaps(preview.steps)];
  const isWhole = gaps.length === 0;
  // From a preview that hides something nothing is concluded: an empty section would read as "no change".
  const managed = stackChangeOf(isWhole ? resourceChanges(preview.steps) : []);
  const stack = request.liveRules ? withLiveRules(managed, request.liveRules) : managed;
  const { context } = request;
  const { assumptions } = context;
  const countsLiveRules = request.liveRules !== undefined;
  const routes = routeDecisions(stack, context);
  const effects = effectsOf(stack, context);
  const { policies } = effects;
  const accesses = accessesOf(effects);
  const asked = mergeAssertions([
    request.assertions,
    ...(isWhole ? programAssertions(preview.steps, 'new') : []),
  ]);
  const results = isWhole
    ? checkAssertions(asked.assertions, { policies, accesses, after: stack.after, assumptions })
    : [];
  const { changes } = managed;
  const checkedPlan = checkPlan({ ...preview, isWhole, changes, accesses }, request.expected);
  const found = [
    ...gapFindings(gaps),
    ...planFindings(checkedPlan),
    ...changeFindings(stack, effects, { context, countsLiveRules }),
    ...stateFindings(stack, effects, context),
    ...assertionFindings(results),
    ...guardFindings(preview, request),
    ...(request.noNewAccess === true ? newAccessFindings(accesses) : []),
  ];
  const waived = applyWaivers(found, isWhole ? asked.waivers : [], request.today);
  const findings = sortFindings(waived.findings);
  return {
    ...(preview.stack !== undefined && { stack: preview.stack }),
    ...(preview.project !== undefined && { project: preview.project }),
    verdict: verdictOf(findings, accesses, {
      failOn: request.failOn,
      isApproved: request.expected !== undefined,
    }),
    findings,
    policies,
    accesses,
    routes,
    assertions: results,
    waivers: waived.statuses,
    ...(isWhole && { cost: costOfUp(stack.changes, assumptions.requestsPerMinute) }),
    assumptions,
    includesLiveRules: countsLiveRules,
    plan: checkedPlan,
    hidesReplacementSteps: hidesReplacementSteps(preview.steps),
    otherResources: countOtherResources(preview.steps),
  };
}

function guardFindings(preview: PreviewDocument, { assertions, base }: ReviewRequest): Finding[] {
  const problem = base && 'problem' in base ? base.problem : undefined;
  const ownBefore = base && 'assertions' in base ? base.assertions : assertions;
  const sideOf = (side: Side, own: AssertionSet) =>
    mergeAssertions([own, ...programAssertions(preview.steps, side)]);
  return [
    ...(problem === undefined
      ? []
      : [
          finding('base-assertions-unread', {
            where: {},
            reason: say`What the change removes from the assertions is unknown: ${foreign(problem)}.`,
          }),
        ]),
    ...weakenedGuards(sideOf('old', ownBefore), sideOf('new', assertions), DEFAULT_ASSUMPTIONS),
  ];
}

function routeDecisions(
  { before, after }: StackChange,
  { assumptions, corpus }: FinderContext,
): RouteDecisions[] {
  return pairsOf(before.userAgentFilters, after.userAgentFilters).map((pairing) => ({
    routeKey: pairing.subject,
    rows: decisionTable(corpus, {
      before: judgeOf(pairing.before[0], assumptions.userAgentModel),
      after: judgeOf(pairing.after[0], assumptions.userAgentModel),
    }),
  }));
}
