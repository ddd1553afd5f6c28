import { type Failure, nearestName, typeName } from './failure';
import { canonicalJson, type JsonParse, type JsonValue, MAX_JSON_DEPTH, parseJson } from './json';
import { unicodeProblem } from './text-limits';
import { printableInState } from './printable';

/** A traffic policy: lists of rules by the phase of a connection. Keys not listed here are sent as they are. */
export interface TrafficPolicy {
  /** The rules for incoming connections, in the order in which they apply. */
  readonly inbound?: readonly TrafficPolicyRule[];
  readonly [key: string]: unknown;
}

/** One rule of a traffic policy. */
export interface TrafficPolicyRule {
  /** A name for people. */
  readonly name: string;
  /** Conditions on the connection, in the expression language of the service. */
  readonly expressions: readonly string[];
  /** What happens to a connection; at least one action. */
  readonly actions: readonly TrafficPolicyAction[];
  readonly [key: string]: unknown;
}

/** What a rule does with a connection. */
export interface TrafficPolicyAction {
  /** The kind of action, such as `deny`. */
  readonly type: string;
  /** Settings of the action, if its kind has any. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** The expected shape of a JSON value: a type, a list of one shape, or an object, whose other keys may hold anything. */
type Shape = 'a string' | 'an object' | 'anything' | readonly [Shape] | { readonly [key: string]: Shape };

/** The shape that the API document (2.4) shows; what ends with a question mark may be missing. */
const shapeWith = (config: Shape): Shape => ({
  'inbound?': [
    { name: 'a string', expressions: ['a string'], actions: [{ type: 'a string', 'config?': config }] },
  ],
});

const POLICY = shapeWith('anything');
/** The type of a policy requires more than is checked. */
const TYPED_POLICY = shapeWith('an object');

/** Remarks about a document. They name known keys and misspellings of these only, as any other key may be secret. */
export interface DocumentReport {
  readonly failures: readonly Failure[];
  readonly warnings: readonly Failure[];
}

/** No path and no sentence quotes the text, except known keys and their misspellings: it may be secret. */
export function checkPolicyDocument(document: string): DocumentReport {
  const report = new Report();
  const unreadable =
    document.trim() === ''
      ? 'is empty: must be a JSON object, such as {"inbound":[]}'
      : unicodeProblem(document);
  const parsed =
    unreadable === undefined ? parseJson(document) : ({ ok: false, problem: unreadable } as const);
  if (parsed.ok) report.check(parsed.value, POLICY, '');
  else report.fail('', parsed.problem);
  return { failures: report.failures, warnings: report.warnings };
}

class Report implements DocumentReport {
  readonly failures: Failure[] = [];
  readonly warnings: Failure[] = [];

  check(value: JsonValue, shape: Shape, path: string): void {
    const expected = typeof shape === 'string' ? shape : typeName(shape);
    if (expected === 'anything') return;
    if (expected !== typeName(value)) this.fail(path, `must be ${expected}, not ${typeName(value)}`);
    else if (isList(shape)) this.checkItems(value as readonly JsonValue[], shape[0], path);
    else if (typeof shape === 'object') this.checkMembers(value as JsonObject, shape, path);
  }

  private checkItems(items: readonly JsonValue[], shape: Shape, path: string): void {
    // A rule without an action is the only empty list that means nothing.
    if (items.length === 0 && path.endsWith('.actions')) this.fail(path, 'must not be empty');
    items.forEach((item, index) => {
      this.check(item, shape, `${path}[${index}]`);
    });
  }

  private checkMembers(members: JsonObject, shape: Readonly<Record<string, Shape>>, path: string): void {
    const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
    const shapes = new Map(Object.entries(shape).map(([key, member]) => [key.replace('?', ''), member]));
    for (const [key, value] of Object.entries(members)) {
      const member = shapes.get(key);
      if (member === undefined) this.checkUnknown(key, nearestName(key, [...shapes.keys()]), at(key));
      else this.check(value, member, at(key));
    }
    for (const key of Object.keys(shape))
      if (!key.endsWith('?') && !Object.hasOwn(members, key)) this.fail(at(key), 'is missing');
  }

