import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { PolicyChange } from './access/policy-change';
import { policyChanges, unplacedPolicies } from './access/policy-change';
import type { IpAssumptions } from './access/evaluation-model';
import type { AddressAccess, SubjectAccess } from './access/subject-access';
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
import { edgeGainNotes } from './findings/attribution-notes';
import { accessChangeFindings, unplacedChangeFindings } from './findings/access-change-findings';
import { addressEffectFindings } from './findings/address-effect-findings';
import { contestedRuleFindings, exclusiveSetFindings } from './findings/exclusive-set-findings';
import type { Finding, Where } from './findings/finding';
import { finding, markExisting, sortFindings } from './findings/finding';
import { handOverFindings } from './findings/hand-over-findings';
import { moduleChangeFindings, moduleStateFindings } from './findings/module-findings';
import { policyStateFindings } from './findings/policy-state-findings';
import { trafficPolicyChangeFindings, trafficPolicyStateFindings } from './findings/traffic-policy-findings';
import { gapFindings } from './findings/preview-gap-findings';
import { undecidableFindings } from './findings/undecidable-findings';
import { userAgentEffectFindings } from './findings/user-agent-effect-findings';
import { userAgentStateFindings } from './findings/user-agent-findings';
import { verdictOf } from './findings/verdict';
import type { Snapshot } from './model/declarations';
import type { Known } from './model/known';
import { known, valueOf } from './model/known';
import { withLiveRules } from './model/live-rules';
import { groupByKey, pairByKey } from './model/pairing';
import { resourceChanges } from './model/resource-change';
import type { StackChange } from './model/snapshot';
import { stackChangeOf } from './model/snapshot';
import type { FinderContext } from './options';
import { DEFAULT_ASSUMPTIONS } from './options';
import { checkPlan, planFindings } from './plan/check-plan';
import type { ReviewedPlan } from './plan/reviewed-plan';
import { countOtherResources } from './preview/preview-gaps';
import type { PreviewDocument } from './preview/preview-document';
import type { Sentence } from './report/sentence';
import { foreign, say, words } from './report/sentence';
import type { Report, RouteDecisions } from './report/report';
import { attributeEdgeGain } from './traffic-policy/attribution';
import { edgeAccess, unplacedEdges } from './traffic-policy/edge-access';
import { decisionTable, judgeOf } from './user-agents/decision-table';
import type { RouteAccess, UserAgentContext } from './user-agents/route-access';
import { routeAccess, unplacedRoutes } from './user-agents/route-access';

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
  readonly liveRules?: readonly ServiceRule[];
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
  const effects = effectsOf(stack, request.context, policies);
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
    ...changeFindings(stack, effects, request),
    ...stateFindings(stack, effects, request.context),
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
  const pairings = pairByKey(before.userAgentFilters, after.userAgentFilters, (filter) => filter.routeKey);
  return pairings.map((pairing) => ({
    routeKey: pairing.key,
    rows: decisionTable(corpus, {
      before: judgeOf(pairing.before[0], assumptions.userAgentModel),
      after: judgeOf(pairing.after[0], assumptions.userAgentModel),
    }),
  }));
}

/** What the change does to every policy, edge and route; those that are hidden count as one each. */
interface Effects {
  readonly policies: readonly PolicyChange[];
  readonly unplaced: readonly PolicyChange[];
  readonly edges: readonly AddressAccess[];
  readonly routes: readonly RouteAccess[];
}

function effectsOf(stack: StackChange, context: FinderContext, policies: readonly PolicyChange[]): Effects {
  const { assumptions } = context;
  const userAgents = userAgentContext(context);
  return {
    policies,
    unplaced: unplacedPolicies(stack, ipAssumptions(context)),
    edges: [...edgeAccess(stack, assumptions), ...unplacedEdges(stack, assumptions)],
    routes: [...routeAccess(stack, userAgents), ...unplacedRoutes(stack, userAgents)],
  };
}

const userAgentContext = ({ assumptions, corpus }: FinderContext): UserAgentContext => ({
  model: assumptions.userAgentModel,
  corpus,
});

