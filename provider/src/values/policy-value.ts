import { samePolicyDocument } from './policy-document';

/** A value of JSON. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * The traffic policy of a module as a program states it: the typed, readable document if writing it again gives exactly the
 * same policy, and otherwise the text (duplicate keys, numbers that JavaScript would round).
 */
export function policyValue(text: string): JsonValue {
  const document = JSON.parse(text) as JsonValue;
  const isExact = isPlain(document) && samePolicyDocument(text, JSON.stringify(document));
  return isExact && fitsTheType(document) ? document : text;
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
