export { type CidrSet, cidrSetOf, isEmptyCidrSet, sizeOf, subtract, toCidrs } from './access/cidr-set';
export { IP_MODELS } from './access/evaluation-model';
export { type AssertionSet, NO_ASSERTIONS } from './guards/assertion';
export { mergeAssertions, readAssertionFile, readBaseAssertionFile } from './guards/assertion-file';
export type { AskedGate, FailOn, GateInForce } from './guards/gate';
export { DEFAULT_FAIL_ON, gateInForce, THRESHOLDS } from './guards/gate';
export { type BaseAssertions, guardsOf, type GuardSources, programAssertions } from './guards/guards';
export type { FeedRevisions, PinnedFeeds, Published, RevisionFeeds } from './findings/feed-changes';
export { changedFeeds, stepProblems } from './findings/feed-changes';
export { type Drift, type DriftItem, isDriftLine } from './findings/drift';
export type { Answer, Client, Subject } from './explain/question';
export { accessesAt } from './effects/effects';
export { explainerOf } from './explain/explain';
export { against, withEnd } from './explain/explain-address';
export type { Explainer } from './explain/explainer';
export { plain } from './text/escape';
export type { DatedAnswer, SubjectAnswers } from './explain/render-answers';
export { renderAnswers, renderAnswersAsJson } from './explain/render-answers';
export { SEVERITIES } from './findings/severity';
export type { Snapshot } from './model/declarations';
export type { LiveModulePlace, LiveRule } from './model/live-rules';
export { modulePlaces, placesTakenOver, placesToRead } from './model/live-rules';
export { contentFields, identityFields, typesAt } from './model/read-modules';
export { networkOfRule } from './model/read-rules';
export type { ResourceSide as ReviewedResource } from './model/resource-change';
export { recordedSides, resourceChanges } from './model/resource-change';
export { snapshotOf, type StackChange, stackChangeOf } from './model/snapshot';
export type { Assumptions } from './findings/assumptions';
export { DEFAULT_ASSUMPTIONS, DEFAULT_CONTEXT, DUPLICATE_NETWORKS } from './findings/assumptions';
export { readPlan, renderPlan, type ReviewedPlan } from './guards/reviewed-plan';
export {
  isTestedCli,
  isVersionAtLeast,
  NotAPreviewError,
  type PreviewDocument,
  readPreviewDocument,
  TESTED_CLIS,
} from './preview/preview-document';
export { NotAStateError, readPending, readStackState } from './preview/stack-state';
export { type PreviewStep, readState, sourceOf } from './preview/preview-step';
export { ASSERTIONS_TYPE, isProviderType, resourceTypeOf, subjectIn } from './preview/resource-type';
export { countingIn, type Report, type ReviewOutcome } from './report/report';
export { renderJson } from './report/render-json';
export { renderMarkdown } from './report/render-markdown';
export { renderText } from './report/render-text';
export { OPEN_MODELS } from './effects/other-models';
export { reviewPreview, tooComplexReport } from './review';
export type { ReviewRequest } from './review-request';
export { explainClients, isAllDecided, renderClients, renderClientsAsJson } from './traffic/explain-clients';
export type { PolicyUse, RuleUse } from './traffic/rule-use';
export {
  daysInLog,
  hidesRules,
  LEAST_SILENT_DAYS,
  usesByPolicy,
  useToJson,
  whyNotUnused,
  windowInWords,
} from './traffic/rule-use';
export type { LogClients, LogFile, Traffic, TrafficLog } from './traffic/traffic-log';
export { witnessesIn } from './traffic/traffic-log';
export { CORPUS, type CorpusEntry } from './user-agents/corpus';
export { foreign, say, type Sentence, trusted } from './text/sentence';
export { looksAtUserAgents, SUBJECT_KINDS, type SubjectAccess, titleOfKind } from './access/subject-access';
export type { RouteAccess } from './user-agents/route-access';
export { USER_AGENT_MODELS } from './user-agents/user-agent-model';
