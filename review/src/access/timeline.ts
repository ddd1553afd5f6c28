import { type CidrSet, unionAll } from './cidr-set';
import type { RuleDeclaration } from '../model/declarations';
import { endOfRule } from '../model/ending-rules';
import { known } from '../model/known';
import { type AddressPart, addressParts, type Claim, GrowingSet } from './address-parts';
import { type AddressBounds, type BoundedChange, isSurelyEmpty } from './bounds';
import { getsIn, type IpModel } from './evaluation-model';
import { type PolicySide, possibleNetworks } from './policy-side';
import type { AddressAccess, LaterAccess } from './subject-access';

/** A time at which rules end, and what that does, as far as these rules reach. */
export interface Moment extends BoundedChange {
  readonly atMs: number;
  /** The addresses under the rules that end; the other sets are parts of it, and gains and losses are those that begin. */
  readonly concerned: CidrSet;
  /** Whether from then on nobody gets in any more after the change. */
  readonly isShut: boolean;
}

export type Sides = Readonly<Record<'before' | 'after', PolicySide>>;

/** The moment of the apply, before anything ends. */
export const APPLY = Number.NEGATIVE_INFINITY;

// Whether a rule matches an address for sure, or may do so. A rule that the change leaves alone matches alike on both sides.
const SLOTS = {
  before: { allow: 0, deny: 1, mayAllow: 2, mayDeny: 3 },
  after: { allow: 4, deny: 5, mayAllow: 6, mayDeny: 7 },
  kept: { mayAllow: 8, mayDeny: 9 },
} as const;
const SLOT_COUNT = 10;
const SIDES = ['before', 'after'] as const;

/** The outcomes for an address, one bit each: it gets in on neither side, only before, only after, on both. */
const [NEITHER, ONLY_BEFORE, ONLY_AFTER, BOTH] = [1, 2, 4, 8];
const FACTS = [
  ['before', ONLY_BEFORE | BOTH],
  ['after', ONLY_AFTER | BOTH],
  ['gained', ONLY_AFTER],
  ['lost', ONLY_BEFORE],
] as const;

/**
 * Who gets in by a policy over time, before and after: an address is allowed until its last allow rule ends, and likewise denied.
 * `at(APPLY)` also decides what hidden rules may come to.
 */
export class Timeline {
  private readonly parts: readonly AddressPart[];

  constructor(
    sides: Sides,
    private readonly context: {
      readonly isKept: (rule: RuleDeclaration) => boolean;
      readonly model: IpModel;
    },
  ) {
    const claims = SIDES.flatMap((side) => this.claimsOf(sides[side], side));
    this.parts = addressParts(claims, SLOT_COUNT);
  }

  at(atMs: number): BoundedChange {
    const sets = emptySets();
    for (const part of this.parts) addTo(sets, part, this.outcomesOf(part, atMs));
    return sets;
  }

  moments(): Moment[] {
    const byTime = new Map<number, ReturnType<typeof emptyMoment>>();
    let letIn = 0;
    for (const part of this.parts) {
      let outcomes = this.outcomesOf(part, APPLY);
      letIn += countIn(outcomes);
      for (const atMs of endsOf(part)) {
        const next = this.outcomesOf(part, atMs);
        const moment = byTime.get(atMs) ?? emptyMoment();
        byTime.set(atMs, moment);
        moment.concerned.add(part);
        addTo(moment, part, next, outcomes);
        moment.change += countIn(next) - countIn(outcomes);
        outcomes = next;
      }
    }
    return [...byTime]
      .sort(([left], [right]) => left - right)
      .map(([atMs, { change, ...moment }]) => {
        const wasOpen = letIn > 0;
        letIn += change;
        return { atMs, ...moment, isShut: wasOpen && letIn === 0 };
      });
  }

  private claimsOf(side: PolicySide, name: 'before' | 'after'): Claim[] {
    const { isKept } = this.context;
    const sure = side.sureRules.map(({ cidr, action, until }): Claim => ({
      ...{ cidr, slot: SLOTS[name][action] },
      untilMs: endOf(until === undefined ? until : known(until)),
    }));
    const undecided = [...side.hiddenRules, ...side.doubtfulRules].flatMap((rule): Claim[] => {
      const slots = SLOTS[isKept(rule) ? 'kept' : name];
      const networks = possibleNetworks(rule);
      const may = (action: 'allow' | 'deny', slot: number): Claim[] =>
        rule.action.isKnown && rule.action.value !== action
          ? []
          : networks.map((cidr) => ({ cidr, slot, untilMs: endOf(rule.until) }));
      return [...may('allow', slots.mayAllow), ...may('deny', slots.mayDeny)];
    });
    return [...sure, ...undecided];
  }

