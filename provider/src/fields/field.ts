// What for: field tables: what check, diff, request bodies and outputs follow from.
// Must not know: any resource by its name; `rule`, `api` and Pulumi.
import type { Failure } from '../values/failure';
import type { IdentifierKind } from '../values/identifiers';
import { containsUnknown, isUnknown } from '../values/unknowns';

/** A property bag as the engine exchanges it with a provider. */
export type Properties = Readonly<Record<string, unknown>>;

/** The property in which the engine carries the text that finds the handler; see `resources/provider-reference.ts`. */
export const PROVIDER_KEY = '__provider';

/** The property in which a resource class names the inputs that are secret, for the host that sees no marks; check drops it. */
export const SECRET_INPUTS_KEY = '__secretInputs';

/**
 * The property in which check notes the service that requests go to, for whoever reviews a preview: a program can give a provider of
 * its own the name of the engine's. No read returns it, and no diff compares it.
 */
export const SERVICE_KEY = '__service';

/** Inputs as the program gives them. */
export function withoutService<Inputs extends object>(inputs: Inputs): Omit<Inputs, typeof SERVICE_KEY> {
  const { [SERVICE_KEY]: _service, ...given } = inputs as Inputs & { readonly [SERVICE_KEY]?: unknown };
  return given;
}

/**
 * A copy without absent values. The host refuses `undefined` anywhere in a returned bag. It does so only after the request has
 * been sent, which would leave an orphan.
 */
export function withoutAbsent<T extends object>(properties: T): T {
  const present = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as T;
}

/** The result of parsing one value: its canonical form or why it is refused, and one-line warnings. */
export interface Parsed<T> {
  readonly value?: T;
  readonly failures?: readonly Failure[];
  readonly warnings?: readonly Failure[];
}

/** What a changed field means for the resource: `settings-only` fields control the provider and are never sent. */
export type ChangeEffect = 'update' | 'replace' | 'settings-only';

/** A type in the words of a Pulumi schema. */
export interface TypeSpec {
  readonly type?: 'string' | 'boolean' | 'array' | 'object';
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
}

/** The type that a program passes for a field, and the one that it reads, in any language. */
export interface FieldType {
  readonly input: TypeSpec;
  readonly output: TypeSpec;
}

/** Everything about one field, said once: check, diff and the request bodies are derived from it. */
export interface Field<T> {
  readonly type: FieldType;
  /** The field's name in the API document; absent if the field is never sent. */
  readonly wire?: string;
  /** Turns a value into what is sent; without it, the value is sent as it is. */
  readonly toWire?: (value: T) => unknown;
  /** Turns an answered value into what state holds; without it, state holds the value as it is. */
  readonly fromWire?: (value: T) => T;
  /** For an identifier: of which object. */
  readonly identifies?: IdentifierKind;
  /** `true` fails when the field is absent; otherwise absent fields take the default, or stay absent. */
  readonly isRequired?: boolean;
  readonly defaultValue?: T;
  /** An optional field whose empty text means the same as its absence. */
  readonly isAbsentWhenEmpty?: boolean;
  readonly parse: (value: unknown) => Parsed<T>;
  /** Whether two canonical values are equal; `===` without it. State keeps the user's text while it equals the live one. */
  readonly isSame?: (left: T, right: T) => boolean;
  /**
   * The text to use for a new value if there is an old one, so that a preview shows as little difference as possible. Without
   * it, the old value is used if both are equal. Parts of the new value may be unknown.
   */
  readonly beside?: (before: T, now: T) => T;
  /**
   * A text that the CLI prints line by line. The CLI prints a text in full if it can read it as JSON or YAML, and a change in
   * full if it can read both sides. So the text of a new resource is readable, and the text beside a change is not.
   */
  readonly inLines?: (text: string) => string;
  readonly onChange: ChangeEffect;
}

/** A resource's fields by their names in programs. */
export type FieldTable<Inputs> = {
  readonly [Name in keyof Inputs]-?: Field<Exclude<Inputs[Name], undefined>>;
};

/** A field as the generic plumbing sees it, whatever its type. */
export type AnyField = Field<unknown>;

/** The fields of a table with their names, in the table's order. */
export function fieldsOf(table: object): [name: string, field: AnyField][] {
  return Object.entries(table) as [string, AnyField][];
}

/**
 * Arguments with defaults for those that are left out. Check adds them as well, but it does not run under the SDK's mocks. A
 * program would see no value there.
 */
