// A rule with unknown values at a preview lists its open fields under a name that no field has.
import { RULE_FIELDS, type RuleField } from '../rule/rule';
import type { JsonObject } from '../values/decoding';

/** Names the open fields of a declared rule. */
export const UNKNOWN_FIELDS = '(unknown)';

/** The names of the fields that are not known yet. */
export function openFields(rule: JsonObject): readonly RuleField[] {
  const names = rule[UNKNOWN_FIELDS];
  return typeof names === 'string' ? RULE_FIELDS.filter((name) => names.split(', ').includes(name)) : [];
}

/** How to recognise an unknown value. */
export interface Unknowns {
  readonly isUnknown: (value: unknown) => boolean;
  readonly containsUnknown: (value: unknown) => boolean;
}

/** Declared rules, a list or a map, in which every rule lists its open fields and holds only the others. */
export function withOpenFields(rules: object, unknowns: Unknowns): unknown {
  if (Array.isArray(rules)) return rules.map((rule) => openRule(rule, ['cidr', 'action'], unknowns));
  const entries = Object.entries(rules);
  return Object.fromEntries(entries.map(([cidr, rule]) => [cidr, openRule(rule, ['action'], unknowns)]));
}

function openRule(rule: unknown, required: readonly string[], unknowns: Unknowns): unknown {
  if (!unknowns.containsUnknown(rule)) return rule;
  if (unknowns.isUnknown(rule)) return { [UNKNOWN_FIELDS]: required.join(', ') };
  const fields = Object.entries(rule as object);
  const open = fields.filter(([, value]) => unknowns.containsUnknown(value)).map(([name]) => name);
  const known = fields.filter(([name]) => !open.includes(name));
  return { ...Object.fromEntries(known), [UNKNOWN_FIELDS]: open.join(', ') };
}
