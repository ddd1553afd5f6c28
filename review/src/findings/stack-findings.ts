import type { AddressAccess } from '../access/subject-access';
import type { Effects } from '../effects/effects';
import { userAgentContext } from '../effects/effects';
import type { Confirmation } from '../feeds/confirmation';
import { accessChangeFindings, unplacedChangeFindings } from './access-change-findings';
import type { Causes } from './address-effect-findings';
import { addressEffectFindings } from './address-effect-findings';
import { edgeGainNotes, possibleEdgeGainNotes } from './attribution-notes';
import { contestedRuleFindings, exclusiveSetFindings } from './exclusive-set-findings';
import type { Finding, Where } from './finding';
import { finding, markExisting } from './finding';
import { handOverFindings } from './hand-over-findings';
import { moduleChangeFindings, moduleStateFindings } from './module-findings';
import { policyStateFindings } from './policy-state-findings';
import { takeOverFindings } from './take-over-findings';
import { trafficPolicyChangeFindings, trafficPolicyStateFindings } from './traffic-policy-findings';
import { undecidableFindings } from './undecidable-findings';
import { userAgentEffectFindings } from './user-agent-effect-findings';
import { userAgentStateFindings } from './user-agent-findings';
import type { ModuleDeclaration, Origin, Snapshot } from '../model/declarations';
import { known, valueOf } from '../model/known';
import type { BySubject } from '../model/by-subject';
import type { StackChange } from '../model/snapshot';
import type { FinderContext } from '../effects/assumptions';
import { foreign, say, trusted } from '../text/sentence';
import { trafficPoliciesOf } from '../traffic-policy/policies';
import { filtersOf } from '../user-agents/filters';
import { attributeEdgeGain, contributorsToEdgeGain } from '../traffic-policy/attribute-edge-gain';

/** The input of the findings about a change. */
export interface ChangeOptions {
  readonly context: FinderContext;
  readonly countsLiveRules: boolean;
  /** The changes that the publishers of feeds confirm. */
  readonly movesOf?: Confirmation['movesOf'];
}

/** Findings about the change itself. */
export function changeFindings(
  stack: StackChange,
  effects: Effects,
  { context, countsLiveRules, movesOf }: ChangeOptions,
): Finding[] {
  const { policies, unplaced, edges, routes } = effects;
  const whereOfEdge = (edge: string) =>
    whereOf(edge, trafficPoliciesOf(stack.before), trafficPoliciesOf(stack.after));
  const whereOfRoute = (route: string) => whereOf(route, filtersOf(stack.before), filtersOf(stack.after));
  return [
    ...undecidableFindings(stack),
    ...policies.flatMap((policy) =>
      accessChangeFindings(policy, context.assumptions.ipModel, movesOf?.(policy)),
    ),
    ...unplaced.flatMap(unplacedChangeFindings),
    ...exclusiveSetFindings(stack, countsLiveRules),
    ...takeOverFindings(stack.changes, countsLiveRules),
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

/** Undefined if an edge has no document, or several, on a side: then the module itself is the cause. */
function documentsOf(stack: StackChange, edge: AddressAccess): Documents | undefined {
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const modules = trafficPoliciesOf(stack[side]).placed.get(edge.subject) ?? [];
    return modules.length === 1 && valueOf(modules[0]?.isEnabled ?? known(false)) === true
      ? modules[0]
      : undefined;
  });
  return before && after ? { before, after } : undefined;
}

type Documents = Readonly<Record<'before' | 'after', ModuleDeclaration>>;

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

/** Where the module of an edge or route is declared: after the change, or before it if it is removed. */
function whereOf(
  subject: string,
  before: BySubject<{ readonly origin: Origin }>,
  after: BySubject<{ readonly origin: Origin }>,
): Where {
  const origin = (after.placed.get(subject) ?? before.placed.get(subject))?.[0]?.origin;
  return { subject, ...(origin && { origin }) };
}

const leftOnService = (stack: StackChange): Finding[] =>
  stack.changes.flatMap(({ kind, before, left, retention }) => {
    const origin = kind === 'forget' ? before?.origin : left?.origin;
    if (!origin || !retention) return [];
    const what =
      kind === 'forget'
        ? say`${foreign(origin.name)} leaves the stack`
        : say`What ${foreign(origin.name)} replaces`;
    const reason = say`${what}${trusted(kind === 'forget' ? ' and' : '')} stays on the service, as it has ${trusted(retention)}.`;
    return [finding('left-on-service', { where: { origin }, reason })];
  });

/** Findings about the rules and modules after the change, with those that existed before marked. */
export function stateFindings(stack: StackChange, effects: Effects, context: FinderContext): Finding[] {
  const { policies, unplaced } = effects;
  const after = snapshotFindings(stack.after, context);
  // Earlier oddities are only computed if there are any now.
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
