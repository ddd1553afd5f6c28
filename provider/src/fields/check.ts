import {
  type AnyField,
  asLines,
  besideOld,
  fieldsOf,
  isAbsent,
  type Properties,
  PROVIDER_KEY,
  withoutAbsent,
} from './field';
import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../values/failure';
import { outputsAsText } from '../values/output-text';
import { containsUnknown, isUnknown } from '../values/unknowns';

export interface CheckOutcome {
  readonly inputs: Record<string, unknown>;
  /** All failures at once, each beginning with the path of its property. */
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Checks and canonicalises inputs by a field table. Sends nothing. Unknown values pass unchecked. If a new value equals the old
 * one, the old text stays, so that a preview shows no meaningless line.
 */
export function checkFields(table: object, olds: object, news: object): CheckOutcome {
  const [before, given] = [olds as Properties, news as Properties];
  const inputs: Record<string, unknown> = {};
  const failures: string[] = [];
  const warnings: string[] = [];
  for (const [name, field] of fieldsOf(table)) {
    const checked = checkField(name, field, { before: before[name], now: given[name] });
    if (checked.value !== undefined) inputs[name] = checked.value;
    failures.push(...checked.failures);
    warnings.push(...checked.warnings);
  }
  failures.push(...unknownNames(table, given));
  return { inputs: linesBesideChanges(table, before, inputs), failures, warnings };
}

/** Inputs in which no text is printed in full beside a change of another field. */
export function linesBesideChanges(table: object, olds: object, inputs: Properties): Properties {
  const fields = fieldsOf(table);
  const isChanged = fields.some(([name]) => !isDeepStrictEqual(inputs[name], (olds as Properties)[name]));
  if (Object.keys(olds).length === 0 || !isChanged) return inputs;
  return withoutAbsent(
    Object.fromEntries(fields.map(([name, field]) => [name, asLines(field, inputs[name])])),
  );
}

interface CheckedField {
  readonly value?: unknown;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

function checkField(name: string, field: AnyField, given: { before: unknown; now: unknown }): CheckedField {
  const nothing = { failures: [], warnings: [] };
  if (isAbsent(field, given.now)) {
    if (field.isRequired) return { ...nothing, failures: [`${name}: is required`] };
    return field.defaultValue === undefined ? nothing : { ...nothing, value: field.defaultValue };
  }
  if (isUnknown(given.now)) return { ...nothing, value: given.now };
  const parsed = field.parse(given.now);
  const mistake = outputsAsText(given.now);
  const problems = [
    ...mistake.failures,
    // They are about a text that the program did not mean.
    ...(parsed.failures ?? []).filter(({ path = '' }) => !mistake.paths.includes(path)),
  ];
  // With the option ignoreChanges the engine passes in what state holds. That may have been changed on the service.
  const isNew = problems.length > 0 && !isDeepStrictEqual(given.before, given.now);
  const failures = isNew ? problems : [];
  const value = parsed.value ?? given.now;
  // A refused value may be of any type, which comparisons do not expect.
  const isRight = failures.length === 0 && typeof given.before === typeof value;
  return {
    value:
      isRight && isComparable(field, given.before, value) ? besideOld(field, given.before, value) : value,
    failures: failures.map((failure) => sentence(name, failure)),
    warnings: [...(parsed.warnings ?? []), ...(isNew ? [] : mistake.failures)].map((warning) =>
      sentence(name, warning),
    ),
  };
}

function sentence(name: string, { path, reason }: Failure): string {
  const separator = path === undefined || path.startsWith('[') ? '' : '.';
  return `${name}${separator}${path ?? ''}: ${reason}`;
}

const isComparable = (field: AnyField, before: unknown, now: unknown): boolean =>
  !isAbsent(field, before) &&
  !containsUnknown(before) &&
  (field.beside !== undefined || !containsUnknown(now));

function unknownNames(table: object, news: Properties): string[] {
  const known = Object.keys(table);
  return Object.keys(news)
    .filter(
      (name) =>
        name !== PROVIDER_KEY && !known.includes(name) && news[name] !== undefined && news[name] !== null,
    )
    .map((name) => `${name}: is not a property of this resource (its properties: ${known.join(', ')})`);
}