const accessesOf = ({ policies, unplaced, edges, routes }: Effects): SubjectAccess[] => [
  ...[...policies, ...unplaced].map(({ access }) => access),
  ...edges,
  ...routes,
];

function changeFindings(stack: StackChange, effects: Effects, request: ReviewRequest): Finding[] {
  const { policies, unplaced, edges, routes } = effects;
  const whereOfEdge = moduleFinder(stack, 'trafficPolicies', ({ edgeId }) => edgeId);
  const whereOfRoute = moduleFinder(stack, 'userAgentFilters', ({ routeKey }) => routeKey);
  return [
    ...undecidableFindings(stack),
    ...policies.flatMap((policy) => accessChangeFindings(policy, request.context.assumptions.ipModel)),
    ...unplaced.flatMap(unplacedChangeFindings),
    ...exclusiveSetFindings(stack, request.liveRules !== undefined),
    ...handOverFindings(stack.changes),
    ...moduleChangeFindings(stack),
    ...edges.flatMap((edge) => {
      const where = () => whereOfEdge(edge.subject);
      return addressEffectFindings(edge, {
        isOpenByDefault: true,
        isWhole: true,
        ofGain: where,
        ofLoss: where,
        notesOfGain: (gained) => notesOfEdgeGain(stack, gained, { edge, context: request.context }),
      });
    }),
    ...trafficPolicyChangeFindings(stack),
    ...routes.flatMap((route) =>
      userAgentEffectFindings(route, userAgentContext(request.context), whereOfRoute(route.subject)),
    ),
    ...leftOnService(stack),
  ];
}

/** Nothing where an edge has no document, or several, on a side: the module itself is the cause then. */
function notesOfEdgeGain(
  stack: StackChange,
  gained: CidrSet,
  { edge, context }: { edge: AddressAccess; context: FinderContext },
): Sentence[] {
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const modules = stack[side].trafficPolicies.filter(({ edgeId }) => valueOf(edgeId) === edge.subject);
    return modules.length === 1 && valueOf(modules[0]?.isEnabled ?? known(false)) === true
      ? modules[0]
      : undefined;
  });
  if (!before || !after) return [];
  return edgeGainNotes(attributeEdgeGain({ before, after }, gained, context.assumptions));
}

/** Where the module of an edge or route is declared: as it will be, or as it was if it goes. */
function moduleFinder<Name extends 'trafficPolicies' | 'userAgentFilters'>(
  { before, after }: StackChange,
  name: Name,
  keyOf: (module: Snapshot[Name][number]) => Known<string>,
): (subject: string) => Where {
  const modules: readonly Snapshot[Name][number][] = [...after[name], ...before[name]];
  const groups = groupByKey(modules, keyOf);
  return (subject) => {
    const origin = groups.get(subject)?.[0]?.origin;
    return { subject, ...(origin && { origin }) };
  };
}

const leftOnService = (stack: StackChange): Finding[] =>
  stack.changes.flatMap(({ kind, before, left }) => {
    const origin = kind === 'forget' ? before?.origin : left?.origin;
    if (!origin) return [];
    const what =
      kind === 'forget'
        ? say`${foreign(origin.name)} leaves the stack`
        : say`What ${foreign(origin.name)} replaces`;
    const reason = say`${what}${words(kind === 'forget' ? ' and' : '')} stays on the service, as it has retainOnDelete.`;
    return [finding('left-on-service', { where: { origin }, reason })];
  });

function stateFindings(stack: StackChange, effects: Effects, context: FinderContext): Finding[] {
  const { policies, unplaced } = effects;
  const [after, before] = (['after', 'before'] as const).map((side) =>
    snapshotFindings(stack[side], context),
  );
  return [
    ...[...policies, ...unplaced].flatMap((policy) => policyStateFindings(policy, context.assumptions)),
    ...markExisting(after ?? [], before ?? []),
  ];
}

function snapshotFindings(snapshot: Snapshot, context: FinderContext): Finding[] {
  return [
    ...contestedRuleFindings(snapshot),
    ...moduleStateFindings(snapshot),
    ...trafficPolicyStateFindings(snapshot, context),
    ...userAgentStateFindings(snapshot, context),
  ];
}
