import { OBSTACLES } from '../access/subject-access';
import { type Origin, rootOf, type Snapshot } from '../model/declarations';
import { type Known, valueOf } from '../model/known';
import { allModules, declaredValues } from '../model/read-modules';
import type { StackChange } from '../model/snapshot';
import { CONTESTED, type PreviewGap, TOO_COMPLEX } from '../preview/preview-gaps';
import { foreign, say } from '../text/sentence';
import { type Finding, findingOf } from './finding';
import { aboutEvidence } from './severity';

export const hiddenValueKinds = {
  'preview-incomplete': aboutEvidence('high', 'stack', {
    title: 'The preview does not show the whole change',
    advice:
      'Run pulumi preview --json --show-sames --show-replacement-steps again and make sure that it succeeds.',
  }),
  'value-hidden': aboutEvidence('high', 'unknown', {
    title: 'A value that access depends on is hidden',
    advice: 'Make the value visible and known at preview, or waive this with a reason.',
  }),
};

const finding = findingOf(hiddenValueKinds);

/** What to do about a gap that another preview would have, too. */
export function adviceOnGap([begins]: PreviewGap, isDrift: boolean): string | undefined {
  if (begins === CONTESTED)
    return 'An object is in one account: give all of its resources the same provider, or move those of another account to a stack of their own.';
  if (begins === TOO_COMPLEX)
    return 'Split the change, or have fewer patterns and conditions in one resource: another preview is judged the same.';
  return isDrift
    ? 'Nothing was compared. Correct in the program what the reason names, run pulumi up, then compare again.'
    : undefined;
}

/** Every hidden value that access depends on, whatever else is known; the hidden entries of a set count as one. */
export function hiddenValueFindings(snapshot: Snapshot): Finding[] {
  const findings = new Map<string, Finding>();
  for (const { origin, subject, property, value } of valuesOf(snapshot)) {
    if (value.isKnown) continue;
    const where = { subject: valueOf(subject), origin, property };
    const reason = say`The ${foreign(property)} of ${foreign(origin.name)} ${OBSTACLES[value.obstacle]}.`;
    const hidden = finding('value-hidden', { where, reason, withoutValues: reason });
    findings.set(JSON.stringify([origin.urn, property]), hidden);
  }
  return [...findings.values()];
}

const valuesOf = (
  snapshot: Snapshot,
): { origin: Origin; subject: Known<string>; property: string; value: Known<unknown> }[] => [
  ...snapshot.rules.all
    .filter(({ visible, policyId }) => !visible || !policyId.isKnown)
    .flatMap(({ origin, property, policyId: subject, cidr, action }) => {
      const root = rootOf(property);
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

/** A replaced resource whose place is hidden before and after may have moved. Other hidden values widen the bounds of their subject. */
export function hiddenPlaceFindings({ changes, before, after }: StackChange): Finding[] {
  const replaced = new Set(
    changes.flatMap(({ kind, before: old }) => (kind === 'replace' && old ? old.origin.urn : [])),
  );
  if (replaced.size === 0) return [];
  const hiddenAfter = new Set(hiddenPlaces(after).map(({ origin }) => origin.urn));
  const hidden = hiddenPlaces(before).filter(
    ({ origin }) => replaced.has(origin.urn) && hiddenAfter.has(origin.urn),
  );
  const ofEach = new Map(hidden.map((place) => [place.origin.urn, place]));
  return [...ofEach.values()].map(({ origin, property, obstacle }) => {
    const reason = say`The ${foreign(property)} of ${foreign(origin.name)} ${OBSTACLES[obstacle]}, so its effect on access is unknown.`;
    return finding('value-hidden', { reason, where: { origin, property } });
  });
}

const hiddenPlaces = (snapshot: Snapshot) =>
  valuesOf(snapshot).flatMap(({ origin, subject, property, value }) =>
    value === subject && !value.isKnown ? [{ origin, property, obstacle: value.obstacle }] : [],
  );
