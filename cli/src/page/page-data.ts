// What the page contains: the declarations as a review reads them, and what only the command can prove. Written by the command and
// read by the page, so nothing here may need Node.js.
import type {
  AddressAccess,
  AddressBounds,
  Assumptions,
  ExplainedClients,
  Origin,
  ResourceChange,
  ReviewedResource,
  UserAgentShift,
} from 'pulumi-edge-policy-review/lookup';

/** The side that a page tells about: what is declared now; a change, before and after; the state and the service. */
export type When = 'now' | 'before' | 'after' | 'state' | 'live';

export interface Made {
  /** When it was written, RFC 3339 in UTC. */
  readonly at: string;
  readonly source: 'state' | 'preview' | 'live' | 'past';
  readonly stacks: readonly {
    readonly name: string;
    readonly stateTime?: string;
  }[];
  /** The last commit of the program's repository. */
  readonly commit?: { readonly hash: string; readonly date: string };
}

type Subject = Pick<AddressAccess, 'kind' | 'subject' | 'doubts'>;

/** Who gets in by an edge or a route as far as addresses decide, or the proofs about all its user agents. */
export type Proof = Subject &
  (
    | ({ readonly of: 'addresses' } & AddressBounds)
    | { readonly of: 'user-agents'; readonly letsEverybodyIn?: boolean; readonly letsNobodyIn?: boolean }
  );

export type Shift = Subject &
  (
    | Pick<AddressAccess, 'of' | 'gained' | 'lost'>
    | { readonly of: 'user-agents'; readonly gained: UserAgentShift; readonly lost: UserAgentShift }
  );

export interface PageSide {
  readonly when: When;
  readonly resources: readonly ReviewedResource[];
  readonly proofs: readonly Proof[];
}

/** Which clients of a log get in by a policy, edge or route, on one side. */
export type PageClients = Omit<ExplainedClients, 'when'> & { readonly when: When };

export interface PageContent {
  readonly made: Made;
  readonly assumptions: Assumptions;
  /** One side, or two that are compared. */
  readonly sides: readonly PageSide[];
  readonly changes?: readonly ResourceChange[];
  readonly shifts: readonly Shift[];
  /** What access logs say of each policy, edge and route that they are about. */
  readonly clients?: readonly PageClients[];
  /** What access logs say of the rules of the last side, by {@link ruleKey}: a text for each of the `USE_COLUMNS`. */
  readonly uses?: Readonly<Record<string, readonly string[]>>;
}

export const ruleKey = ({ urn }: Pick<Origin, 'urn'>, property: string): string => `${urn} ${property}`;

/** The content as JSON can hold it: each resource once, though both sides of a change may have it, and its number elsewhere. */
interface PackedContent extends Omit<PageContent, 'changes' | 'shifts' | 'sides'> {
  readonly resources: readonly Omit<ReviewedResource, 'outputs'>[];
  readonly sides: readonly { readonly when: When; readonly resources: readonly number[] }[];
  readonly changes?: readonly (Pick<ResourceChange, 'isDeletedFirst' | 'kind' | 'type'> & {
    readonly before?: number;
    readonly after?: number;
  })[];
  /** {@link Proven} as JSON, apart from what others wrote, as sets of addresses are recognised by their members. */
  readonly proven: string;
}

interface Proven {
  readonly proofs: readonly (readonly Proof[])[];
  readonly shifts: readonly Shift[];
}

/** The content as JSON. Of resources, only what a review looks at and evidence names is kept. */
export function packed({ sides, changes, shifts, ...rest }: PageContent): string {
  // The sides of a change hold every resource that it names.
  const resources = [...new Set(sides.flatMap((side) => side.resources))];
  const numbers = new Map(resources.map((resource, at) => [resource, at]));
  const numberOf = (resource: ReviewedResource): number => numbers.get(resource) ?? -1;
  const content: PackedContent = {
    ...rest,
    resources: resources.map(({ origin, doubt, inputs, alternative }) => ({
      ...{ origin, inputs },
      ...(doubt && { doubt }),
      ...(alternative && { alternative }),
    })),
    sides: sides.map(({ when, resources: own }) => ({ when, resources: own.map(numberOf) })),
    ...(changes && {
      changes: changes.map(({ kind, type, isDeletedFirst, before, after }) => ({
        ...{ kind, type, isDeletedFirst },
        ...(before && { before: numberOf(before) }),
        ...(after && { after: numberOf(after) }),
      })),
    }),
    proven: JSON.stringify({ proofs: sides.map(({ proofs }) => proofs), shifts }, (_key, value: unknown) =>
      // Boundaries of IPv6 sets are the only bigints.
      typeof value === 'bigint' ? value.toString(HEXADECIMAL) : value,
    ),
  };
  return JSON.stringify(content);
}

const HEXADECIMAL = 16;

export function unpacked(text: string): PageContent {
  const { resources, sides, changes, proven, ...rest } = JSON.parse(text) as PackedContent;
  const { proofs, shifts } = JSON.parse(proven, revived) as Proven;
  const all = resources.map((resource): ReviewedResource => ({ ...resource, outputs: {} }));
  return {
    ...rest,
    shifts,
    sides: sides.map(({ when, resources: own }, at) => ({
      when,
      resources: own.flatMap((number) => all[number] ?? []),
      proofs: proofs[at] ?? [],
    })),
    ...(changes && {
      changes: changes.map(({ before = -1, after = -1, ...change }) => {
        const [old, wanted] = [all[before], all[after]];
        return { ...change, ...(old && { before: old }), ...(wanted && { after: wanted }) };
      }),
    }),
  };
}

/** Sets of addresses hold their IPv6 boundaries as texts. */
function revived(this: unknown, key: string, value: unknown): unknown {
  const isOfSet =
    key === '6' && typeof this === 'object' && this !== null && Array.isArray(Reflect.get(this, '4'));
  return isOfSet && Array.isArray(value) ? value.map((boundary) => BigInt(`0x${String(boundary)}`)) : value;
}
