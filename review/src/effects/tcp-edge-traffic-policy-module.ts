// Its documents are read and compared in traffic-policy/.
import type { AddressAccess } from '../access/subject-access';
import type { FinderContext } from '../findings/assumptions';
import { addressEffectFindings } from '../findings/address-effect-findings';
import { edgeGainNotes } from '../findings/attribution-notes';
import { type Finding, whereOfModule } from '../findings/finding';
import { trafficPolicyChangeFindings, trafficPolicyStateFindings } from '../findings/traffic-policy-findings';
import type { ModuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import type { StackChange } from '../model/snapshot';
import { contributorsToEdgeGain } from '../traffic-policy/contributing-traffic-rules';
import { edgeAccess, unplacedEdges } from '../traffic-policy/edge-access';
import { POLICY_TYPE, trafficPoliciesOf } from '../traffic-policy/traffic-rules';
import type { ModuleEvaluator } from './evaluator';

export const trafficPolicy: ModuleEvaluator = {
  evaluate(stack, context) {
    const { assumptions } = context;
    const edges = [...edgeAccess(stack, assumptions), ...unplacedEdges(stack, assumptions)];
    return {
      accesses: edges,
      changeFindings: () => [
        ...edges.flatMap((edge) => effectOf(edge, stack, context)),
        ...trafficPolicyChangeFindings(stack),
      ],
    };
  },
  stateFindings: trafficPolicyStateFindings,
};

function effectOf(edge: AddressAccess, stack: StackChange, { assumptions }: FinderContext): Finding[] {
  const documents = documentsOf(stack, edge);
  const where = () => whereOfModule(stack, POLICY_TYPE, edge.subject);
  return addressEffectFindings(edge, {
    isOpenByDefault: true,
    isWhole: true,
    ofGain: where,
    ofLoss: where,
    ...(documents && {
      notesOfGain: (gained) => edgeGainNotes(contributorsToEdgeGain(documents, gained, assumptions)),
    }),
  });
}

type Documents = Readonly<Record<'before' | 'after', ModuleDeclaration>>;

/** Undefined if an edge has no document, or several, on a side: then the module itself is the cause. */
function documentsOf(stack: StackChange, { subject }: AddressAccess): Documents | undefined {
  const [before, after] = [stack.before, stack.after].map((side) => {
    const [module, second] = trafficPoliciesOf(side).placed.get(subject) ?? [];
    return module && !second && valueOf(module.isEnabled) === true ? module : undefined;
  });
  return before && after ? { before, after } : undefined;
}
