import { canonicalJson, MAX_JSON_DEPTH, parseJson } from './json';
import { checkShape, type Shape, type ShapeReport } from './json-shape';
import { unicodeProblem } from './text-limits';

/** A traffic policy: lists of rules by the phase of a connection. Keys not listed here are sent as they are. */
export interface TrafficPolicy {
  /** The rules for connections that come in, in the order in which they apply. */
  readonly inbound?: readonly TrafficPolicyRule[];
  readonly [key: string]: unknown;
}

/** One rule of a traffic policy. */
export interface TrafficPolicyRule {
  /** A name for people. */
  readonly name: string;
  /** Conditions on the connection, in the expression language of the service. */
  readonly expressions: readonly string[];
  /** What is done with a connection; at least one action. */
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

const text: Shape = { kind: 'string' };

const action: Shape = {
  kind: 'object',
  required: { type: text },
  optional: { config: { kind: 'anything' } },
};

const rule: Shape = {
  kind: 'object',
  required: {
    name: text,
    expressions: { kind: 'array', item: text },
    actions: { kind: 'array', item: action, isNonEmpty: true },
  },
  optional: {},
};

const policy: Shape = {
  kind: 'object',
  required: {},
  optional: { inbound: { kind: 'array', item: rule } },
};

/**
 * Checks the text of a traffic policy against the shape that the API document (2.4) shows. No path and no sentence of the
 * result quotes the text, except for known keys and their misspellings, as it may be secret.
 */
export function checkPolicyDocument(document: string): ShapeReport {
  if (document.trim() === '') return unreadable('is empty: must be a JSON object, such as {"inbound":[]}');
  const unicode = unicodeProblem(document);
  if (unicode !== undefined) return unreadable(unicode);
  const parsed = parseJson(document);
  return parsed.ok ? checkShape(parsed.value, policy) : unreadable(parsed.problem);
}

const unreadable = (reason: string): ShapeReport => ({ failures: [{ reason }], warnings: [] });

/** Writes a typed policy as the text that is sent, with keys in the order of the program. */
export function serialisePolicyDocument(document: TrafficPolicy): string {
  try {
    return JSON.stringify(document, refuseWhatJsonCannotSay);
  } catch (error) {
    // Too deep or cyclic: the engine's own message can quote keys of the document.
    if (error instanceof UnsayableError) throw error;
    throw new UnsayableError(`traffic policy: has a cycle or is nested deeper than ${MAX_JSON_DEPTH} levels`);
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

class UnsayableError extends TypeError {}

function refuseWhatJsonCannotSay(_key: string, value: unknown): unknown {
  // JSON.stringify turns these values into null or omits them, so that the policy would silently lose a part.
  const isUnsayable =
    (typeof value === 'number' && !Number.isFinite(value)) ||
    ['bigint', 'function', 'symbol'].includes(typeof value);
  if (isUnsayable)
    throw new UnsayableError(`traffic policy: contains a ${typeof value}, which JSON cannot express`);
  return value;
}
