// What for: the reviewed plan: what was approved, written, read and compared.
// Must not know: `assertions` and `report`.
import { toCidrs } from 'pulumi-edge-policy/internal/values/cidr-set';
import { createHash } from 'node:crypto';
import type { AddressBounds } from '../access/bounds';
import { isExact } from '../access/bounds';
import type { SubjectAccess } from '../access/subject-access';
import type { ChangeKind, ResourceChange } from '../model/resource-change';
import type { PreviewStep } from '../preview/preview-step';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import type { PlannedItem } from './planned-items';
import { itemsOf } from './planned-items';

/** An import changes no object, but what the stack manages from then on, and would delete. */
export type PlannedOperation = ChangeKind | 'import';

/** What is planned for one resource, as far as access depends on it. */
export interface PlannedResource {
  readonly urn: string;
  readonly operation: PlannedOperation;
  readonly before: readonly PlannedItem[];
  readonly after: readonly PlannedItem[];
}

/** Who definitely and who possibly gets in by a subject with hidden parts. */
export interface PlannedBounds {
  readonly kind: 'policy' | 'tcp-edge';
  readonly subject: string;
  readonly surely: readonly string[];
  readonly possibly: readonly string[];
}

/** The content of a review: everything that must be the same when it is applied. */
export interface PlanContent {
  readonly formatVersion: 1;
  readonly stack: string;
  readonly project: string;
  /** False if the preview did not show the whole change, which cannot be approved. */
  readonly isWhole: boolean;
  /** The policies, edges and routes that the change touches. */
  readonly subjects: readonly string[];
  /** The changed resources, and the other resources of the same subjects, in the order of their URNs. */
  readonly resources: readonly PlannedResource[];
  readonly bounds: readonly PlannedBounds[];
  /** The services that requests go to, by provider. */
  readonly services: readonly string[];
}

/** A plan, and the hash of its content, by which people identify plans. */
export interface ReviewedPlan extends PlanContent {
  readonly hash: string;
}

/** The input of a plan. */
export interface Reviewed {
  readonly stack?: string;
  readonly project?: string;
  readonly isWhole: boolean;
  readonly steps: readonly PreviewStep[];
  readonly changes: readonly ResourceChange[];
  readonly accesses: readonly SubjectAccess[];
  readonly services: readonly string[];
}

/** Writes down the content of a review. Everything that the approved plan is about is included, touched or not. */
export function planOf(
  reviewed: Reviewed,
  approved: Pick<PlanContent, 'subjects' | 'resources'> = { subjects: [], resources: [] },
): ReviewedPlan {
  const planned = plannedResources(reviewed);
  const changing = planned.filter(({ operation }) => operation !== 'unchanged');
  // If the subject of a change is hidden, it may be any: then all resources are written down.
  const isAbout = new Set([
    ...approved.subjects,
    ...(changing.some(hasHiddenSubject) ? planned : changing).flatMap(subjectsOf),
  ]);
  // A set without rules does not name its policy as a subject.
  const urns = new Set(approved.resources.map(({ urn }) => urn));
  return withHash({
    formatVersion: 1,
    stack: reviewed.stack ?? '',
    project: reviewed.project ?? '',
    isWhole: reviewed.isWhole,
    subjects: [...isAbout].sort(),
    resources: planned.filter(
      (resource) =>
        resource.operation !== 'unchanged' ||
        urns.has(resource.urn) ||
        subjectsOf(resource).some((subject) => isAbout.has(subject)),
    ),
    bounds: reviewed.accesses.flatMap((access) => {
      if (access.kind === 'route' || access.begins || !isAbout.has(access.subject) || isExact(access.after))
        return [];
      return [{ kind: access.kind, subject: access.subject, ...inTexts(access.after) }];
    }),
    services: reviewed.services,
  });
}

/** The plan for every resource, all its objects together. */
function plannedResources({ changes, steps }: Reviewed): PlannedResource[] {
  const imported = new Set(steps.filter(({ op }) => op === 'import').map(({ urn }) => urn.text));
  const byUrn = new Map<string, PlannedResource>();
  for (const { kind, before, after } of changes) {
    const urn = (before ?? after)?.origin.urn ?? '';
    const earlier = byUrn.get(urn);
    byUrn.set(urn, {
      urn,
      operation: earlier && earlier.operation !== kind ? 'replace' : operationOf(kind, imported.has(urn)),
      before: [...(earlier?.before ?? []), ...itemsOf(before)],
      after: [...(earlier?.after ?? []), ...itemsOf(after)],
    });
  }
  return [...byUrn.values()];
}

const operationOf = (kind: ChangeKind, isImported: boolean): PlannedOperation =>
  isImported && kind === 'unchanged' ? 'import' : kind;

/** The known subjects of a resource's plan. */
function subjectsOf({ before, after }: PlannedResource): string[] {
  const subjects = new Set([...before, ...after].map(({ subject }) => subject));
  return [...subjects].filter((subject) => typeof subject === 'string');
}

const hasHiddenSubject = ({ before, after }: PlannedResource): boolean =>
  [...before, ...after].some(({ subject }) => typeof subject !== 'string');

/** Bounds as the texts of a plan. */
const inTexts = ({ surely, possibly }: AddressBounds) => ({
  surely: textsOf(surely),
  possibly: textsOf(possibly),
});

const textsOf = (set: CidrSet): string[] => toCidrs(set).map((cidr) => cidr.text);

/** A plan with its hash. The keys are in the order of the interface, so that equal plans have equal texts. */
export const withHash = (content: PlanContent): ReviewedPlan => ({ ...content, hash: hashOf(content) });

const hashOf = (content: PlanContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

/** The plan as the text of a file. */
export const renderPlan = ({ hash, ...content }: ReviewedPlan): string => printableJson({ hash, ...content });
