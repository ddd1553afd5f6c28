// Which objects a run cannot make because another one has their place and no step frees it in time. When a step frees a place is the
// provider's rule: docs/design.md ("Ownership").
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import type { RunOrder } from './run-order';
import type { ModuleDeclaration, Origin, RuleDeclaration } from './declarations';
import { isOver } from './ending-rules';
import { valueOf } from './known';
import { findsOther, placeProperty } from './read-modules';
import { isBegun, isLookedUp, type ResourceChange, type ResourceSide } from './resource-change';
import { declaredBy } from './snapshot';
import { overwritesOf } from './take-overs';

/** Why a place is not free in time. `circle`: who gives it up waits for who takes it; `several`: a single rule takes over only one. */
export type Hindrance = 'leaves' | 'stays' | 'twice' | 'circle' | 'unmanaged' | 'several' | 'unsettled';

export interface Obstruction {
  readonly taker: Origin;
  readonly holder: Origin;
  readonly hindrance: Hindrance;
  /** Whether the holder may be elsewhere, or nowhere. */
  readonly isOpen: boolean;
  readonly subject: string;
  readonly property: string;
  /** Absent for a module. */
  readonly network?: string;
}

export interface UpConditions {
  readonly order: RunOrder;
  readonly acceptsDuplicates: boolean;
  /** Live objects that are in no state of the stack. */
  readonly unmanaged: {
    readonly rules: readonly RuleDeclaration[];
    readonly modules: readonly ModuleDeclaration[];
  };
  readonly nowMs: number;
}

/** A rule or a module, at the place that the service has for one of its kind. */
interface Placed extends Pick<Obstruction, 'isOpen' | 'network' | 'property' | 'subject'> {
  readonly key: string;
  readonly origin: Origin;
  readonly module?: ModuleDeclaration;
}

/** An object at a place that another one needs; `moves` and `is replaced` free it in the middle of the run. */
interface Holder extends Placed {
  readonly end:
    'leaves' | 'stays' | 'moves' | 'is replaced' | 'declared' | 'rival' | 'unmanaged' | 'unsettled';
  readonly of?: ResourceChange;
}

interface Taker extends Placed {
  readonly of: ResourceChange;
  readonly overwrites: boolean | undefined;
}

/** Everything that stops the run half-way, as far as a preview shows it. */
export function obstructionsOf(changes: readonly ResourceChange[], conditions: UpConditions): Obstruction[] {
  const takers = changes.flatMap((change) => takersOf(change, conditions.nowMs));
  const owners = changes.filter(beginsToOwn);
  if (takers.length + owners.length === 0) return [];
  const wanted = new Set(takers.map(({ key }) => key));
  const { rules, modules } = conditions.unmanaged;
  const unmanaged = [...rules.flatMap(placeOfRule), ...modules.flatMap(placeOfModule)];
  const all = [
    ...changes.flatMap(holdersOf),
    ...unmanaged.map((each): Holder => ({ ...each, end: 'unmanaged' })),
  ];
  const holders = grouped(
    all.filter(({ key }) => wanted.has(key)),
    ({ key }) => key,
  );
  const waits = new Waits(takers, holders, conditions);
  const isOpen = conditions.acceptsDuplicates;
  const atPlaces = [...grouped(takers, ({ key }) => key)].flatMap(([key, rivals]) =>
    rivals.flatMap((taker, at) => {
      const obstacles = [
        ...(holders.get(key) ?? []),
        // A service that accepts both lets the order decide, if one of them may overwrite.
        ...(isOpen ? rivals.toSpliced(at, 1) : rivals.slice(0, at)).map((rival): Holder => ({
          ...rival,
          end: 'rival',
          isOpen,
        })),
      ].flatMap((holder) => {
        const hindrance = hindranceOf(taker, holder, { waits, ...conditions });
        return hindrance ? [{ holder: holder.origin, hindrance, isOpen: holder.isOpen }] : [];
      });
      obstacles.push(...rulesForOne(taker, holders.get(key) ?? []));
      const { origin, subject, property, network } = taker;
      const place = { taker: origin, subject, property, ...(network !== undefined && { network }) };
      return obstacles.slice(0, 1).map((each) => ({ ...place, ...each }));
    }),
  );
  const inPolicies = owners.flatMap((owner) => ownerObstructions(owner, all));
  const keyOf = ({ taker: { urn }, network }: Obstruction): string => JSON.stringify([urn, network]);
  const known = new Set(atPlaces.map(keyOf));
  return [...atPlaces, ...inPolicies.filter((each) => !known.has(keyOf(each)))];
}

