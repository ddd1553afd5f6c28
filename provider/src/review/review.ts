import type { IpPolicyRuleWire } from '../api/wire';
import type { PolicyChange } from './access/policy-change';
import { policyChanges } from './access/policy-change';
import type { IpAssumptions } from './access/evaluation-model';
import { policySide } from './access/policy-side';
import { accessesOf } from './assertions/accesses';
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
import { accessChangeFindings } from './findings/access-change-findings';
import type { Finding } from './findings/finding';
import { finding, markExisting, sortFindings } from './findings/finding';
import { moduleChangeFindings, moduleStateFindings } from './findings/module-findings';
import { policyStateFindings } from './findings/policy-state-findings';
import { trafficPolicyChangeFindings, trafficPolicyStateFindings } from './findings/traffic-policy-findings';
import { gapFindings } from './findings/preview-gap-findings';
import { undecidableFindings } from './findings/undecidable-findings';
import { decisionFindings, userAgentStateFindings } from './findings/user-agent-findings';
import { verdictOf } from './findings/verdict';
import type { Snapshot } from './model/declarations';
import { withLiveRules } from './model/live-rules';
import { groupByKey, pairByKey } from './model/pairing';
import { resourceChanges } from './model/resource-change';
import type { StackChange } from './model/snapshot';
import { stackChangeOf } from './model/snapshot';
import type { FinderContext } from './options';
import { DEFAULT_ASSUMPTIONS } from './options';
import { checkPlan, planFindings } from './plan/check-plan';
import type { ReviewedPlan } from './plan/reviewed-plan';
import { countOtherResources } from './preview/other-resources';
import type { PreviewDocument } from './preview/preview-document';
import { foreign, say } from './report/sentence';
import type { Report, RouteDecisions } from './report/report';
import { decisionTable, judgeOf } from './user-agents/decision-table';

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
  /** All rules of the account, to count those outside of the stack as well. */
  readonly liveRules?: readonly IpPolicyRuleWire[];
}

/** The assertions of the base revision, or why they cannot be read: what the change takes away cannot be told then. */
export type BaseAssertions = { readonly assertions: AssertionSet } | { readonly problem: string };

/** Says what a previewed change means for who gets in. The same preview and request give the same report. */
export function reviewPreview(preview: PreviewDocument, request: ReviewRequest): Report {
  const gaps = [...preview.gaps, ...assertionGaps(preview.steps)];
  const isWhole = gaps.length === 0;
  // From a preview that hides something nothing is concluded: an empty section would read as "no change".
  const managed = stackChangeOf(isWhole ? resourceChanges(preview.steps) : []);
  const stack = request.liveRules ? withLiveRules(managed, request.liveRules) : managed;
  const { assumptions } = request.context;
  const policies = policyChanges(stack, ipAssumptions(request.context));
  const routes = routeDecisions(stack, request.context);
  const accesses = accessesOf(stack, { policies, routes });
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
    ...changeFindings(stack, { policies, routes }),
    ...stateFindings(stack, request.context),
    ...assertionFindings(results),
    ...guardFindings(preview, request),
    ...(request.noNewAccess === true ? newAccessFindings(accesses) : []),
  ];
  const waived = applyWaivers(found, isWhole ? asked.waivers : [], request.today);
  const findings = sortFindings(waived.findings);
  return {
    ...(preview.stack !== undefined && { stack: preview.stack }),
    ...(preview.project !== undefined && { project: preview.project }),
    verdict: verdictOf(findings, { failOn: request.failOn, isApproved: request.expected !== undefined }),
    findings,
    policies,
    routes,
    assertions: results,
    waivers: waived.statuses,
    ...(isWhole && { cost: costOfUp(stack.changes, assumptions.requestsPerMinute) }),
    assumptions,
    includesLiveRules: request.liveRules !== undefined,
    plan: checkedPlan,
    otherResources: countOtherResources(preview.steps),
  };
}

const ipAssumptions = ({ assumptions }: FinderContext): IpAssumptions => ({
  model: assumptions.ipModel,
  emptyPolicy: assumptions.emptyPolicy,
});

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
            reason: say`What the change takes away of the assertions cannot be told: ${foreign(problem)}.`,
          }),
        ]),
    ...weakenedGuards(sideOf('old', ownBefore), sideOf('new', assertions), DEFAULT_ASSUMPTIONS),
  ];
}

function routeDecisions(
  { before, after }: StackChange,
  { assumptions, corpus }: FinderContext,
): RouteDecisions[] {
  const pairings = pairByKey(before.userAgentFilters, after.userAgentFilters, (filter) => filter.routeKey);
  return pairings.map((pairing) => ({
    routeKey: pairing.key,
    rows: decisionTable(corpus, {
      before: judgeOf(pairing.before[0], assumptions.userAgentModel),
      after: judgeOf(pairing.after[0], assumptions.userAgentModel),
    }),
  }));
}

interface Effects {
  readonly policies: readonly PolicyChange[];
  readonly routes: readonly RouteDecisions[];
}

function changeFindings(stack: StackChange, { policies, routes }: Effects): Finding[] {
  const filters = groupByKey(
    [...stack.after.userAgentFilters, ...stack.before.userAgentFilters],
    (filter) => filter.routeKey,
  );
  return [
    ...undecidableFindings(stack, policies),
    ...policies.flatMap(accessChangeFindings),
    ...moduleChangeFindings(stack),
    ...trafficPolicyChangeFindings(stack),
    ...routes.flatMap(({ routeKey, rows }) => {
      const origin = filters.get(routeKey)?.[0]?.origin;
      return decisionFindings(rows, { subject: routeKey, ...(origin && { origin }) });
    }),
    ...leftOnService(stack),
  ];
}

const leftOnService = (stack: StackChange): Finding[] =>
  stack.changes.flatMap(({ kind, before }) => {
    if (kind !== 'forget' || !before) return [];
    const reason = say`${foreign(before.origin.name)} leaves the stack and stays on the service, as it has retainOnDelete.`;
    return [finding('left-on-service', { where: { origin: before.origin }, reason })];
  });

function stateFindings(stack: StackChange, context: FinderContext): Finding[] {
  return markExisting(oddities(stack.after, context), oddities(stack.before, context));
}

function oddities(snapshot: Snapshot, context: FinderContext): Finding[] {
  const policies = groupByKey(snapshot.rules, (rule) => rule.policyId);
  return [
    ...[...policies].flatMap(([policyId, rules]) =>
      policyStateFindings(
        policyId,
        policySide({ declared: rules }, ipAssumptions(context)),
        context.assumptions,
      ),
    ),
    ...moduleStateFindings(snapshot),
    ...trafficPolicyStateFindings(snapshot, context),
    ...userAgentStateFindings(snapshot, context),
  ];
}
