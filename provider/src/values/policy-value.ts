import { type JsonValue, parseJson } from './json';

/**
 * The traffic policy of a module as a program states it: the typed, readable document, or the text if a program could not state
 * it so (which the check may refuse).
 */
export function policyValue(text: string): JsonValue {
  const parsed = parseJson(text);
  return parsed.ok && isPlain(parsed.value) && fitsTheType(parsed.value) ? parsed.value : text;
}

/** The SDK gives keys with two leading underscores a meaning of their own. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => !key.startsWith('__') && isPlain(member));
}

/** The type of a policy requires one thing more than its check: that an action's settings are an object. */
function fitsTheType(document: JsonValue): boolean {
  const rules = property(document, 'inbound');
  if (!Array.isArray(rules)) return rules === undefined;
  const actions = rules.flatMap((rule: JsonValue) => property(rule, 'actions') ?? []) as JsonValue[];
  return actions.every((action) => {
    const config = property(action, 'config');
    return config === undefined || (typeof config === 'object' && config !== null && !Array.isArray(config));
  });
}

const property = (value: JsonValue, key: string): JsonValue | undefined =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, JsonValue>>)[key]
    : undefined;