/** The rules of which a single rule would have to choose one. A set takes over all of them. */
function rulesForOne(
  { of, overwrites }: Taker,
  holders: readonly Holder[],
): Pick<Obstruction, 'holder' | 'hindrance' | 'isOpen'>[] {
  if (of.type !== 'IpPolicyRule' || overwrites !== true) return [];
  const others = holders.filter(
    (holder) => holder.of !== of && ['leaves', 'stays', 'unmanaged'].includes(holder.end),
  );
  return others.length < 2
    ? []
    : others.map(({ origin, isOpen }) => ({ holder: origin, hindrance: 'several', isOpen }));
}

/** Whether a set becomes the owner of its policy, and takes over nothing. */
function beginsToOwn({ kind, before, after }: ResourceChange): boolean {
  if (!after || !['create', 'replace', 'update'].includes(kind)) return false;
  const wasOwner = kind === 'update' && before !== undefined && declaredBy(before).exclusiveSet !== undefined;
  return declaredBy(after).exclusiveSet?.isSure === true && !wasOwner && !overwritesOf(after.inputs);
}

/** An owner refuses a policy that holds other rules, on every service. What others declare there is a finding of its own. */
function ownerObstructions(owner: ResourceChange, holders: readonly Holder[]): Obstruction[] {
  const set = owner.after && declaredBy(owner.after).exclusiveSet;
  return holders.flatMap(({ of, subject, network, origin: holder, end, isOpen }) => {
    if (!set?.policyId.isKnown || set.policyId.value !== subject || network === undefined || of === owner)
      return [];
    if (end === 'moves' || end === 'is replaced' || end === 'declared' || end === 'rival') return [];
    return [{ taker: set.origin, holder, hindrance: end, isOpen, subject, network, property: 'exclusive' }];
  });
}

/** Objects that a resource is to have and does not have yet. A single rule moves by an update, which takes nothing over. */
function takersOf(of: ResourceChange, nowMs: number): Taker[] {
  const { kind, before, after } = of;
  if (!after || !['create', 'replace', 'update'].includes(kind)) return [];
  const former = new Set(kind === 'update' && before ? declaredBy(before).rules : []);
  const fresh = declaredBy(after).rules.filter((rule) => !former.has(rule) && !isOver(rule, nowMs));
  const formerKeys = new Set([...former].flatMap(placeOfRule).map(({ key }) => key));
  const places = [
    ...fresh.flatMap(placeOfRule).filter(({ key }) => !formerKeys.has(key)),
    ...(kind === 'update' ? [] : moduleOf(after)),
  ];
  const switched = overwritesOf(after.inputs);
  const overwrites =
    kind === 'update' && of.type === 'IpPolicyRule' ? false : switched ? valueOf(switched) : false;
  return places.map((place) => ({ ...place, of, overwrites }));
}

function holdersOf(of: ResourceChange): Holder[] {
  const { kind, before, after, isDeletedFirst } = of;
  if (!before) return [];
  const places = placesOf(before);
  const ending = (end: Holder['end']) => places.map((place): Holder => ({ ...place, end, of }));
  if (isLookedUp(of)) return ending('unmanaged');
  if (isBegun(of)) {
    // In doubt is whether it is there, not its content.
    const { doubt: _doubt, ...sent } = before;
    return placesOf(sent).map((place): Holder => ({ ...place, end: 'unsettled', of, isOpen: true }));
  }
  if (kind === 'forget') return ending('stays');
  if (kind === 'delete' || kind === 'replace') return ending(isDeletedFirst ? 'is replaced' : 'leaves');
  const stay = new Set(after && kind === 'update' ? placesOf(after).map(({ key }) => key) : []);
  return places.map((place) => ({
    ...place,
    of,
    end: kind === 'update' && !stay.has(place.key) ? 'moves' : 'declared',
  }));
}

