import { OBSTACLES } from '../access/doubts';
import type { Origin, Snapshot } from '../model/declarations';
import type { Known } from '../model/known';
import { allModules, declaredValues } from '../model/read-modules';
import { foreign, say } from '../text/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

interface DeclaredValue {
  readonly origin: Origin;
  readonly subject: Known<string>;
  readonly property: string;
  readonly value: Known<unknown>;
}

/** Every hidden value that access depends on, whatever else is known; the hidden entries of a set count as one. */
export function hiddenValueFindings(snapshot: Snapshot): Finding[] {
  const findings = new Map<string, Finding>();
  for (const { origin, subject, property, value } of valuesOf(snapshot)) {
    if (value.isKnown) continue;
    const where = { ...(subject.isKnown && { subject: subject.value }), origin, property };
    const reason = say`The ${foreign(property)} of ${foreign(origin.name)} ${OBSTACLES[value.obstacle]}.`;
    const found = { ...finding('not-decidable', { where, reason }), withoutValues: reason };
    findings.set(JSON.stringify([origin.urn, property]), found);
  }
  return [...findings.values()];
}

function valuesOf(snapshot: Snapshot): DeclaredValue[] {
  return [
    ...snapshot.rules.all
      .filter(({ visible, policyId }) => !visible || !policyId.isKnown)
      .flatMap(({ origin, property, policyId: subject, cidr, action }) => {
        const [root = property] = property.split('[', 1);
        return [
          { origin, subject, property: 'ipPolicyId', value: subject },
          { origin, subject, property: root, value: cidr },
          { origin, subject, property: origin.type === 'IpPolicyRule' ? 'action' : root, value: action },
        ];
      }),
    ...allModules(snapshot).flatMap((module) =>
      declaredValues(module).map(([property, value]) => ({
        ...{ origin: module.origin, subject: module.subject },
        ...{ property, value },
      })),
    ),
  ];
}
