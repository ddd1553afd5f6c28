import { createHash } from 'node:crypto';
import type { AddressBounds } from '../access/bounds';
import { isExact } from '../access/bounds';
import type { SubjectAccess } from '../access/subject-access';
import type { ChangeKind, ResourceChange } from '../model/resource-change';
import { toCidrs } from 'pulumi-edge-policy/internal/values/cidr-set';
import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import type { PlannedItem } from './planned-items';
import { itemsOf, subjectOfSet, textOfSet } from './planned-items';

/** What is planned for one resource, as far as access depends on it. */
export interface PlannedResource {
  readonly urn: string;
  readonly operation: ChangeKind;
  readonly before: readonly PlannedItem[];
  readonly after: readonly PlannedItem[];
}

/** Who surely and who possibly gets in by a subject of which something is hidden. */
export interface PlannedBounds {
  readonly kind: 'policy' | 'tcp-edge';
  readonly subject: string;
  readonly surely: readonly string[];
  readonly possibly: readonly string[];
}

/** What a review looked at: everything that must be the same when it is applied. */
export interface PlanContent {
  readonly formatVersion: 1;
  readonly stack: string;
  readonly project: string;
  /** False where the preview did not show the whole change: nobody can have approved that. */
  readonly isWhole: boolean;
  /** The policies, edges and routes that the change touches. */
  readonly subjects: readonly string[];
  /** What changes, and the other resources of the same subjects, in the order of their URNs. */
  readonly resources: readonly PlannedResource[];
  readonly bounds: readonly PlannedBounds[];
}

/** A plan, and the hash of its content by which people tell plans apart. */
export interface ReviewedPlan extends PlanContent {
  readonly hash: string;
}

/** What a plan is made from. */
export interface Reviewed {
  readonly stack?: string;
  readonly project?: string;
  readonly isWhole: boolean;
  readonly changes: readonly ResourceChange[];
  readonly accesses: readonly SubjectAccess[];
}

/** Writes down what a review looked at. `also` names more subjects to include, touched or not. */
export function planOf(reviewed: Reviewed, also: readonly string[] = []): ReviewedPlan {
  const planned = reviewed.changes.map(plannedResource);
  const isAbout = new Set(also);
  for (const resource of planned)
    if (resource.operation !== 'unchanged') for (const subject of subjectsOf(resource)) isAbout.add(subject);
  return withHash({
    formatVersion: 1,
    stack: reviewed.stack ?? '',
    project: reviewed.project ?? '',
    isWhole: reviewed.isWhole,
    subjects: [...isAbout].sort(),
    resources: planned.filter(
      (resource) => resource.operation !== 'unchanged' || isTouched(resource, isAbout),
    ),
    bounds: reviewed.accesses.flatMap((access) => {
      if (access.kind === 'route' || !isAbout.has(access.subject) || isExact(access.after)) return [];
      return [{ kind: access.kind, subject: access.subject, ...inTexts(access.after) }];
    }),
  });
}

function plannedResource(change: ResourceChange): PlannedResource {
  if (change.type === 'IpPolicyRuleSet') return new PlannedSet(change);
  const { kind, before, after, left } = change;
  return {
    urn: urnOf(change),
    operation: kind,
    before: itemsOf(before),
    after: left ? [...itemsOf(after), ...itemsOf(left)] : itemsOf(after),
  };
}

const urnOf = ({ before, after }: ResourceChange): string => (before ?? after)?.origin.urn ?? '';

// Of the thousands of items of a set the text is hashed, and the items themselves are seldom asked for.
class PlannedSet implements PlannedResource {
  constructor(private readonly change: ResourceChange) {}

  get urn(): string {
    return urnOf(this.change);
  }

  get operation(): ChangeKind {
    return this.change.kind;
  }

  get before(): readonly PlannedItem[] {
    return itemsOf(this.change.before);
  }

  get after(): readonly PlannedItem[] {
    return [...itemsOf(this.change.after), ...itemsOf(this.change.left)];
  }

  get subjects(): ReadonlySet<string> {
    const { before, after, left } = this.change;
    return new Set([before, after, left].flatMap((side) => subjectOfSet(side) ?? []));
  }

  toJSON(): PlannedResource {
    const { urn, operation, before, after } = this;
    return { urn, operation, before, after };
  }

  /** What `JSON.stringify` makes of it. */
  get text(): string {
    const { before, after, left } = this.change;
    const afterTexts = [textOfSet(after), textOfSet(left)].filter((text) => text !== '');
    return (
      `{"urn":${JSON.stringify(this.urn)},"operation":"${this.operation}",` +
      `"before":[${textOfSet(before)}],"after":[${afterTexts.join(',')}]}`
    );
  }
}

/** The known subjects of what is planned for a resource. */
function subjectsOf(resource: PlannedResource): ReadonlySet<string> {
  if (resource instanceof PlannedSet) return resource.subjects;
  const subjects = new Set<string>();
  for (const { subject } of resource.before) if (typeof subject === 'string') subjects.add(subject);
  for (const { subject } of resource.after) if (typeof subject === 'string') subjects.add(subject);
  return subjects;
}

function isTouched(resource: PlannedResource, subjects: ReadonlySet<string>): boolean {
  if (resource instanceof PlannedSet) return [...resource.subjects].some((subject) => subjects.has(subject));
  const isOne = ({ subject }: PlannedItem) => typeof subject === 'string' && subjects.has(subject);
  return resource.before.some(isOne) || resource.after.some(isOne);
}

/** Bounds as the texts of a plan. */
const inTexts = ({ surely, possibly }: AddressBounds) => ({
  surely: textsOf(surely),
  possibly: textsOf(possibly),
});

const textsOf = (set: CidrSet): string[] => toCidrs(set).map((cidr) => cidr.text);

/** A plan with its hash. The order of the keys is that of the interface, so that equal plans have equal texts. */
export const withHash = (content: PlanContent): ReviewedPlan => ({ ...content, hash: hashOf(content) });

/** The hash of what `JSON.stringify` makes of the content. */
const hashOf = (content: PlanContent): string => createHash('sha256').update(textOf(content)).digest('hex');

function textOf(content: PlanContent): string {
  const { formatVersion, stack, project, isWhole, subjects, resources, bounds } = content;
  if (!resources.some((resource) => resource instanceof PlannedSet)) return JSON.stringify(content);
  const head = JSON.stringify({ formatVersion, stack, project, isWhole, subjects }).slice(0, -1);
  const texts = resources.map((resource) =>
    resource instanceof PlannedSet ? resource.text : JSON.stringify(resource),
  );
  return `${head},"resources":[${texts.join(',')}],"bounds":${JSON.stringify(bounds)}}`;
}

/** The plan as the text of a file. */
export const renderPlan = ({ hash, ...content }: ReviewedPlan): string => printableJson({ hash, ...content });
