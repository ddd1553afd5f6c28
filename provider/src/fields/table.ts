// What follows from the field table of a resource besides check: diff, request bodies and outputs.
import {
  type AnyField,
  besideOld,
  fieldsOf,
  isAbsent,
  isSameValue,
  type Properties,
  withoutAbsent,
} from './field';
import { containsUnknown } from '../values/unknowns';

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