  private checkUnknown(key: string, near: string | undefined, path: string): void {
    if (near === undefined) return;
    if (near.toLowerCase() !== key.toLowerCase())
      this.warnings.push({ path, reason: `is not a known key: did you mean ${near}?` });
    else this.fail(path, `differs from ${near} only in case, and parsers disagree on whether it is that key`);
  }

  fail(path: string, reason: string): void {
    this.failures.push(path === '' ? { reason } : { path, reason });
  }
}

type JsonObject = Readonly<Record<string, JsonValue>>;

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** The typed, readable document, or the text if a program could not state it so, which the check may refuse. */
export function policyValue(text: string): JsonValue {
  const parsed = parseJson(text);
  if (!parsed.ok || !isPlain(parsed.value)) return text;
  const report = new Report();
  report.check(parsed.value, TYPED_POLICY, '');
  return report.failures.length === 0 ? parsed.value : text;
}

/** The SDK gives keys with two leading underscores a meaning of their own. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => !key.startsWith('__') && isPlain(member));
}

/** Writes a typed policy as the text that is sent, with keys in the order of the program. */
export function serialisePolicyDocument(document: TrafficPolicy): string {
  try {
    return JSON.stringify(document, refuseWhatJsonCannotSay);
  } catch {
    // The engine's own message can quote keys of the document.
    throw new TypeError(
      `traffic policy: contains what JSON cannot express (a function, symbol, bigint or infinite number), has a cycle, or is nested ` +
        `deeper than ${MAX_JSON_DEPTH} levels`,
    );
  }
}

/** Whether two texts are the same policy; texts that readers may understand differently must be identical. */
export function samePolicyDocument(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [parseJson(a), parseJson(b)];
  return left.ok && right.ok && canonicalJson(left.value) === canonicalJson(right.value);
}

/** Whether a text holds no rule at all: empty, `null`, or an object whose phases are all empty. */
export function isEmptyPolicyDocument(document: string): boolean {
  if (document.trim() === '') return true;
  const parsed = parseJson(document);
  if (!parsed.ok || typeof parsed.value !== 'object' || Array.isArray(parsed.value)) return false;
  return Object.values(parsed.value ?? {}).every((phase) => Array.isArray(phase) && phase.length === 0);
}

/** `JSON.stringify` turns these values into null or omits them, so that the policy would silently lose a part. */
function refuseWhatJsonCannotSay(_key: string, value: unknown): unknown {
  const isLost =
    typeof value === 'number' ? !Number.isFinite(value) : ['function', 'symbol'].includes(typeof value);
  if (isLost) throw new TypeError('lost');
  return value;
}

// A traffic policy crosses the engine as indented JSON. The CLI prints all of it, which a new policy needs. A first line that
// makes the text invalid as JSON leads the CLI to print only changed lines, with two around each (`Field.inLines`).

/** No JSON and no YAML begins with an `@`, whatever follows. */
const FIRST_LINE = '@policy\n';

/** A text that is no JSON, or that readers may understand differently, is returned unchanged. */
export function policyLines(text: string): string {
  const parsed = parsePolicy(text);
  return parsed.ok ? `${FIRST_LINE}${printableInState(parsed.value, '  ')}\n` : text;
}

/** In full, or in lines if the CLI would leave out a part. */
export function policyInFull(text: string): string {
  const parsed = parsePolicy(text);
  const lines = policyLines(text);
  return parsed.ok && isPrintedWhole(parsed.value) ? lines.slice(FIRST_LINE.length) : lines;
}

/** Without blanks; any other text is returned as it is. */
export function policyJson(text: string): string {
  const parsed = parsePolicy(text);
  return parsed.ok ? JSON.stringify(parsed.value) : text;
}

const parsePolicy = (text: string): JsonParse =>
  parseJson(text.startsWith(FIRST_LINE) ? text.slice(FIRST_LINE.length) : text);

/** It hides `__` members, also in a text that it can read as a document, where escapes and tags can spell such a name. */
const isPrintedWhole = (value: JsonValue): boolean =>
  typeof value === 'string'
    ? !/^\s*[[{]|[\n\r]/.test(value) || !/__|[\\!]/.test(value)
    : value === null ||
      Object.entries(value).every(
        ([key, member]) => !key.startsWith('__') && isPrintedWhole(member as JsonValue),
      );
