import type { Origin } from '../model/origin';
import { compareText } from '../model/resource-change';
import { plain } from '../report/escape';
import type { Sentence } from '../report/sentence';
import type { FindingId } from './catalog';
import { CATALOG } from './catalog';
import type { Severity } from './severity';
import { compareSeverity } from './severity';

/** What a finding is about. */
export interface Where {
  /** The service's identifier: of a policy, an edge, or `edge/route`. */
  readonly subject?: string;
  readonly origin?: Origin;
  /** The property of the resource, such as `cidr` or `rules["192.0.2.0/24"]`. */
  readonly property?: string;
}

/** One thing a reviewer should know. */
export interface Finding {
  readonly id: FindingId;
  readonly severity: Severity;
  /** One sentence. */
  readonly reason: Sentence;
  readonly where: Where;
  /** False for something odd that was there before the change and still is: shown, but no reason to stop. */
  readonly isNew: boolean;
}

/** A finding of a kind, of the kind's usual severity unless another is given. */
export function finding(
  id: FindingId,
  content: { reason: Sentence; where: Where; severity?: Severity },
): Finding {
  return {
    id,
    severity: content.severity ?? CATALOG[id].severity,
    reason: content.reason,
    where: content.where,
    isNew: true,
  };
}

/** Sorts findings: new before old, the worst first, then by place and text. */
export function sortFindings<T extends Finding>(findings: readonly T[]): T[] {
  // Escaping a text costs more than comparing it, so that it is done once for each finding.
  return findings
    .map((found) => ({ found, text: sortText(found) }))
    .sort(
      (left, right) =>
        Number(right.found.isNew) - Number(left.found.isNew) ||
        compareSeverity(left.found.severity, right.found.severity) ||
        compareText(left.text, right.text),
    )
    .map(({ found }) => found);
}

const sortText = (found: Finding): string =>
  [found.id, found.where.subject, found.where.origin?.urn, found.where.property, plain(found.reason)].join(
    '\n',
  );

/** Marks the state findings of the wanted side that the present side has too, by kind, place and words. */
export function markExisting(after: readonly Finding[], before: readonly Finding[]): Finding[] {
  const existing = new Set(before.map(sortText));
  return after.map((found) => (existing.has(sortText(found)) ? { ...found, isNew: false } : found));
}