  private outcomesOf({ untilMs }: AddressPart, atMs: number): number {
    const matches = (slot: number): boolean => (untilMs[slot] ?? APPLY) > atMs;
    const ways = (slot: number): boolean[] => (matches(slot) ? [false, true] : [false]);
    let outcomes = 0;
    for (const keptAllow of ways(SLOTS.kept.mayAllow)) {
      for (const keptDeny of ways(SLOTS.kept.mayDeny)) {
        const letIn = (name: 'before' | 'after', isWidest: boolean): boolean => {
          const { allow, deny, mayAllow, mayDeny } = SLOTS[name];
          const isAllowed = keptAllow || matches(allow) || (isWidest && matches(mayAllow));
          const isDenied = keptDeny || matches(deny) || (!isWidest && matches(mayDeny));
          return getsIn(isAllowed, isDenied, this.context.model);
        };
        for (const isWidest of [true, false]) {
          const [before, after] = [letIn('before', isWidest), letIn('after', !isWidest)];
          outcomes |= before ? (after ? BOTH : ONLY_BEFORE) : after ? ONLY_AFTER : NEITHER;
        }
      }
    }
    return outcomes;
  }
}

/** A rule with a hidden end is doubtful at any time. */
const endOf = (until: RuleDeclaration['until']): number => endOfRule(until) ?? Number.POSITIVE_INFINITY;

const bounds = () => ({ surely: new GrowingSet(), possibly: new GrowingSet() });
const emptySets = () => ({ before: bounds(), after: bounds(), gained: bounds(), lost: bounds() });
const emptyMoment = () => ({ ...emptySets(), concerned: new GrowingSet(), change: 0 });

const endsOf = ({ untilMs }: AddressPart): number[] =>
  [...new Set(untilMs.filter(Number.isFinite))].sort((left, right) => left - right);

const countIn = (outcomes: number): number => ((outcomes & (ONLY_AFTER | BOTH)) === 0 ? 0 : 1);

/** Adds a part to the sets that it belongs to; of gains and losses only if they begin. */
function addTo(
  sets: ReturnType<typeof emptySets>,
  part: AddressPart,
  outcomes: number,
  earlier?: number,
): void {
  for (const [name, mask] of FACTS) {
    const past = name === 'gained' || name === 'lost' ? earlier : undefined;
    const [isSure, wasSure] = [isSurely(outcomes, mask), past !== undefined && isSurely(past, mask)];
    const wasPossible = past !== undefined && (past & mask) !== 0;
    const begins = isSure && !wasSure;
    if (begins) sets[name].surely.add(part);
    if (begins || ((outcomes & mask) !== 0 && !wasPossible)) sets[name].possibly.add(part);
  }
}

const isSurely = (outcomes: number, mask: number): boolean => (outcomes & ~mask) === 0;

/** So many moments are told one by one; those that follow count as one, as nobody reads a thousand dates. */
const MOST_MOMENTS = 10;

export function laterAccess(
  access: AddressAccess,
  moments: readonly Moment[],
  at: (atMs: number) => BoundedChange,
): LaterAccess[] {
  const telling = moments.filter(
    ({ gained, lost, isShut }) => isShut || !isSurelyEmpty(gained) || !isSurelyEmpty(lost),
  );
  const alone = telling.length <= MOST_MOMENTS ? telling : telling.slice(0, MOST_MOMENTS - 1);
  const rest = telling.slice(alone.length);
  return [...alone.map((moment) => [moment]), ...(rest.length === 0 ? [] : [rest])].map((group) => {
    const [atMs = 0, lastMs = atMs] = [group[0]?.atMs, group.at(-1)?.atMs];
    return {
      ...access,
      ...at(lastMs),
      gained: together(group.map(({ gained }) => gained)),
      lost: together(group.map(({ lost }) => lost)),
      begins: { atMs, lastMs },
    };
  });
}

const together = (all: readonly AddressBounds[]): AddressBounds => ({
  surely: unionAll(all.map(({ surely }) => surely)),
  possibly: unionAll(all.map(({ possibly }) => possibly)),
});
