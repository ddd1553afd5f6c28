// Request bodies, made from the field table of a resource.
import { type AnyField, fieldsOf, isAbsent, type Properties } from './field';

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
