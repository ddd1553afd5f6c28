import { samePolicyDocument } from '../values/policy-document';
import type { CodeValue } from './code/value';

/**
 * The traffic policy of a module as the program states it: the document itself, typed and readable, where writing it
 * again gives exactly the same policy, and the text otherwise (duplicate keys, numbers that JavaScript would round).
 */
export function policyValue(text: string): CodeValue {
  const document = JSON.parse(text) as CodeValue;
  const isExact = isPlain(document) && samePolicyDocument(text, JSON.stringify(document));
  return isExact && fitsTheType(document) ? document : text;
}

/** The SDK gives keys with two leading underscores a meaning of their own. */
function isPlain(value: CodeValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, member]) => !key.startsWith('__') && isPlain(member as CodeValue),
  );
}

/** The type of a policy asks one thing more than its check: that an action's settings are an object. */
function fitsTheType(document: CodeValue): boolean {
  const rules = property(document, 'inbound');
  if (!Array.isArray(rules)) return rules === undefined;
  const actions = rules.flatMap((rule: CodeValue) => property(rule, 'actions') ?? []) as CodeValue[];
  return actions.every((action) => {
    const config = property(action, 'config');
    return config === undefined || (typeof config === 'object' && config !== null && !Array.isArray(config));
  });
}

const property = (value: CodeValue, key: string): CodeValue | undefined =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, CodeValue>>)[key]
    : undefined;
