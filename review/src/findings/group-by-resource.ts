import type { VisibleRule } from '../model/declarations';
import type { Origin } from '../model/origin';

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
  for (const rule of rules) {
    const group = groups.get(rule.origin.urn);
    if (group) group.push(rule);
    else groups.set(rule.origin.urn, [rule]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const property = group.length === 1 ? first.property : (first.property.split('[', 1)[0] ?? '');
    return [{ origin: first.origin, property, rules: group }];
  });
}
