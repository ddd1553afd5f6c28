import type { TrafficPolicyDeclaration } from '../model/declarations';
import type { JsonObject } from '../preview/json-reading';
import { asArray, asObject, asString, isObject, tryParseJson } from '../preview/json-reading';

/** One action of a rule. */
export interface TrafficAction {
  readonly type: string;
  readonly config: unknown;
  /** All of it in one canonical text. */
  readonly content: string;
}

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
  readonly actions: readonly TrafficAction[];
  /** Parts of the rule that are in no place where a rule has some; what they do is not known. */
  readonly isStrange: boolean;
}

const read = new WeakMap<TrafficPolicyDeclaration, { readonly rules: readonly TrafficRule[] | undefined }>();

/** The rules of a declared policy, read once for all who ask; nothing if it is hidden or cannot be read. */
export function trafficRulesOf(module: TrafficPolicyDeclaration): readonly TrafficRule[] | undefined {
  const earlier = read.get(module);
  if (earlier) return earlier.rules;
  const rules = module.value.isKnown ? readTrafficRules(module.value.value) : undefined;
  read.set(module, { rules });
  return rules;
}

/** The rules of a serialised policy, phase by phase; nothing if it is no object of phases. */
export function readTrafficRules(value: string): readonly TrafficRule[] | undefined {
  try {
    return readPhases(value);
  } catch (error) {
    // Nested thousands deep, a document overflows the stack of every reader.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPhases(value: string): readonly TrafficRule[] | undefined {
  const policy = asObject(tryParseJson(value)?.value);
  if (!policy) return undefined;
  const phases = Object.entries(policy);
  if (!phases.every(([, rules]) => Array.isArray(rules) && rules.every(isObject))) return undefined;
  // A text that is written back as it was has no key twice; only for others the keys are counted.
  if (JSON.stringify(policy) !== value && repeatsKeys(value, policy)) return undefined;
  return phases.flatMap(([phase, rules]) =>
    asArray(rules)
      .filter(isObject)
      .map((rule, index) => readRule(phase, index + 1, rule)),
  );
}

/** What a rule says, wherever it stands. */
type RuleContent = Omit<TrafficRule, 'phase' | 'position'>;

// Most rules of a document stay as they are, and few kinds of actions are all there are: each is taken apart once.
const MAX_KNOWN = 100_000;
const knownRules = new Map<string, RuleContent>();
const knownActions = new Map<string, TrafficAction>();

function once<Value>(
  known: Map<string, Value>,
  value: JsonObject,
  read: (value: JsonObject) => Value,
): Value {
  const text = JSON.stringify(value);
  const earlier = known.get(text);
  if (earlier) return earlier;
  if (known.size >= MAX_KNOWN) known.clear();
  const made = read(value);
  known.set(text, made);
  return made;
}

const readRule = (phase: string, position: number, rule: JsonObject): TrafficRule => ({
  phase,
  position,
  ...once(knownRules, rule, readContent),
});

function readContent(rule: JsonObject): RuleContent {
  const { name, ...content } = rule;
  const { expressions, actions: listed, ...others } = content;
  const texts = asArray(expressions).filter((expression) => typeof expression === 'string');
  const actions = asArray(listed)
    .filter(isObject)
    .map((action) => once(knownActions, action, readAction));
  const isStrange =
    Object.keys(others).length > 0 ||
    !isListOf(expressions ?? [], texts.length) ||
    !isListOf(listed ?? [], actions.length);
  return {
    name: asString(name) ?? '',
    content: isStrange ? canonicalJson(content) : contentOf(texts, actions),
    expressions: texts,
    actionTypes: actions.flatMap(({ type }) => (type === '' ? [] : [type])),
    actions,
    isStrange,
  };
}

/** A rule without a list does what it does with an empty one. */
const contentOf = (expressions: readonly string[], actions: readonly TrafficAction[]): string =>
  `{"actions":[${actions.map(({ content }) => content).join(',')}],"expressions":${JSON.stringify(expressions)}}`;

const readAction = (action: JsonObject): TrafficAction => ({
  type: asString(action['type']) ?? '',
  config: action['config'],
  content: canonicalJson(action),
});

const isListOf = (value: unknown, length: number): boolean => Array.isArray(value) && value.length === length;

/** JSON with sorted keys: key order and spacing say nothing. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortedKeysOf(value));

/** All keys of a document. JSON.stringify writes members in the order of such a list. */
function sortedKeysOf(root: unknown): string[] {
  const keys = new Set<string>();
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) for (const key of Object.keys(value)) keys.add(key);
    for (const member of Object.values(value) as unknown[]) if (typeof member === 'object') open.push(member);
  }
  return [...keys].sort();
}

const STRING_AND_COLON = /"(?:[^"\\]|\\.)*"\s*(:?)/g;

/** Readers differ about a key that is there twice: the first, the last, or an error. */
function repeatsKeys(text: string, parsed: unknown): boolean {
  let written = 0;
  for (const match of text.matchAll(STRING_AND_COLON)) if (match[1] === ':') written += 1;
  return written !== countKeys(parsed);
}

function countKeys(root: unknown): number {
  let keys = 0;
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item ?? false);
    else if (isObject(value)) {
      const members = Object.values(value);
      keys += members.length;
      for (const member of members) open.push(member ?? false);
    }
  }
  return keys;
}
