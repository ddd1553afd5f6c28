import type { JsonObject } from '../preview/json-reading';
import { asArray, asObject, asString, isObject, tryParseJson } from '../preview/json-reading';

/** One rule of a traffic policy, read leniently: a review must describe what is there, valid or not. */
export interface TrafficRule {
  readonly phase: string;
  /** Position in its phase, from 1, as people count. */
  readonly position: number;
  /** Empty when the rule has none. */
  readonly name: string;
  /** Everything but the name, in one canonical text: equal texts are equal rules. */
  readonly content: string;
  readonly expressions: readonly string[];
  readonly actionTypes: readonly string[];
}

/** The rules of a serialised policy, phase by phase; nothing if it is no object of phases. */
export function readTrafficRules(value: string): readonly TrafficRule[] | undefined {
  const policy = asObject(tryParseJson(value)?.value);
  if (!policy) return undefined;
  const phases = Object.entries(policy);
  if (!phases.every(([, rules]) => Array.isArray(rules) && rules.every(isObject))) return undefined;
  return phases.flatMap(([phase, rules]) =>
    asArray(rules)
      .filter(isObject)
      .map((rule, index) => readRule(phase, index + 1, rule)),
  );
}

function readRule(phase: string, position: number, rule: JsonObject): TrafficRule {
  const { name, ...content } = rule;
  return {
    phase,
    position,
    name: asString(name) ?? '',
    content: canonicalJson(content),
    expressions: asArray(rule['expressions']).filter((expression) => typeof expression === 'string'),
    actionTypes: asArray(rule['actions']).flatMap((action) => asString(asObject(action)?.['type']) ?? []),
  };
}

/** JSON with sorted keys: key order and spacing say nothing. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}
