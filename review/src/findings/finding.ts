// What for: the findings: severity, texts, and the functions that find them.
// Must not know: `assertions`, `plan` and `report`.
import type { Origin, VisibleRule } from '../model/declarations';
import { compareText } from '../text/compare-text';
import { plain } from '../text/escape';
import type { Sentence } from '../text/sentence';
import { CATALOG, type FindingId } from './catalog';
import { compareSeverity, type Severity } from './severity';

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
  /**
   * For an oddity: what makes it up, whether networks, patterns or rules. One that only lost members is not new, whatever
   * its words are and whichever resource declares them now.
   */
  readonly members?: readonly string[];
  /** What brings it about and what prevents it, for whoever reads on. */
  readonly notes?: readonly Sentence[];
  /** What is not as it should be, in words that hold no value of the stack. */
  readonly withoutValues?: Sentence;
}

/** A finding of a kind, of the kind's usual severity unless another is given. */
export function finding(
  id: FindingId,
  content: { reason: Sentence; where: Where; severity?: Severity; members?: readonly string[] },
): Finding {
  return {
    id,
    severity: content.severity ?? CATALOG[id].severity,
    reason: content.reason,
    where: content.where,
    isNew: true,
    ...(content.members && { members: content.members }),
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

/** Marks what was odd before: the same kind, of the same policy, edge or route, with no member that it did not have. */
export function markExisting(after: readonly Finding[], before: readonly Finding[]): Finding[] {
  const existing = new Map<string, Set<string>>();
  for (const found of before) {
    const members = existing.get(identityOf(found)) ?? new Set<string>();
    membersOf(found).forEach((member) => members.add(member));
    existing.set(identityOf(found), members);
  }
  return after.map((found) => {
    const members = existing.get(identityOf(found));
    return members && membersOf(found).every((member) => members.has(member))
      ? { ...found, isNew: false }
      : found;
  });
}

const identityOf = ({ id, where }: Finding): string =>
  JSON.stringify([id, where.subject ?? where.origin?.urn ?? '']);

const membersOf = ({ members }: Finding): readonly string[] => members ?? [''];

/** Rules that one resource declares. */
export interface ResourceRules {
  readonly origin: Origin;
  /** The rule's property if there is one rule, else the property that holds them all. */
  readonly property: string;
  readonly rules: readonly VisibleRule[];
}

/** Brings the rules of each resource together, so that a set of thousands is one finding and not thousands. */
export function groupByResource(rules: readonly VisibleRule[]): ResourceRules[] {
  const groups = new Map<string, VisibleRule[]>();
  let latest: { urn: string; group: VisibleRule[] } | undefined;
  for (const rule of rules) {
    const { urn } = rule.origin;
    // The rules of a set come in a row.
    if (latest?.urn !== urn) {
      latest = { urn, group: groups.get(urn) ?? [] };
      groups.set(urn, latest.group);
    }
    latest.group.push(rule);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const property = group.length === 1 ? first.property : (first.property.split('[', 1)[0] ?? '');
    return [{ origin: first.origin, property, rules: group }];
  });
}
