import type { AddressAccess } from './access/subject-access';
import type { Effects } from './effects';
import { userAgentContext } from './effects';
import { accessChangeFindings, unplacedChangeFindings } from './findings/access-change-findings';
import type { Causes } from './findings/address-effect-findings';
import { addressEffectFindings } from './findings/address-effect-findings';
import { edgeGainNotes, possibleEdgeGainNotes } from './findings/attribution-notes';
import { contestedRuleFindings, exclusiveSetFindings } from './findings/exclusive-set-findings';
import type { Finding, Where } from './findings/finding';
import { finding, markExisting } from './findings/finding';
import { handOverFindings } from './findings/hand-over-findings';
import { moduleChangeFindings, moduleStateFindings } from './findings/module-findings';
import { policyStateFindings } from './findings/policy-state-findings';
import { trafficPolicyChangeFindings, trafficPolicyStateFindings } from './findings/traffic-policy-findings';
import { undecidableFindings } from './findings/undecidable-findings';
import { userAgentEffectFindings } from './findings/user-agent-effect-findings';
import { userAgentStateFindings } from './findings/user-agent-findings';
import type { Snapshot, TrafficPolicyDeclaration } from './model/declarations';
import type { Known } from './model/known';
import { known, valueOf } from './model/known';
import { groupByKey } from './model/pairing';
import type { StackChange } from './model/snapshot';
import type { FinderContext } from './options';
import { foreign, say, words } from './report/sentence';
import { attributeEdgeGain, contributorsToEdgeGain } from './traffic-policy/attribution';

/** What is to be said of the change itself. */
export function changeFindings(
  stack: StackChange,
  effects: Effects,
  { context, countsLiveRules }: { readonly context: FinderContext; readonly countsLiveRules: boolean },
): Finding[] {
  const { policies, unplaced, edges, routes } = effects;
  const whereOfEdge = moduleFinder(stack, 'trafficPolicies', ({ edgeId }) => edgeId);
  const whereOfRoute = moduleFinder(stack, 'userAgentFilters', ({ routeKey }) => routeKey);
  return [
    ...undecidableFindings(stack),
    ...policies.flatMap((policy) => accessChangeFindings(policy, context.assumptions.ipModel)),
    ...unplaced.flatMap(unplacedChangeFindings),
    ...exclusiveSetFindings(stack, countsLiveRules),
    ...handOverFindings(stack.changes),
    ...moduleChangeFindings(stack),
    ...edges.flatMap((edge) => {
      const where = () => whereOfEdge(edge.subject);
      return addressEffectFindings(edge, {
        isOpenByDefault: true,
        isWhole: true,
        ofGain: where,
        ofLoss: where,
        ...notesOfEdge(documentsOf(stack, edge), context),
      });
    }),
    ...trafficPolicyChangeFindings(stack),
    ...routes.flatMap((route) =>
      userAgentEffectFindings(route, userAgentContext(context), whereOfRoute(route.subject)),
    ),
    ...leftOnService(stack),
  ];
}

/** Nothing where an edge has no document, or several, on a side: the module itself is the cause then. */
function documentsOf(stack: StackChange, edge: AddressAccess): Documents | undefined {
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const modules = stack[side].trafficPolicies.filter(({ edgeId }) => valueOf(edgeId) === edge.subject);
    return modules.length === 1 && valueOf(modules[0]?.isEnabled ?? known(false)) === true
      ? modules[0]
      : undefined;
  });
  return before && after ? { before, after } : undefined;
}

type Documents = Readonly<Record<'before' | 'after', TrafficPolicyDeclaration>>;

const notesOfEdge = (
  documents: Documents | undefined,
  { assumptions }: FinderContext,
): Pick<Causes, 'notesOfGain' | 'notesOfPossibleGain'> =>
  documents
    ? {
        notesOfGain: (gained) => edgeGainNotes(attributeEdgeGain(documents, gained, assumptions)),
        notesOfPossibleGain: (gained) =>
          possibleEdgeGainNotes(contributorsToEdgeGain(documents, gained, assumptions)),
      }
    : {};

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

/** What is to be said of the rules and modules as they will be, with what was so before marked. */
export function stateFindings(stack: StackChange, effects: Effects, context: FinderContext): Finding[] {
  const { policies, unplaced } = effects;
  const after = snapshotFindings(stack.after, context);
  // What was odd before counts only where something is odd now.
  const before = after.length === 0 ? [] : snapshotFindings(stack.before, context);
  return [
    ...[...policies, ...unplaced].flatMap((policy) => policyStateFindings(policy, context.assumptions)),
    ...markExisting(after, before),
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
