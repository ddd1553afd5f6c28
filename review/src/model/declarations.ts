// What for: what a stack declares: rules and modules by subject, with all that is hidden or unknown.
// Must not know: `access`, `findings`, and who gets in.
import type { ModuleType, ResourceType } from '../preview/resource-type';
import type { SourcePosition } from '../preview/preview-step';
import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { known, type Known, type Obstacle, valueOf } from './known';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { compareText } from '../text/sentence';

/** The location of a declaration: the resource, and the line of the program if the engine knows it. */
export interface Origin {
  /** For a rule that was read from the service and is in no program: its identifier. */
  readonly urn: string;
  /** The resource's name in the program; the identifier for a rule that is in none. */
  readonly name: string;
  readonly type: ResourceType;
  readonly source?: SourcePosition;
}

/** A rule, an entry of a set, or a rule found on the service. A set that is secret as a whole is one rule with only its policy. */
export interface RuleDeclaration {
  readonly origin: Origin;
  /** `cidr` of a rule; `rules["192.0.2.0/24"]` of a set. */
  readonly property: string;
  readonly policyId: Known<string>;
  readonly cidr: Known<Cidr>;
  /** The networks that a `cidr` may mean that no program can declare; none if nothing is known of it. */
  readonly readings?: readonly Cidr[];
  readonly action: Known<RuleAction>;
  /** When a rule of a set ends, in the canonical text of its line; absent if it does not. */
  readonly until?: Known<string>;
  readonly list?: string;
  /** What a reader knows it by: the description of a rule, the line of a set. */
  readonly says?: string;
  /** Why it may not be live. */
  readonly doubt?: Obstacle;
  /** A rule whose network and action are visible. */
  readonly visible?: VisibleRule;
}

/** A rule of which everything that access depends on is known. If both sides have it, it may be one object. */
export interface VisibleRule extends Pick<RuleDeclaration, 'origin' | 'property' | 'list' | 'says'> {
  readonly cidr: Cidr;
  readonly action: RuleAction;
  /** When it ends, if it does and that is known. */
  readonly until?: string;
}

/** The property that holds an entry: `rules` of `rules["192.0.2.0/24"]`. */
export const rootOf = (property: string): string => property.split('[', 1)[0] ?? '';

export interface ModuleDeclaration {
  readonly type: ModuleType;
  readonly origin: Origin;
  /** Why another declaration of its origin may be live in its place. */
  readonly doubt?: Obstacle;
  readonly subject: Known<string>;
  readonly isEnabled: Known<boolean>;
  readonly values: Readonly<Record<string, Known<string | boolean>>>;
  /** Its lists. A hidden entry only hides itself; a list can also be hidden as a whole. */
  readonly lists: Readonly<Record<string, Known<readonly Known<string>[]>>>;
}

export interface Snapshot {
  readonly rules: BySubject<RuleDeclaration>;
  /** By type, and by the object that they are attached to. */
  readonly modules: Readonly<Record<ModuleType, BySubject<ModuleDeclaration>>>;
  /** The sets that remove every other rule of their policy, or may do so: the switch of some is hidden. */
  readonly exclusiveSets: readonly ExclusiveSet[];
}

export interface ExclusiveSet {
  readonly origin: Origin;
  readonly policyId: Known<string>;
  /** False if the switch is hidden. */
  readonly isSure: boolean;
}

/** Each resource at a place of its own: by its name, or by its URN if others share the name. */
export function ownPlaces(
  declared: readonly { readonly origin: Origin }[],
  noun: string,
): (origin: Origin) => Known<string> {
  const urns = new Map<string, string>();
  const shared = new Set<string>();
  for (const { origin } of declared) {
    if ((urns.get(origin.name) ?? origin.urn) !== origin.urn) shared.add(origin.name);
    urns.set(origin.name, origin.urn);
  }
  const hasOwnName = (name: string): boolean => !shared.has(name) && !name.startsWith('urn:');
  return ({ name, urn }) => known(`${HIDDEN} ${noun} of ${hasOwnName(name) ? name : urn}`);
}

const HIDDEN = 'the hidden';

/** Whether a place is such a one: it has the name of its resource, which a change can give to another one. */
export const isOwnPlace = (place: string): boolean => place.startsWith(`${HIDDEN} `);

/** Declarations of one kind, by the object of the service that they are for. Several declarations for one object are a conflict. */
export interface BySubject<T> {
  readonly all: readonly T[];
  readonly placed: ReadonlyMap<string, readonly T[]>;
  /** Declarations whose object is hidden: they may be for any. */
  readonly unplaced: readonly T[];
}

export const bySubject = <T>(
  all: readonly T[],
  subjectOf: (declaration: T) => Known<string>,
): BySubject<T> => ({
  all,
  placed: grouped(
    all.filter((declaration) => subjectOf(declaration).isKnown),
    (declaration) => valueOf(subjectOf(declaration)) ?? '',
  ),
  unplaced: all.filter((declaration) => !subjectOf(declaration).isKnown),
});

export interface Pairing<T> {
  readonly subject: string;
  readonly before: readonly T[];
  readonly after: readonly T[];
}

/** Pairs both sides of every object, in the order of the identifiers. */
export const pairsOf = <T>(before: BySubject<T>, after: BySubject<T>): Pairing<T>[] =>
  [...new Set([...before.placed.keys(), ...after.placed.keys()])].sort(compareText).map((subject) => ({
    subject,
    before: before.placed.get(subject) ?? [],
    after: after.placed.get(subject) ?? [],
  }));
