import { isObject, tryParseJson } from '../preview/json-reading';
import type { JsonObject } from '../preview/json-reading';
import type { PlannedItem, PlannedValue } from './planned-items';
import type {
  PlanContent,
  PlannedBounds,
  PlannedOperation,
  PlannedResource,
  ReviewedPlan,
} from './reviewed-plan';
import { withHash } from './reviewed-plan';

/** A file that is no reviewed plan, or an unreliable one. */
export class PlanFileError extends Error {
  override readonly name = 'PlanFileError';
}

/**
 * Reads a file that `--write plan=FILE` wrote.
 *
 * @throws PlanFileError for anything else: a file that was edited since, or the plan of an incomplete preview.
 */
export function readPlan(text: string, fileName: string): ReviewedPlan {
  const document = tryParseJson(text.replace(/^\uFEFF/, ''))?.value;
  if (!isObject(document) || document['formatVersion'] !== 1)
    throw new PlanFileError(
      `${fileName} is not a reviewed plan of version 1: write one with --write plan=FILE.`,
    );
  const plan = withHash(decode(document, fileName));
  if (plan.hash !== document['hash'])
    throw new PlanFileError(
      `${fileName} was changed after it was written: its hash does not match its content.`,
    );
  if (!plan.isWhole)
    throw new PlanFileError(
      `${fileName} comes from a preview that did not show the whole change: review a complete one.`,
    );
  return plan;
}

function decode(document: JsonObject, fileName: string): PlanContent {
  const malformed = (what: string): never => {
    throw new PlanFileError(`${fileName} is not a reviewed plan: ${what} cannot be read.`);
  };
  const text = (value: unknown, what: string): string =>
    typeof value === 'string' ? value : malformed(what);
  const list = <T>(value: unknown, what: string, read: (entry: unknown) => T): T[] =>
    Array.isArray(value) ? value.map(read) : malformed(what);
  const object = (value: unknown, what: string): JsonObject => (isObject(value) ? value : malformed(what));
  const value = (given: unknown): PlannedValue => {
    if (typeof given === 'string') return given;
    const obstacle = OBSTACLES.find((name) => isObject(given) && given['hidden'] === name);
    return obstacle ? { hidden: obstacle } : malformed('a value');
  };
  const item = (given: unknown): PlannedItem => {
    const { subject, ...others } = object(given, 'an item');
    return {
      subject: value(subject),
      ...Object.fromEntries(Object.entries(others).map(([name, entry]) => [name, value(entry)])),
    };
  };
  const resource = (given: unknown): PlannedResource => {
    const { urn, operation, before, after } = object(given, 'a resource');
    return {
      urn: text(urn, 'a URN'),
      operation: OPERATIONS.find((name) => name === operation) ?? malformed('an operation'),
      before: list(before, 'before', item),
      after: list(after, 'after', item),
    };
  };
  const bounds = (given: unknown): PlannedBounds => {
    const { kind, subject, surely, possibly } = object(given, 'bounds');
    const network = (entry: unknown) => text(entry, 'a network');
    return {
      kind: KINDS.find((name) => name === kind) ?? malformed('bounds'),
      subject: text(subject, 'bounds'),
      surely: list(surely, 'bounds', network),
      possibly: list(possibly, 'bounds', network),
    };
  };
  return {
    formatVersion: 1,
    stack: text(document['stack'], 'the stack'),
    project: text(document['project'], 'the project'),
    isWhole: document['isWhole'] === true,
    subjects: list(document['subjects'], 'the subjects', (entry) => text(entry, 'a subject')),
    resources: list(document['resources'], 'the resources', resource),
    bounds: list(document['bounds'], 'the bounds', bounds),
    services: list(document['services'], 'the services', (entry) => text(entry, 'a service')),
  };
}

const OBSTACLES = ['unknown', 'secret', 'unreadable'] as const;
const KINDS = ['policy', 'tcp-edge'] as const;
const OPERATIONS: readonly PlannedOperation[] = [
  ...(['unchanged', 'import', 'create', 'update', 'replace', 'delete', 'forget'] as const),
];
