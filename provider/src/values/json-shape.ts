import { type Failure, nearestName } from './failure';
import type { JsonValue } from './json';

/** The expected shape of a JSON value; keys that an object's shape does not list may hold anything. */
export type Shape =
  | { readonly kind: 'string' | 'anything' }
  | { readonly kind: 'array'; readonly item: Shape; readonly isNonEmpty?: boolean }
  | { readonly kind: 'object'; readonly required: ShapesByKey; readonly optional: ShapesByKey };

type JsonObject = Readonly<Record<string, JsonValue>>;
type ShapesByKey = Readonly<Record<string, Shape>>;
type ArrayShape = Extract<Shape, { kind: 'array' }>;
type ObjectShape = Extract<Shape, { kind: 'object' }>;

/** Remarks about a JSON value. They name known keys and misspellings of these only, as any other key may be secret. */
export interface ShapeReport {
  readonly failures: readonly Failure[];
  readonly warnings: readonly Failure[];
}

/** Compares a value with its shape. */
export function checkShape(value: JsonValue, shape: Shape): ShapeReport {
  const report = { failures: [], warnings: [] };
  new ShapeChecker(report).check(value, shape, '');
  return report;
}

class ShapeChecker {
  constructor(private readonly report: { failures: Failure[]; warnings: Failure[] }) {}

  check(value: JsonValue, shape: Shape, path: string): void {
    if (shape.kind === 'anything') return;
    if (shape.kind !== kindOf(value))
      this.fail(path, `must be ${nouns[shape.kind]}, not ${nouns[kindOf(value)]}`);
    else if (shape.kind === 'array') this.checkItems(value as readonly JsonValue[], shape, path);
    else if (shape.kind === 'object') this.checkMembers(value as JsonObject, shape, path);
  }

  private checkItems(
    items: readonly JsonValue[],
    { item: shape, isNonEmpty = false }: ArrayShape,
    path: string,
  ): void {
    if (isNonEmpty && items.length === 0) this.fail(path, 'must not be empty');
    items.forEach((item, index) => {
      this.check(item, shape, `${path}[${index}]`);
    });
  }

  private checkMembers(members: JsonObject, { required, optional }: ObjectShape, path: string): void {
    const shapes = new Map(Object.entries({ ...required, ...optional }));
    for (const [key, value] of Object.entries(members)) {
      const shape = shapes.get(key);
      if (shape) this.check(value, shape, join(path, key));
      else this.checkUnknown(key, [...shapes.keys()], path);
    }
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(members, key)) this.fail(join(path, key), 'is missing');
    }
  }

  private checkUnknown(key: string, known: readonly string[], path: string): void {
    const near = nearestName(key, known);
    if (near === undefined) return;
    if (near.toLowerCase() === key.toLowerCase())
      this.fail(
        join(path, key),
        `differs from ${near} only by case, and parsers differ on whether it is that key`,
      );
    else this.warn(join(path, key), `is not a known key: did you mean ${near}?`);
  }

  private fail(path: string, reason: string): void {
    this.report.failures.push(path === '' ? { reason } : { path, reason });
  }

  private warn(path: string, reason: string): void {
    this.report.warnings.push(path === '' ? { reason } : { path, reason });
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function kindOf(value: JsonValue): keyof typeof nouns {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as 'string' | 'number' | 'boolean' | 'object');
}

const nouns = {
  array: 'an array',
  boolean: 'true or false',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};
