export { cidrSetOf, isEmptyCidrSet, sizeOf, subtract, toCidrs } from './access/cidr-set';
export type { CidrSet } from './access/cidr-set';
export { IP_MODELS } from './access/evaluation-model';
export { NO_ASSERTIONS } from './guards/assertion';
export type { AssertionSet } from './guards/assertion';
export { mergeAssertions, readAssertionFile, readBaseAssertionFile } from './guards/assertion-file';
export { DEFAULT_FAIL_ON, gateInForce, THRESHOLDS } from './guards/gate';
export type { AskedGate, FailOn, GateInForce } from './guards/gate';
export type { Requirements } from './guards/requirements';
export { guardsOf } from './guards/guards';
export type { BaseAssertions, GuardSources } from './guards/guards';
export type { FeedRevisions, PinnedFeeds, Published, RevisionFeeds } from './findings/feed-changes';
export { changedFeeds, stepProblems } from './findings/feed-changes';
export type { Drift, DriftItem } from './findings/drift';
export { isDriftLine } from './findings/drift';
export type { Answer, Client, Subject } from './explain/question';
export { accessesAt } from './effects/effects';
export { explainerOf } from './explain/explain';
export { withEnd } from './explain/explain-address';
export { against } from './explain/explain-address';
export type { Explainer } from './explain/explainer';
export { plain } from './text/escape';
export { renderAnswers, renderAnswersAsJson } from './explain/render-answers';
export type { DatedAnswer, SubjectAnswers } from './explain/render-answers';
export { SEVERITIES } from './findings/severity';
export type { Snapshot } from './model/declarations';
export { modulePlaces, placesTakenOver, placesToRead } from './model/live-rules';
export type { LiveModulePlace, LiveRule } from './model/live-rules';
export { contentFields, identityFields, typesAt } from './model/read-modules';
export { networkOfRule } from './model/read-rules';
export { recordedSides, resourceChanges } from './model/resource-change';
export type { ResourceSide as ReviewedResource } from './model/resource-change';
export { snapshotOf, stackChangeOf } from './model/snapshot';
export type { StackChange } from './model/snapshot';
export { DEFAULT_ASSUMPTIONS, DEFAULT_CONTEXT, DUPLICATE_NETWORKS } from './findings/assumptions';
export type { Assumptions } from './findings/assumptions';
export { readPlan, renderPlan } from './guards/reviewed-plan';
export type { ReviewedPlan } from './guards/reviewed-plan';
export { NotAPreviewError, readPreviewDocument } from './preview/preview-document';
export type { PreviewDocument } from './preview/preview-document';
export { isTestedCli, isVersionAtLeast, TESTED_CLIS } from './preview/preview-document';
export { NotAStateError, readPending, readStackState } from './preview/stack-state';
export { readState } from './preview/preview-step';
export { sourceOf } from './preview/preview-step';
export { ASSERTIONS_TYPE, isProviderType, resourceTypeOf, subjectIn } from './preview/resource-type';
export type { ReviewOutcome, Report } from './report/report';
export { countingIn } from './report/verdict';
export { renderJson } from './report/render-json';
export { renderMarkdown } from './report/render-markdown';
export { renderText } from './report/render-text';
export { OPEN_MODELS } from './effects/other-models';
export { reviewPreview, tooComplexReport } from './review';
export type { ReviewRequest } from './review-request';
export { explainClients, isAllDecided, renderClients, renderClientsAsJson } from './traffic/explain-clients';
export {
  daysInLog,
  hidesRules,
  LEAST_SILENT_DAYS,
  usesByPolicy,
  useToJson,
  whyNotUnused,
  windowInWords,
} from './traffic/rule-use';
export type { PolicyUse, RuleUse } from './traffic/rule-use';
export { witnessesIn } from './traffic/traffic-log';
export type { LogClients, LogFile, Traffic, TrafficLog } from './traffic/traffic-log';
export { CORPUS } from './user-agents/corpus';
export type { CorpusEntry } from './user-agents/corpus';
export type { Sentence } from './text/sentence';
export { foreign, say, trusted } from './text/sentence';
export { looksAtUserAgents, SUBJECT_KINDS, titleOfKind } from './access/subject-access';
export type { SubjectAccess } from './access/subject-access';
export type { RouteAccess } from './user-agents/route-access';
export { USER_AGENT_MODELS } from './user-agents/user-agent-model';
export { programAssertions } from './guards/guards';
export type { PreviewStep } from './preview/preview-step';
