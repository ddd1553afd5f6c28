// Its documents are read and compared in traffic-policy/.
import type { AddressAccess } from '../access/subject-access';
import { addressEffectFindings } from '../findings/access';
import { type Finding, whereOfModule } from '../findings/finding';
import { trafficPolicyChangeFindings, trafficPolicyStateFindings } from '../findings/traffic-policies';
import type { StackChange } from '../model/snapshot';
import { edgeAccess, unplacedEdges } from '../traffic-policy/edge-access';
import { POLICY_TYPE } from '../traffic-policy/traffic-rules';
import type { ModuleEvaluator } from './evaluator';

export const trafficPolicy: ModuleEvaluator = {
  evaluate(stack, { assumptions }) {
    const edges = [...edgeAccess(stack, assumptions), ...unplacedEdges(stack, assumptions)];
    return {
      accesses: edges,
      changeFindings: () => [
        ...edges.flatMap((edge) => effectOf(edge, stack)),
        ...trafficPolicyChangeFindings(stack),
      ],
    };
  },
  stateFindings: trafficPolicyStateFindings,
};

/** Which of its rules changed is said for itself. */
function effectOf(edge: AddressAccess, stack: StackChange): Finding[] {
  const where = () => whereOfModule(stack, POLICY_TYPE, edge.subject);
  return addressEffectFindings(edge, { isOpenByDefault: true, isWhole: true, ofGain: where, ofLoss: where });
}
