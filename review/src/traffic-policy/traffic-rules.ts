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
  const rules = module.value.isKnown ? readTrafficRules(module.value.value, module.document) : undefined;
  read.set(module, { rules });
  return rules;
}

/**
 * The rules of a serialised policy, phase by phase; undefined if it is not an object of phases. `document` is what
 * `JSON.stringify` makes the text of, if that is known.
 */
export function readTrafficRules(value: string, document?: unknown): readonly TrafficRule[] | undefined {
  try {
    return readPhases(value, document);
  } catch (error) {
    // Nested thousands deep, a document overflows the stack of every reader.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPhases(value: string, document: unknown): readonly TrafficRule[] | undefined {
  const policy = asObject(document ?? tryParseJson(value)?.value);
  if (!policy) return undefined;
  const phases = Object.entries(policy);
  if (!phases.every(([, rules]) => Array.isArray(rules) && rules.every(isObject))) return undefined;
  // A text that is written back as it was has no key twice; only for others the keys are counted.
  const isWhole = document !== undefined || JSON.stringify(policy) === value;
  if (!isWhole && repeatsKeys(value, policy)) return undefined;
  return phases.flatMap(([phase, rules]) =>
    asArray(rules)
      .filter(isObject)
      .map((rule, index) => readRule(phase, index + 1, rule)),
  );
}

function readRule(phase: string, position: number, rule: JsonObject): TrafficRule {
  const { name } = rule;
  const [expressions, listed] = [rule['expressions'] ?? [], rule['actions'] ?? []];
  const texts = asArray(expressions).filter((expression) => typeof expression === 'string');
  const actions = asArray(listed).filter(isObject).map(readActionOnce);
  const isStrange =
    !isListOf(expressions, texts.length) || !isListOf(listed, actions.length) || !hasKnownKeys(rule);
  return {
    phase,
    position,
    name: asString(name) ?? '',
    content: isStrange ? contentOfStrange(rule) : contentOf(texts, actions),
    expressions: texts,
    actionTypes: actions.flatMap(({ type }) => (type === '' ? [] : [type])),
    actions,
    isStrange,
  };
}

const KNOWN_KEYS = ['name', 'expressions', 'actions'];

const hasKnownKeys = (rule: JsonObject): boolean =>
  Object.keys(rule).every((key) => KNOWN_KEYS.includes(key));

const contentOfStrange = ({ name: _name, ...content }: JsonObject): string => canonicalJson(content);

/** A rule without a list does what it does with an empty one. */
const contentOf = (expressions: readonly string[], actions: readonly TrafficAction[]): string =>
  `{"actions":[${actions.map(({ content }) => content).join(',')}],"expressions":${JSON.stringify(expressions)}}`;

// Few kinds of actions are all there are: each is taken apart once.
const MAX_KNOWN = 100_000;
const knownActions = new Map<string, TrafficAction>();

function readActionOnce(action: JsonObject): TrafficAction {
  const text = JSON.stringify(action);
  const earlier = knownActions.get(text);
  if (earlier) return earlier;
  if (knownActions.size >= MAX_KNOWN) knownActions.clear();
  const made = readAction(action);
  knownActions.set(text, made);
  return made;
}

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
