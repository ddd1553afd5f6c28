import type { PolicyChange } from '../access/policy-change';
import type { RuleDeclaration, Snapshot } from '../model/declarations';
import type { Known, Obstacle } from '../model/known';
import { valueOf } from '../model/known';
import type { Origin } from '../model/origin';
import type { StackChange } from '../model/snapshot';
import type { Sentence } from '../report/sentence';
import { foreign, say, words } from '../report/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

/** A value that access depends on. */
interface Judged {
  readonly origin: Origin;
  readonly property: string;
  readonly value: Known<unknown>;
  readonly subject?: string;
}

/**
 * One finding for each value that cannot be seen and may have a part in the change. A secret that stays as it is has
 * none, unless another rule of its policy changes.
 */
export function undecidableFindings(stack: StackChange, policies: readonly PolicyChange[]): Finding[] {
  const changed = new Set(
    stack.changes
      .filter((change) => change.kind !== 'unchanged')
      .flatMap((change) => change.before?.origin.urn ?? change.after?.origin.urn ?? []),
  );
  const unsettled = new Set(
    policies.filter((policy) => !policy.isDecidable).map((policy) => policy.policyId),
  );
  const hiddenParts = [...judgedParts(stack.after), ...judgedParts(stack.before)].filter(
    (part) => !part.value.isKnown && (changed.has(part.origin.urn) || unsettled.has(part.subject ?? '')),
  );
  const findings = new Map<string, Finding>();
  for (const part of hiddenParts) {
    const key = JSON.stringify([part.origin.urn, part.property]);
    if (!findings.has(key)) findings.set(key, notDecidable(part));
  }
  return [...findings.values()];
}

function judgedParts(snapshot: Snapshot): Judged[] {
  const inPolicy = (policyId: Known<string>) => {
    const subject = valueOf(policyId);
    return subject === undefined ? {} : { subject };
  };
  return [
    ...snapshot.rules.filter(hidesSomething).flatMap(({ origin, property, policyId, cidr, action }) => [
      { origin, property: 'ipPolicyId', value: policyId },
      { origin, property: rootOf(property), value: cidr, ...inPolicy(policyId) },
      {
        origin,
        property: origin.type === 'IpPolicyRule' ? 'action' : rootOf(property),
        value: action,
        ...inPolicy(policyId),
      },
    ]),
    ...snapshot.trafficPolicies.flatMap(({ origin, edgeId, isEnabled, value }) => [
      { origin, property: 'edgeId', value: edgeId },
      { origin, property: 'enabled', value: isEnabled, ...inPolicy(edgeId) },
      { origin, property: 'value', value, ...inPolicy(edgeId) },
    ]),
    ...snapshot.userAgentFilters.flatMap(({ origin, routeKey, isEnabled, allow, deny }) => [
      { origin, property: 'routeId', value: routeKey },
      { origin, property: 'enabled', value: isEnabled, ...inPolicy(routeKey) },
      { origin, property: 'allow', value: allow, ...inPolicy(routeKey) },
      { origin, property: 'deny', value: deny, ...inPolicy(routeKey) },
    ]),
  ];
}

/** Nearly no rule does: a policy of ten thousand is not taken apart for nothing. */
const hidesSomething = ({ policyId, cidr, action }: RuleDeclaration): boolean =>
  !(policyId.isKnown && cidr.isKnown && action.isKnown);

/** All hidden entries of a set are one finding. */
const rootOf = (property: string): string => property.split('[', 1)[0] ?? property;

function notDecidable({ origin, property, value, subject }: Judged): Finding {
  const obstacle = value.isKnown ? 'unreadable' : value.obstacle;
  const reason = say`The ${foreign(property)} of ${foreign(origin.name)} ${OBSTACLES[obstacle]}, so what it does to access cannot be told.`;
  return finding('not-decidable', {
    reason,
    where: { ...(subject !== undefined && { subject }), origin, property },
  });
}

const OBSTACLES: Readonly<Record<Obstacle, Sentence>> = {
  unknown: words('is known only after the up'),
  secret: words('is secret'),
  unreadable: words('cannot be read'),
};
