import type { ModuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import type { JsonObject } from '../preview/json-reading';
import { asArray, asObject, asString, isObject, tryParseJson } from '../preview/json-reading';
import { documentIn } from './policies';

/** One action of a rule. */
export interface TrafficAction {
  readonly type: string;
  readonly config: unknown;
  /** The whole action in one canonical text. */
  readonly content: string;
}

/** One rule of a traffic policy, read leniently: a review must describe what is there, valid or not. */
export interface TrafficRule {
  readonly phase: string;
  /** Position in its phase, counted from 1. */
  readonly position: number;
  /** Empty if the rule has none. */
  readonly name: string;
  /** Everything but the name, in one canonical text: equal texts are equal rules. */
  readonly content: string;
  readonly expressions: readonly string[];
  readonly actionTypes: readonly string[];
  readonly actions: readonly TrafficAction[];
  /** Parts of the rule that are not where a rule has any; their effect is unknown. */
  readonly isStrange: boolean;
}

// Read for each caller anew, a review of 20,000 rules of one traffic policy takes 27 times `node -e ''`, where the bound is 25
// (`node bench/review.mjs traffic`).
const read = new WeakMap<ModuleDeclaration, { readonly rules: readonly TrafficRule[] | undefined }>();

/** The rules of a declared policy, read once for all callers; undefined if it is hidden or cannot be read. */
export function trafficRulesOf(module: ModuleDeclaration): readonly TrafficRule[] | undefined {
  const earlier = read.get(module);
  if (earlier) return earlier.rules;
  const text = valueOf(documentIn(module));
  const rules = text === undefined ? undefined : readTrafficRules(text);
  read.set(module, { rules });
  return rules;
}

/** The rules of a serialised policy, phase by phase; undefined if it is not an object of phases. */
export const readTrafficRules = (text: string): readonly TrafficRule[] | undefined =>
  unlessTooDeep(() => {
    const policy = tryParseJson(text)?.value;
    // If writing the parsed text gives the same text, no key is repeated; only otherwise are the keys counted.
    const isWhole = JSON.stringify(policy) === text || !repeatsKeys(text, policy);
    return isWhole ? rulesIn(policy) : undefined;
  });

/** A document nested thousands deep overflows the stack of every reader. */
function unlessTooDeep<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function rulesIn(document: unknown): readonly TrafficRule[] | undefined {
  const policy = asObject(document);
  if (!policy) return undefined;
  const phases = Object.entries(policy);
  if (!phases.every(([, rules]) => Array.isArray(rules) && rules.every(isObject))) return undefined;
  return phases.flatMap(([phase, rules]) =>
    asArray(rules)
      .filter(isObject)
      .map((rule, index): TrafficRule => new ReadRule(phase, index + 1, rule)),
  );
}

// Computed on demand, as long documents have tens of thousands of these, and most contents are never asked for.
class ReadRule implements TrafficRule {
  readonly name: string;
  readonly expressions: readonly string[];
  readonly isStrange: boolean;
  private readonly listed: ListedActions;
  private written: string | undefined;

  constructor(
    readonly phase: string,
    readonly position: number,
    rule: JsonObject,
  ) {
    const [expressions, actions] = [rule['expressions'] ?? [], rule['actions'] ?? []];
    this.name = asString(rule['name']) ?? '';
    this.expressions = textsOf(expressions);
    this.listed = readActions(actions);
    this.isStrange =
      !isListOf(expressions, this.expressions.length) ||
      !isListOf(actions, this.listed.actions.length) ||
      !hasKnownKeys(rule);
    // Excessive nesting is detected while the document is read.
    this.written = this.isStrange ? contentOfStrange(rule) : undefined;
  }

  get actions(): readonly TrafficAction[] {
    return this.listed.actions;
  }

  get actionTypes(): readonly string[] {
    return this.listed.types;
  }

  get content(): string {
    return (this.written ??= contentOf(this.expressions, this.listed.actions));
  }
}

/** Whether two rules have equal content, which can mostly be decided without serialising it. */
export function isSameContent(one: TrafficRule, other: TrafficRule): boolean {
  if (one === other) return true;
  const [first, ...others] = one.expressions;
  const isPlain = !one.isStrange && !other.isStrange && one.actions === other.actions && others.length === 0;
  return isPlain && other.expressions.length === 1
    ? first === other.expressions[0]
    : one.content === other.content;
}

const textsOf = (list: unknown): readonly string[] =>
  isListOfTexts(list) ? list : asArray(list).filter((entry) => typeof entry === 'string');

const isListOfTexts = (list: unknown): list is readonly string[] =>
  Array.isArray(list) && list.every((entry) => typeof entry === 'string');

const KNOWN_KEYS = ['name', 'expressions', 'actions'];

function hasKnownKeys(rule: JsonObject): boolean {
  for (const key in rule) if (!KNOWN_KEYS.includes(key)) return false;
  return true;
}

const contentOfStrange = ({ name: _name, ...content }: JsonObject): string => canonicalJson(content);

/** A missing list has the same effect as an empty one. */
const contentOf = (expressions: readonly string[], actions: readonly TrafficAction[]): string =>
  `{"actions":[${actions.map(({ content }) => content).join(',')}],"expressions":${JSON.stringify(expressions)}}`;

interface ListedActions {
  readonly actions: readonly TrafficAction[];
  readonly types: readonly string[];
}

// Cached, as there are few different lists of actions.
const MAX_KNOWN = 100_000;
const knownActions = new Map<string, ListedActions>();

function readActions(list: unknown): ListedActions {
  const text = JSON.stringify(list);
  const earlier = knownActions.get(text);
  if (earlier) return earlier;
  if (knownActions.size >= MAX_KNOWN) knownActions.clear();
  const actions = asArray(list).filter(isObject).map(readAction);
  const listed = { actions, types: actions.flatMap(({ type }) => (type === '' ? [] : [type])) };
  knownActions.set(text, listed);
  return listed;
}

const readAction = (action: JsonObject): TrafficAction => ({
  type: asString(action['type']) ?? '',
  config: action['config'],
  content: canonicalJson(action),
});

const isListOf = (value: unknown, length: number): boolean => Array.isArray(value) && value.length === length;

/** JSON with sorted keys, as key order and spacing mean nothing. */
const canonicalJson = (value: unknown): string => JSON.stringify(value, sortedKeysOf(value));

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

/** Readers differ about a repeated key: the first, the last, or an error. */
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