export function withDefaults<Args extends object>(table: object, args: Args | undefined): Args | undefined {
  if (args === undefined) return undefined;
  const missing = fieldsOf(table).filter(
    ([name, { defaultValue }]) => defaultValue !== undefined && Reflect.get(args, name) === undefined,
  );
  return { ...args, ...Object.fromEntries(missing.map(([name, { defaultValue }]) => [name, defaultValue])) };
}

export function isAbsent(field: AnyField, value: unknown): boolean {
  return value === undefined || value === null || (field.isAbsentWhenEmpty === true && value === '');
}

const isEqual = ({ isSame }: AnyField, left: unknown, right: unknown): boolean =>
  isSame === undefined ? left === right : isSame(left, right);

/** Whether two values of a field, either of which may be absent, are equal. */
export function isSameValue(field: AnyField, left: unknown, right: unknown): boolean {
  if (isAbsent(field, left) || isAbsent(field, right)) return isAbsent(field, left) && isAbsent(field, right);
  return isEqual(field, left, right);
}

/** The text to use for a value if its field has an old one: by default the old one if both are equal. */
export function besideOld(field: AnyField, before: unknown, now: unknown): unknown {
  if (field.beside !== undefined) return field.beside(before, now);
  return isEqual(field, before, now) ? before : asLines(field, now);
}

/** A value beside a change. */
export const asLines = ({ inLines }: AnyField, value: unknown): unknown =>
  inLines === undefined || typeof value !== 'string' || isUnknown(value) ? value : inLines(value);

/** The names of the fields that are sent to the service and differ between two property bags, whether inputs or outputs. */
export function changedFields(table: object, olds: object, news: object): string[] {
  const [before, after] = [olds as Properties, news as Properties];
  return fieldsOf(table)
    .filter(([name, field]) => field.wire !== undefined && !isSameValue(field, before[name], after[name]))
    .map(([name]) => name);
}

/** The answer of diff. Replacements delete first, as the service may refuse a second object while the old one exists. */
export interface DiffOutcome {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}

/**
 * Compares two property bags of a resource by its field table. Sends nothing. The engine compares old outputs with new inputs
 * at an update, and new outputs with old inputs at a refresh. A value that is not known yet counts as changed.
 */
export function diffFields(table: object, olds: object, news: object): DiffOutcome {
  const [before, after] = [olds as Properties, news as Properties];
  const changed = fieldsOf(table).filter(([name, field]) => {
    if (field.onChange === 'settings-only') return false;
    return containsUnknown(after[name]) || !isSameValue(field, before[name], after[name]);
  });
  const replaces = changed.filter(([, field]) => field.onChange === 'replace').map(([name]) => name);
  return { changes: changed.length > 0, replaces, deleteBeforeReplace: replaces.length > 0 };
}

export type RequestBody = Readonly<Record<string, unknown>>;

/** The body of a request that writes all fields: those that are given and that the service knows. */
export function bodyOf(table: object, given: object): RequestBody {
  const values = given as Properties;
  const body: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(table)) {
    const value = values[name];
    if (field.wire !== undefined && !isAbsent(field, value)) body[field.wire] = wireValue(field, value);
  }
  return body;
}

/** The body of a PATCH for the named fields: the new value, or what clears a field: its default, else the empty text. */
export function patchOf(table: object, names: readonly string[], news: object): RequestBody {
  const values = news as Properties;
  const body: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(table)) {
    const value = values[name];
    if (field.wire !== undefined && names.includes(name))
      body[field.wire] = isAbsent(field, value) ? (field.defaultValue ?? '') : wireValue(field, value);
  }
  return body;
}

const wireValue = (field: AnyField, value: unknown): unknown => field.toWire?.(value) ?? value;

/** The result of a refresh: the resource's id, its outputs, and the inputs that a program would have to give for them. */
export interface ReadOutcome<State> {
  readonly id: string;
  readonly state: State;
  readonly inputs: Properties;
}

/**
 * The live state, in the spelling of the prior state if that means the same. The service may answer in another order, spelling
 * or spacing, and none of that is drift.
 */
export function keepEqualText<State extends object>(table: object, prior: object, live: State): State {
  const kept = { ...live } as Record<string, unknown>;
  for (const [name, field] of fieldsOf(table)) {
    const before = (prior as Properties)[name];
    const now = kept[name];
    if (!isAbsent(field, before) && !isAbsent(field, now)) kept[name] = besideOld(field, before, now);
  }
  return withoutAbsent(kept) as State;
}

/** The inputs that a program would give for a resource in this state. */
export function inputsOf(table: object, state: object): Properties {
  const given = fieldsOf(table).map(([name]) => [name, (state as Properties)[name]] as const);
  return withoutAbsent(Object.fromEntries<unknown>(given));
}
