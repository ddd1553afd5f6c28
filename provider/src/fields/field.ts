// What for: field tables: what check, diff, request bodies and outputs follow from.
// Must not know: any resource by its name; `rule`, `api` and Pulumi.
import type { Failure } from '../values/failure';
import type { IdentifierKind } from '../values/identifiers';
import { containsUnknown, isUnknown } from '../values/unknowns';

export type Properties = Readonly<Record<string, unknown>>;

/** The engine carries the text that finds the handler here; see `resources/provider-reference.ts`. */
export const PROVIDER_KEY = '__provider';

/** Resource classes name the inputs that are secret here, for the host that sees no marks; check drops it. */
export const SECRET_INPUTS_KEY = '__secretInputs';

/** Check notes the service here for reviews, as a program's provider may have the engine's name. No diff compares it. */
export const SERVICE_KEY = '__service';

export function withoutService<Inputs extends object>(inputs: Inputs): Omit<Inputs, typeof SERVICE_KEY> {
  const { [SERVICE_KEY]: _service, ...given } = inputs as Inputs & { readonly [SERVICE_KEY]?: unknown };
  return given;
}

/** Without absent values: the host refuses them in an answer, after the request, which would leave an orphan. */
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
  /** The text for a new value beside an old one, for a small difference in previews. Parts of it may be unknown. */
  readonly beside?: (before: T, now: T) => T;
  /**
   * The text of a new resource is JSON or YAML, which the CLI prints in full. If it can read both sides of a change so, it
   * prints all of that, too: beside a change, the text is in a form that it prints line by line.
   */
  readonly inLines?: (text: string) => string;
  readonly onChange: ChangeEffect;
}

export type FieldTable<Inputs> = {
  readonly [Name in keyof Inputs]-?: Field<Exclude<Inputs[Name], undefined>>;
};

export type AnyField = Field<unknown>;

export function fieldsOf(table: object): [name: string, field: AnyField][] {
  return Object.entries(table) as [string, AnyField][];
}

/** Arguments with defaults: check adds them as well, but does not run under the SDK's mocks. */
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

/** At an update old outputs and new inputs, at a refresh new outputs and old inputs. An unknown value counts as changed. */
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
  const present = fieldsOf(table).filter(([name, field]) => !isAbsent(field, (given as Properties)[name]));
  return patchOf(
    table,
    present.map(([name]) => name),
    given,
  );
}

/** The body of a PATCH for the named fields: the new value, or what clears a field: its default, else the empty text. */
export function patchOf(table: object, names: readonly string[], news: object): RequestBody {
  const values = news as Properties;
  const body: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(table)) {
    const value = values[name];
    if (field.wire !== undefined && names.includes(name))
      body[field.wire] = isAbsent(field, value)
        ? (field.defaultValue ?? '')
        : (field.toWire?.(value) ?? value);
  }
  return body;
}

/** The result of a refresh: the resource's id, its outputs, and the inputs that a program would have to give for them. */
export interface ReadOutcome<State> {
  readonly id: string;
  readonly state: State;
  readonly inputs: Properties;
}

/** The live state in the spelling of the prior one where they are equal: another order, spelling or spacing is no drift. */
export function keepEqualText<State extends object>(table: object, prior: object, live: State): State {
  const kept = { ...live } as Record<string, unknown>;
  for (const [name, field] of fieldsOf(table)) {
    const before = (prior as Properties)[name];
    const now = kept[name];
    if (!isAbsent(field, before) && !isAbsent(field, now)) kept[name] = besideOld(field, before, now);
  }
  return withoutAbsent(kept) as State;
}

export function inputsOf(table: object, state: object): Properties {
  const given = fieldsOf(table).map(([name]) => [name, (state as Properties)[name]] as const);
  return withoutAbsent(Object.fromEntries<unknown>(given));
}
