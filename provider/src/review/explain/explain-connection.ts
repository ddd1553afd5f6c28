import type { Snapshot } from '../model/declarations';
import { groupByKey } from '../model/pairing';
import type { Assumptions } from '../options';
import type { Cidr } from '../../values/cidr';
import { say, foreign, words } from '../report/sentence';
import type { Answer } from './answer';

/** What becomes of connections through a TCP edge. */
export function explainConnection(
  snapshot: Snapshot,
  { subject }: { readonly subject: string; readonly network: Cidr },
  _assumptions: Assumptions,
): Answer {
  const [module] = groupByKey(snapshot.trafficPolicies, ({ edgeId }) => edgeId).get(subject) ?? [];
  if (!module)
    return { decision: 'not-there', because: say`there is no traffic policy of ${foreign(subject)} here` };
  const { origin, isEnabled } = module;
  if (isEnabled.isKnown && !isEnabled.value)
    return { decision: 'let-in', because: say`the traffic policy of ${foreign(origin.name)} is off`, origin };
  return { decision: 'undecided', because: words('the rules of traffic policies are not evaluated'), origin };
}
