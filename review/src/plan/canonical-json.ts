import { parseJson } from 'pulumi-edge-policy/internal/values/json-text';
import { writeJson } from 'pulumi-edge-policy/internal/values/json-writer';
import { compareText } from '../text/compare-text';
import type { JsonObject } from '../preview/json-reading';
import { asArray, asObject, isObject } from '../preview/json-reading';
import { canonicalJson as withSortedKeys } from '../traffic-policy/traffic-rules';

/** A JSON text without spaces and with sorted keys; a text that is none, or is nested too deep, stays as it is. */
export const canonicalJson = (text: string): string => quickly(text) ?? carefully(text);

/** The same for what `JSON.stringify` makes a text of. */
export function canonicalDocument(document: unknown): string {
  const sorted = withSortedRules(document);
  return sorted ? JSON.stringify(sorted) : withSortedKeys(document);
}

/**
 * A traffic policy with the members of its rules in the order of their names, if there are none but known ones: the engine
 * of JavaScript writes it several times as fast as one of which it has to look up every member.
 */
function withSortedRules(document: unknown): JsonObject | undefined {
  const sorted: Record<string, readonly SortedRule[]> = {};
  const phases = Object.entries(asObject(document) ?? {});
  for (const [phase, list] of phases.sort(([left], [right]) => compareText(left, right))) {
    const rules: SortedRule[] = [];
    if (!Array.isArray(list)) return undefined;
    for (const rule of asArray(list)) {
      const known = isObject(rule) ? sortedRule(rule) : undefined;
      if (!known) return undefined;
      rules.push(known);
    }
    sorted[phase] = rules;
  }
  // The language has an order of its own for names that are numbers, and no member of some names.
  const isInOrder = Object.keys(sorted).every((phase, index) => phase === phases[index]?.[0]);
  return isInOrder && Object.keys(sorted).length === phases.length && phases.length > 0 ? sorted : undefined;
}

interface SortedRule {
  readonly actions: unknown;
  readonly expressions: unknown;
  readonly name: unknown;
}

function sortedRule(rule: JsonObject): SortedRule | undefined {
  const { actions, expressions, name, ...others } = rule;
  const isPlain = isListOf(actions, isPlainAction) && isListOf(expressions, isText) && isText(name);
  return isPlain && Object.keys(others).length === 0 ? { actions, expressions, name } : undefined;
}

const isText = (value: unknown): boolean => typeof value === 'string';

const isListOf = (value: unknown, isPart: (part: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isPart);

function isPlainAction(action: unknown): boolean {
  if (!isObject(action) || typeof action['type'] !== 'string') return false;
  for (const key in action) if (key !== 'type') return false;
  return true;
}

/** Written back as it was, a text has no key twice and no number of which the digits would be lost. */
function quickly(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? withSortedKeys(value) : undefined;
  } catch {
    return undefined;
  }
}

function carefully(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? writeJson(parsed.node, { hasSortedKeys: true }) : text;
}
