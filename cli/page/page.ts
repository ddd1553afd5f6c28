// What for: the script of the page: shows who gets in, and answers with the functions of the review.
// Must not know: Node.js, automata, and any place outside the file.
import {
  type AddressBounds,
  policyChanges,
  type PolicyChange,
  type SubjectKind,
  unplacedPolicies,
} from 'pulumi-edge-policy-review/lookup';
import { type AccessSide, accessSidesOf } from '../src/page/access-side';
import { type EvidenceRow, evidenceOf } from '../src/page/evidence';
import { type PageContent, type Proof, type Shift, unpacked } from '../src/page/page-data';

/** A policy, an edge or a route on all sides of the page. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly subject: string;
  /** The resources that declare something for it. */
  readonly names: readonly string[];
  /** Who gets in by address, one for each side; absent for a route that looks at user agents only. */
  readonly bounds: readonly (AddressBounds | undefined)[];
  readonly shift?: Shift;
}

export interface Page {
  readonly content: PageContent;
  readonly sides: readonly AccessSide[];
  readonly subjects: readonly Subject[];
  /** The policies as they change; with one side, as they are. */
  readonly policies: readonly PolicyChange[];
  /** The rules of the last side. */
  readonly rows: readonly EvidenceRow[];
}

export async function readPage(): Promise<Page> {
  const packed = Uint8Array.from(atob(document.querySelector('#content')?.textContent ?? ''), (character) =>
    character.charCodeAt(0),
  );
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return pageWith(unpacked(await new Response(stream).text()));
}

function pageWith(content: PageContent): Page {
  const { sides, change } = accessSidesOf(content);
  const last = sides.at(-1);
  if (!last) throw new Error('The page has no content.');
  const { ipModel } = content.assumptions;
  const stack = change ?? { changes: [], before: last.snapshot, after: last.snapshot };
  const nowMs = Date.parse(content.made.at);
  const policies = change
    ? [...policyChanges(stack, ipModel, nowMs), ...unplacedPolicies(stack, ipModel, nowMs)]
    : last.explainer.subjects.flatMap(({ kind, subject }) =>
        kind === 'policy' ? (last.explainer.policy(subject) ?? []) : [],
      );
  return {
    ...{ content, sides, policies },
    subjects: subjectsOf(sides, policies, content.shifts),
    rows: evidenceOf(last, content),
  };
}

function subjectsOf(
  sides: readonly AccessSide[],
  policies: readonly PolicyChange[],
  shifts: readonly Shift[],
): Subject[] {
  const subjects = new Map<string, Subject>();
  for (const { explainer } of sides)
    for (const { kind, subject, origins } of explainer.subjects) {
      const key = `${kind} ${subject}`;
      const names = [...(subjects.get(key)?.names ?? []), ...origins.map(({ name }) => name)];
      const isThis = (each: Pick<Subject, 'kind' | 'subject'>): boolean =>
        each.kind === kind && each.subject === subject;
      const policy = kind === 'policy' ? policies.find(({ policyId }) => policyId === subject) : undefined;
      const shift: Shift | undefined = policy?.access ?? shifts.find(isThis);
      subjects.set(key, {
        ...{ kind, subject, names: [...new Set(names)] },
        bounds: policy
          ? sidesOf(policy, sides.length)
          : sides.map(({ proofs }) => boundsIn(proofs.find(isThis))),
        ...(shift && sides.length > 1 && { shift }),
      });
    }
  return [...subjects.values()];
}

const sidesOf = ({ access: { before, after } }: PolicyChange, sides: number): AddressBounds[] =>
  sides > 1 ? [before, after] : [after];

const boundsIn = (proof: Proof | undefined): AddressBounds | undefined =>
  proof?.of === 'addresses' ? { surely: proof.surely, possibly: proof.possibly } : undefined;
