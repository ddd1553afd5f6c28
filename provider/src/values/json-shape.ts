import { type Failure, nearestName } from './failure';
import { survivesDouble } from './json-key';
import type { JsonNode } from './json-text';

/** The expected shape of a JSON value; keys that an object's shape does not list may hold anything. */
export type Shape =
  | { readonly kind: 'string' | 'anything' }
  | { readonly kind: 'array'; readonly item: Shape; readonly isNonEmpty?: boolean }
  | { readonly kind: 'object'; readonly required: ShapesByKey; readonly optional: ShapesByKey };

type ShapesByKey = Readonly<Record<string, Shape>>;
type ObjectNode = Extract<JsonNode, { kind: 'object' }>;
type ObjectShape = Extract<Shape, { kind: 'object' }>;

/** Remarks about a JSON value. Unknown keys appear as `(key 2)`, as any of them may be secret. */
export interface ShapeReport {
  readonly failures: readonly Failure[];
  readonly warnings: readonly Failure[];
}

/** Compares a value with its shape, and points out at any depth what readers of JSON disagree about. */
export function checkShape(node: JsonNode, shape: Shape): ShapeReport {
  const report = { failures: [], warnings: [] };
  new ShapeChecker(report).check(node, shape, '');
  return report;
}

const anything: Shape = { kind: 'anything' };
const unlisted: ObjectShape = { kind: 'object', required: {}, optional: {} };

class ShapeChecker {
  constructor(private readonly report: { failures: Failure[]; warnings: Failure[] }) {}

  check(node: JsonNode, shape: Shape, path: string): void {
    if (shape.kind !== 'anything' && shape.kind !== node.kind) {
      this.fail(path, `must be ${nouns[shape.kind]}, not ${nouns[node.kind]}`);
    }
    if (node.kind === 'number' && !survivesDouble(node.text)) {
      const forms = '1.0, 1e3, -0, or more digits than a double holds';
      this.warn(path, `is a number that a service may return in another form (${forms})`);
    }
    if (node.kind === 'array') this.checkItems(node.items, shape, path);
    if (node.kind === 'object') this.checkMembers(node, shape.kind === 'object' ? shape : unlisted, path);
  }

  private checkItems(items: readonly JsonNode[], shape: Shape, path: string): void {
    const isArray = shape.kind === 'array';
    if (isArray && shape.isNonEmpty === true && items.length === 0) this.fail(path, 'must not be empty');
    items.forEach((item, index) => {
      this.check(item, isArray ? shape.item : anything, `${path}[${index}]`);
    });
  }

  private checkMembers({ members }: ObjectNode, { required, optional }: ObjectShape, path: string): void {
    const shapes = new Map(Object.entries({ ...required, ...optional }));
    const seen = new Set<string>();
    members.forEach(({ key, value }, index) => {
      const near = nearestName(key, [...shapes.keys()]);
      const isNameable = shapes.has(key) || near !== undefined;
      const memberPath = isNameable ? join(path, key) : join(path, `(key ${index + 1})`);
      if (near !== undefined) this.warn(memberPath, `is not a known key: did you mean ${near}?`);
      if (seen.has(key))
        this.fail(memberPath, 'appears more than once, and parsers differ on which one counts');
      seen.add(key);
      this.check(value, shapes.get(key) ?? anything, memberPath);
    });
    for (const key of Object.keys(required)) {
      if (!seen.has(key)) this.fail(join(path, key), 'is missing');
    }
  }

  private fail(path: string, reason: string): void {
    this.report.failures.push(path === '' ? { reason } : { path, reason });
  }

  private warn(path: string, reason: string): void {
    this.report.warnings.push(path === '' ? { reason } : { path, reason });
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const nouns: Readonly<Record<JsonNode['kind'], string>> = {
  array: 'an array',
  boolean: 'true or false',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};
