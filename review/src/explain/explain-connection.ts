import type { ModuleDeclaration, Origin, Snapshot } from '../model/declarations';
import { known } from '../model/known';
import { modulesByType } from '../model/read-modules';
import { snapshotOf, type StackChange } from '../model/snapshot';
import type { Assumptions } from '../findings/assumptions';
import { foreign, list, say, type Sentence, trusted } from '../text/sentence';
import type { ModuleParent } from 'pulumi-edge-policy/internal/resources/module-kind';
import type { SubjectAccess } from '../access/subject-access';
import { accessesAt } from '../effects/effects';
import { edgeAccess } from '../traffic-policy/edge-access';
import {
  DOCUMENT,
  trafficPoliciesOf,
  type TrafficRule,
  trafficRulesOf,
} from '../traffic-policy/traffic-rules';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { covers, touches } from 'pulumi-edge-policy/internal/values/cidr-set';

/** The client whose access is asked about. */
export type Question =
  | { readonly kind: 'policy' | 'tcp-edge'; readonly subject: string; readonly network: Cidr }
  | { readonly kind: 'route'; readonly subject: string; readonly userAgent: string | null };

/** The answer for a client. `partly`: some addresses of a network get in and others do not. */
export type Decision = 'let-in' | 'kept-out' | 'partly' | 'undecided' | 'not-there';

/** The decision, and the rule, expression or pattern that makes it. */
export interface Answer {
  readonly decision: Decision;
  readonly because: Sentence;
  /** Where the deciding declaration stands in the program. */
  readonly origin?: Origin;
  /** The network of the deciding rule. */
  readonly cidr?: string;
}

/** The answer for connections through a TCP edge. */
export function explainConnection(
  snapshot: Snapshot,
  { subject, network }: { readonly subject: string; readonly network: Cidr },
  assumptions: Assumptions,
): Answer {
  const [module] = trafficPoliciesOf(snapshot).placed.get(subject) ?? [];
  if (!module)
    return { decision: 'not-there', because: say`there is no traffic policy of ${foreign(subject)} here` };
  const { origin, isEnabled } = module;
  // Other modules that are attached to the edge decide as well.
  const access = accessesOn(snapshot, 'tcp-edge', assumptions).find((each) => each.subject === subject);
  if (access?.of !== 'addresses')
    return { decision: 'undecided', because: trusted('it cannot be decided'), origin };
  const { surely, possibly } = access.after;
  if (covers(surely, network)) {
    const isOff = isEnabled.isKnown && !isEnabled.value;
    const because = isOff
      ? say`the traffic policy of ${foreign(origin.name)} is off`
      : say`no rule of ${foreign(origin.name)} refuses ${foreign(network.text)}`;
    return { decision: 'let-in', because, origin };
  }
  if (!touches(possibly, network)) {
    const because = refusalOf(module, network, assumptions);
    return { decision: 'kept-out', because, origin };
  }
  if (touches(surely, network) && !covers(possibly, network)) {
    const because = say`the rules of ${foreign(origin.name)} refuse a part of ${foreign(network.text)}`;
    return { decision: 'partly', because, origin };
  }
  const doubts = access.doubts.map(({ reason }) => reason);
  return { decision: 'undecided', because: doubts.length === 0 ? OPEN : list(doubts), origin };
}

const OPEN = trusted('it depends on more than the address');

/** Who gets in by all modules of such objects. */
export const accessesOn = (
  snapshot: Snapshot,
  parent: ModuleParent,
  assumptions: Assumptions,
): SubjectAccess[] => accessesAt(parent, against(snapshot), { assumptions, corpus: [] });

/** Compared with nothing, so that everything that leaves the answer open is reported. */
const against = (snapshot: Snapshot): StackChange => ({
  changes: [],
  before: snapshotOf([]),
  after: snapshot,
});

/** The first rule that refuses the whole network by itself, if any. */
function refusalOf(module: ModuleDeclaration, network: Cidr, assumptions: Assumptions): Sentence {
  const rule = trafficRulesOf(module)?.find((candidate) =>
    refuses({ module, rule: candidate }, network, assumptions),
  );
  const what = foreign(network.text);
  if (!rule) return say`the rules of ${foreign(module.origin.name)} together refuse ${what}`;
  const name =
    rule.name === '' ? say`${rule.position} of ${foreign(rule.phase)}` : say`${foreign(rule.name)}`;
  return say`rule ${name} of ${foreign(module.origin.name)} refuses ${what}`;
}

function refuses(
  { module, rule }: { readonly module: ModuleDeclaration; readonly rule: TrafficRule },
  network: Cidr,
  assumptions: Assumptions,
): boolean {
  const actions: unknown = rule.actions.map(({ content }) => JSON.parse(content) as unknown);
  const value = JSON.stringify({ [rule.phase]: [{ expressions: rule.expressions, actions }] });
  const alone: ModuleDeclaration = {
    ...module,
    subject: known('alone'),
    isEnabled: known(true),
    values: { [DOCUMENT]: known(value) },
  };
  const snapshot = { ...snapshotOf([]), modules: modulesByType([alone]) };
  const [access] = edgeAccess(against(snapshot), assumptions);
  return access !== undefined && !touches(access.after.possibly, network);
}
