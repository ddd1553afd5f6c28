// Early states hold the rules of a set as a JSON text: an object with the keys of the lines as its keys. A list is what a
// program hands to the engine before check has seen it; mocks of the SDK give it back as it is.
import { pickTexts, RULE_FIELDS, type RuleField } from '../rule/rule';
import type { RuleLine } from './rule-line';

/** Names the open fields of a rule in a JSON text. No field has this name. */
export const UNKNOWN_FIELDS = '(unknown)';

/** What a JSON text of rules says; nothing if it is none. */
export function readJsonRules(text: string): RuleLine[] | undefined {
  const parsed = tryParse(text);
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const bodies: [key: unknown, body: unknown][] = Array.isArray(parsed)
    ? parsed.map((rule: unknown) => [isBag(rule) ? rule['cidr'] : undefined, rule])
    : Object.entries(parsed);
  const lines: RuleLine[] = [];
  for (const [key, body] of bodies) {
    const line = typeof key === 'string' && isBag(body) ? readBody(key, body) : undefined;
    if (line === undefined) return undefined;
    lines.push(line);
  }
  return lines;
}

/** The names of the fields that are not known yet. */
export function openFields(rule: Bag): readonly RuleField[] {
  const names = rule[UNKNOWN_FIELDS];
  return typeof names === 'string' ? RULE_FIELDS.filter((name) => names.split(', ').includes(name)) : [];
}

/** How whoever holds values tells that one is not known yet. */
export interface Unknowns {
  readonly isUnknown: (value: unknown) => boolean;
  readonly containsUnknown: (value: unknown) => boolean;
}

/** Declared rules, a list or a map, in which every rule names its open fields and holds the others only. */
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

type Bag = Readonly<Record<string, unknown>>;

function readBody(key: string, body: Bag): RuleLine | undefined {
  const { action } = body;
  const named = openFields(body);
  const open: readonly RuleField[] =
    key.startsWith('(unknown ') && !named.includes('cidr') ? ['cidr', ...named] : named;
  if (action !== 'allow' && action !== 'deny' && !open.includes('action')) return undefined;
  return {
    key,
    ...(action === 'allow' || action === 'deny' ? { action } : {}),
    ...pickTexts((name) => {
      const text = body[name];
      return typeof text === 'string' ? text : undefined;
    }),
    open,
  };
}

/** Whether a value is a JSON object. */
export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
