// What for: the findings: severity, texts, and the functions that find them.
// Must not know: `guards`, `effects` and `report`.
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { type Origin, rootOf } from '../model/declarations';
import type { StackChange } from '../model/snapshot';
import type { ModuleType } from '../preview/resource-type';
import { plain } from '../text/escape';
import { compareText, type Sentence } from '../text/sentence';
import { compareSeverity, type Extent, type FindingKind, type Severity } from './severity';

export interface Where {
  /** The service's identifier: of a policy, an edge, or `edge/route`. */
  readonly subject?: string | undefined;
  readonly origin?: Origin | undefined;
  readonly property?: string | undefined;
  /** The named list that all changed rules behind it are from, and what changes in it: `offices: 1 network more`. */
  readonly list?: Sentence | undefined;
}

export interface Finding extends FindingContent {
  readonly id: string;
  readonly severity: Severity;
  readonly isNew: boolean;
  readonly notes: readonly Sentence[];
}

export interface FindingContent {
  readonly reason: Sentence;
  readonly where: Where;
  /** Without it, the usual one of its kind. */
  readonly severity?: Severity | undefined;
  /** False for an oddity that existed before the change and still does: it is shown, but does not stop the change. */
  readonly isNew?: boolean;
  /** Networks, patterns or rules: an oddity that only lost members is not new, whichever resource declares them now. */
  readonly members?: readonly string[];
  /** The threshold that it is compared with, if not that of the gate. */
  readonly threshold?: Severity | 'never';
  /** Causes and prevention, as notes for interested readers. */
  readonly notes?: readonly Sentence[];
  /** What to do about it, if not what its kind says. */
  readonly advice?: string | undefined;
  /** How much of the public addresses gets in, or is locked out, by the change, if it is about that. */
  readonly gained?: number;
  readonly lost?: number;
  /** What a waiver has to name to cover it, if its kind has such. */
  readonly extent?: Extent;
  /** The problem, in words that contain no value of the stack. */
  readonly withoutValues?: Sentence;
}

export const findingOf =
  <Id extends string>(kinds: Readonly<Record<Id, FindingKind>>) =>
  (id: Id, content: FindingContent): Finding => ({
    isNew: true,
    notes: [],
    ...content,
    id,
    severity: content.severity ?? kinds[id].severity,
  });

export function whereOfModule({ before, after }: StackChange, type: ModuleType, subject: string): Where {
  const [module] = after.modules[type].placed.get(subject) ?? before.modules[type].placed.get(subject) ?? [];
  return { subject, ...(module && { origin: module.origin }) };
}

/** Sorts findings: new before old, the worst first, of equally bad ones the largest gain or loss, then by place and text. */
export function sortFindings<T extends Finding>(findings: readonly T[]): T[] {
  // Escaping a text costs more than comparing it, so it is done once per finding.
  return findings
    .map((each) => {
      const { id, where, reason } = each;
      return {
        found: each,
        text: [id, where.subject, where.origin?.urn, where.property, plain(reason)].join('\n'),
      };
    })
    .sort(
      (left, right) =>
        Number(right.found.isNew) - Number(left.found.isNew) ||
        compareSeverity(left.found.severity, right.found.severity) ||
        (right.found.gained ?? 0) - (left.found.gained ?? 0) ||
        (right.found.lost ?? 0) - (left.found.lost ?? 0) ||
        compareText(left.text, right.text),
    )
    .map(({ found }) => found);
}

/** Marks oddities that existed before: the same kind, for the same policy, edge or route, without a new member. */
export function markExisting(after: readonly Finding[], before: readonly Finding[]): Finding[] {
  const existing = grouped(before, identityOf);
  return after.map((each) => {
    const members = new Set(existing.get(identityOf(each))?.flatMap(membersOf));
    return membersOf(each).every((member) => members.has(member)) ? { ...each, isNew: false } : each;
  });
}

const identityOf = ({ id, where }: Finding): string =>
  JSON.stringify([id, where.subject ?? where.origin?.urn ?? '']);

const membersOf = ({ members }: Finding): readonly string[] => members ?? [''];

/** From so many on, findings of one kind become one finding, as nobody reads thirty that say the same. */
export const MOST_ALIKE = 30;

export interface ResourceRules<Rule> extends Where {
  readonly origin: Origin;
  /** The property of the rule if there is only one, otherwise the property that holds all rules. */
  readonly property: string;
  readonly rules: readonly Rule[];
}

/** Groups rules by resource, so that a set of thousands is one finding and not thousands. */
export const groupByResource = <Rule extends { readonly origin: Origin; readonly property: string }>(
  rules: readonly Rule[],
  subjectOf: (rule: Rule) => string | undefined = () => undefined,
): ResourceRules<Rule>[] =>
  [...grouped(rules, (rule) => JSON.stringify([rule.origin.urn, subjectOf(rule)])).values()].map((group) => {
    const [{ origin, property }] = group;
    const place = { origin, property: group.length === 1 ? property : rootOf(property) };
    return { subject: subjectOf(group[0]), ...place, rules: group };
  });