const placesOf = (side: ResourceSide): Placed[] => [
  ...declaredBy(side).rules.flatMap(placeOfRule),
  ...moduleOf(side),
];

const moduleOf = (side: ResourceSide): Placed[] =>
  [declaredBy(side).module ?? []].flat().flatMap(placeOfModule);

function placeOfRule({ origin, property, policyId, cidr, doubt }: RuleDeclaration): Placed[] {
  if (!policyId.isKnown || !cidr.isKnown) return [];
  const [subject, network] = [policyId.value, cidr.value.text];
  const isOpen = doubt === 'unsettled';
  return [{ key: JSON.stringify([subject, network]), origin, subject, network, property, isOpen }];
}

function placeOfModule(module: ModuleDeclaration): Placed[] {
  const { type, origin, subject: of } = module;
  if (!of.isKnown) return [];
  const [key, subject] = [JSON.stringify([type, of.value]), of.value];
  return [{ key, origin, subject, property: placeProperty(type), module, isOpen: false }];
}

function hindranceOf(
  taker: Taker,
  { end, of, module: content, isOpen }: Holder,
  { waits, acceptsDuplicates }: UpConditions & { readonly waits: Waits },
): Hindrance | undefined {
  const isOwn = of === taker.of;
  const isDeclared = end === 'declared' || end === 'rival';
  if (isDeclared && !isOwn) {
    // Nothing is taken from a resource that keeps it; two declarations of a module are a finding of their own.
    if (taker.module) return undefined;
    if (acceptsDuplicates && taker.overwrites !== true) return undefined;
    return isOpen && end === 'declared' ? 'unsettled' : 'twice';
  }
  if (taker.overwrites !== false) return undefined;
  const isRefused = taker.module && content ? findsOther(taker.module, content) : !acceptsDuplicates;
  if (!isRefused) return undefined;
  if (end !== 'moves' && end !== 'is replaced') return isDeclared ? undefined : end;
  if (isOwn || !of) return undefined;
  return waits.doesGiverWaitFor(taker, of, end) ? 'circle' : undefined;
}

/** What waits for what in a run: a step for all that its resource depends on, and for what gives up the places that it needs. */
class Waits {
  private readonly needs: ReadonlyMap<string, readonly string[]>;
  private readonly takenBy: ReadonlyMap<string, readonly Taker[]>;

  constructor(
    takers: readonly Taker[],
    private readonly holders: ReadonlyMap<string, readonly Holder[]>,
    { order }: UpConditions,
  ) {
    this.needs = order.needs;
    this.takenBy = grouped(takers, ({ origin }) => origin.urn);
  }

  /** A resource that is replaced gives its place up when it begins; one that is updated, when it has all that it needs. */
  doesGiverWaitFor({ origin }: Taker, giver: ResourceChange, end: Holder['end']): boolean {
    const urn = giver.after?.origin.urn ?? giver.before?.origin.urn ?? '';
    const seen = new Set<string>();
    const next = end === 'moves' ? [urn] : [...(this.needs.get(urn) ?? [])];
    for (let each = next.pop(); each !== undefined; each = next.pop()) {
      if (each === origin.urn) return true;
      if (seen.has(each)) continue;
      seen.add(each);
      next.push(...(this.needs.get(each) ?? []), ...this.giversTo(each));
    }
    return false;
  }

  /** A taker that overwrites waits only for a giver that has begun. */
  private giversTo(urn: string): string[] {
    const places = (this.takenBy.get(urn) ?? []).filter(({ overwrites }) => overwrites === false);
    return places
      .flatMap(({ key }) => this.holders.get(key) ?? [])
      .flatMap(({ end, origin }) => {
        if (end === 'moves') return [origin.urn];
        return end === 'is replaced' ? (this.needs.get(origin.urn) ?? []) : [];
      });
  }
}
