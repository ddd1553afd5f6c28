import { createHash } from 'node:crypto';
import {
  DocumentError,
  listOf,
  object,
  objectOf,
  oneOf,
  optional,
  type Reader,
  text,
  toggle,
} from 'pulumi-edge-policy/internal/values/decoding';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import type { Obstacle } from '../model/known';
import { OBSTACLES } from '../access/subject-access';
import { idsOf } from '../model/live-rules';
import type { ChangeKind, ResourceChange } from '../model/resource-change';
import { parsedObject } from '../preview/json-reading';
import type { PreviewStep } from '../preview/preview-step';
import { providerUrnOf } from '../preview/services';
import { itemsOf, type PlannedItem, type PlannedValue } from './planned-items';

/** The version of the format; `review/schemas/plan-2.json` describes it. Version 1 had no texts and no identifiers. */
const PLAN_VERSION = 2;

/** An import changes no object, but what the stack manages from then on, and would delete. */
export type PlannedOperation = ChangeKind | 'import';

export interface PlannedResource {
  readonly urn: string;
  readonly operation: PlannedOperation;
  /** The URN of the provider, which says where the requests go. */
  readonly provider?: string;
  /** The identifiers of the objects that requests change or delete, or that are imported. */
  readonly ids?: readonly string[];
  readonly before: readonly PlannedItem[];
  readonly after: readonly PlannedItem[];
}

export interface PlanContent {
  readonly formatVersion: typeof PLAN_VERSION;
  readonly stack: string;
  readonly project: string;
  /** False if the preview did not show the whole change, which cannot be approved. */
  readonly isWhole: boolean;
  readonly subjects: readonly string[];
  /** The changed resources, and the other resources of the same subjects, in the order of their URNs. */
  readonly resources: readonly PlannedResource[];
  readonly services: readonly string[];
}

export interface ReviewedPlan extends PlanContent {
  readonly hash: string;
}

export interface Reviewed {
  readonly stack?: string;
  readonly project?: string;
  readonly isWhole: boolean;
  readonly steps: readonly PreviewStep[];
  readonly changes: readonly ResourceChange[];
  readonly services: readonly string[];
}

export function planOf(reviewed: Reviewed): ReviewedPlan {
  const planned = plannedResources(reviewed);
  const changing = planned.filter(({ operation }) => operation !== 'unchanged');
  // If the subject of a change is hidden, it may be any: then all resources are written down.
  const isAbout = new Set((changing.some(hasHiddenSubject) ? planned : changing).flatMap(subjectsOf));
  const content: PlanContent = {
    formatVersion: PLAN_VERSION,
    stack: reviewed.stack ?? '',
    project: reviewed.project ?? '',
    isWhole: reviewed.isWhole,
    subjects: [...isAbout].sort(),
    resources: planned.filter((resource) => isConcerned(resource, isAbout)),
    services: reviewed.services,
  };
  return { ...content, hash: digestOf(content) };
}

/** Whether a resource changes, or is about a subject of what does. */
export const isConcerned = (resource: PlannedResource, subjects: ReadonlySet<string>): boolean =>
  resource.operation !== 'unchanged' || subjectsOf(resource).some((subject) => subjects.has(subject));

function plannedResources({ changes, steps }: Reviewed): PlannedResource[] {
  const imported = new Map(
    steps
      .filter(({ op }) => op === 'import')
      .map((step) => [step.urn.text, step.new?.importId ?? step.new?.id ?? '']),
  );
  const providers = new Map(steps.map((step) => [step.urn.text, providerUrnOf(step.new ?? step.old)]));
  const byUrn = new Map<string, PlannedResource>();
  for (const change of changes) {
    const { kind, before, after } = change;
    const urn = (before ?? after)?.origin.urn ?? '';
    const earlier = byUrn.get(urn);
    const provider = providers.get(urn);
    // No request is about what stays, or is only forgotten.
    const isUntouched = kind === 'unchanged' || kind === 'forget';
    const isImport = kind === 'unchanged' && imported.has(urn);
    const ids = [
      ...(earlier?.ids ?? []),
      ...(isUntouched ? [imported.get(urn) ?? []].flat() : idsOf(change)),
    ];
    byUrn.set(urn, {
      urn,
      operation: earlier && earlier.operation !== kind ? 'replace' : isImport ? 'import' : kind,
      ...(provider !== undefined && { provider }),
      ...(ids.length > 0 && { ids }),
      before: [...(earlier?.before ?? []), ...itemsOf(before, isUntouched ? undefined : 'live')],
      after: [...(earlier?.after ?? []), ...itemsOf(after, isUntouched ? undefined : 'declared')],
    });
  }
  return [...byUrn.values()];
}

function subjectsOf({ before, after }: PlannedResource): string[] {
  const subjects = new Set([...before, ...after].map(({ subject }) => subject));
  return [...subjects].filter((subject) => typeof subject === 'string');
}

const hasHiddenSubject = ({ before, after }: PlannedResource): boolean =>
  [...before, ...after].some(({ subject }) => typeof subject !== 'string');

/** The keys are in the order of the interface, so that equal contents have equal texts. */
export const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

export const renderPlan = ({ hash, ...content }: ReviewedPlan): string => printableJson({ hash, ...content });

const OPERATIONS: readonly PlannedOperation[] = [
  ...(['unchanged', 'import', 'create', 'update', 'replace', 'delete', 'forget'] as const),
];

const hiddenValue = objectOf<{ readonly hidden: Obstacle }>({
  hidden: oneOf(Object.keys(OBSTACLES) as Obstacle[]),
});
const value: Reader<PlannedValue> = (given, place) =>
  typeof given === 'string' ? given : hiddenValue(given, place);

const item: Reader<PlannedItem> = (given, place) => {
  const { subject, ...others } = object(given, place);
  const read = Object.entries(others).map(([key, entry]) => [key, value(entry, `${place}.${key}`)] as const);
  return { subject: value(subject, `${place}.subject`), ...Object.fromEntries(read) };
};

const plan = objectOf<ReviewedPlan>({
  hash: text,
  formatVersion: () => PLAN_VERSION,
  stack: text,
  project: text,
  isWhole: toggle,
  subjects: listOf(text),
  resources: listOf(
    objectOf<PlannedResource>({
      urn: text,
      operation: oneOf(OPERATIONS),
      provider: optional(text),
      ids: optional(listOf(text)),
      before: listOf(item),
      after: listOf(item),
    }),
  ),
  services: listOf(text),
});

/** Reads a plan. Throws a DocumentError if it was edited since, or is that of an incomplete preview. */
export function readPlan(content: string, fileName: string): ReviewedPlan {
  const document = parsedObject(content);
  if (document?.['formatVersion'] !== PLAN_VERSION)
    throw new DocumentError(
      `${fileName} is not a reviewed plan of version ${PLAN_VERSION}: review the change again with --write plan=FILE.`,
    );
  const { hash, ...written } = plan(document, fileName);
  if (hash !== digestOf(written))
    throw new DocumentError(
      `${fileName} was changed after it was written: its hash does not match its content.`,
    );
  if (!written.isWhole)
    throw new DocumentError(
      `${fileName} comes from a preview that did not show the whole change: review a complete one.`,
    );
  return { hash, ...written };
}
