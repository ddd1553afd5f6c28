import type { Family } from 'pulumi-edge-policy/internal/values/address';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CidrSet } from './cidr-set';
import type { Origin, Pairing, RuleDeclaration, Snapshot, VisibleRule } from '../model/declarations';
import { ownPlaces, pairsOf } from '../model/declarations';
import { valueOf } from '../model/known';
import { keptOrigins } from '../model/resource-change';
import { RuleSteps } from '../model/rule-steps';
import { rulesByPolicy, type StackChange } from '../model/snapshot';
import { largestFirst } from './public-space';
import { exactly, independently, isExact } from './bounds';
import { type AddressAccess, doubtsOf, type LaterAccess } from './subject-access';
import { type IpModel, isDenyStronger } from './evaluation-model';
import { APPLY, laterAccess, type Moment, type Sides, Timeline } from './timeline';
import { type Meanwhile, meanwhile, type Run } from './meanwhile';
import { FAMILIES, type PolicyParts, policySide, type PolicySide } from './policy-side';

export interface FamilyChange extends Readonly<Record<'gained' | 'lost', readonly Cidr[]>> {
  readonly family: Family;
}

export interface PolicyChange {
  readonly policyId: string;
  readonly before: PolicySide;
  readonly after: PolicySide;
  readonly access: AddressAccess;
  /** The moments after the apply at which somebody begins to gain or lose access, the earliest first. */
  readonly later: readonly LaterAccess[];
  readonly moments: readonly Moment[];
  readonly families: readonly FamilyChange[];
  readonly meanwhile?: Meanwhile;
  /** False if a hidden rule may contribute to the change. */
  readonly isDecided: boolean;
  /** Rules that the other side has less often. A rule that only moves to another resource is not among them. */
  readonly added: readonly VisibleRule[];
  readonly removed: readonly VisibleRule[];
  readonly changedUrns: ReadonlySet<string>;
}

export type PolicySides = Pick<PolicyChange, 'policyId' | 'before' | 'after'>;

export const whoGetsIn = (snapshot: Snapshot, model: IpModel): PolicyChange[] =>
  policyChanges({ changes: [], before: snapshot, after: snapshot }, model);

/** Every policy for which the stack has rules, before or after, by its identifier; with the time of the apply, from then on. */
export const policyChanges = (stack: StackChange, model: IpModel, nowMs?: number): PolicyChange[] =>
  changesOf(stack, { model, homeless: (side) => stack[side].rules.unplaced }, nowMs);

function changesOf(
  stack: StackChange,
  given: Pick<Circumstances, 'model' | 'homeless'>,
  nowMs: number | undefined,
): PolicyChange[] {
  const kept = keptOrigins(stack.changes);
  const foreign = memoized(() => {
    const before = new Set(stack.before.rules.all);
    return new Set<unknown>(stack.after.rules.all.filter((rule) => isForeign(rule) && before.has(rule)));
  });
  const { order } = stack;
  const circumstances: Circumstances = {
    ...{ ...given, nowMs, stack },
    run: order && { order, steps: new RuleSteps(stack, order), model: given.model, nowMs: nowMs ?? APPLY },
    // With one state on both sides, everything is kept; and what others have on the service, unless the change deletes it.
    isKept: (declared) =>
      kept.has(declared.origin) || stack.before === stack.after || foreign().has(declared),
  };
  return pairsOf(stack.before.rules, stack.after.rules).map((pairing) =>
    policyChange(pairing, circumstances),
  );
}

/** Rules whose policy is hidden, each resource as a policy of its own. Others of the stronger action may overrule them there. */
export function unplacedPolicies(stack: StackChange, model: IpModel, nowMs?: number): PolicyChange[] {
  const unplaced = [...stack.before.rules.unplaced, ...stack.after.rules.unplaced];
  const placeOf = ownPlaces(unplaced, 'policy');
  // A rule that both sides have stays one object.
  const placed = new Map(unplaced.map((rule) => [rule, { ...rule, policyId: placeOf(rule.origin) }]));
  const place = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    exclusiveSets: [],
    rules: rulesByPolicy(snapshot.rules.unplaced.flatMap((rule) => placed.get(rule) ?? [])),
  });
  const [before, after] = [place(stack.before), place(stack.after)];
  if (before.rules.all.length + after.rules.all.length === 0) return [];
  const stronger = isDenyStronger(model) ? 'deny' : 'allow';
  const isStronger = ({ action }: RuleDeclaration) => (valueOf(action) ?? stronger) === stronger;
  const overruling = {
    before: stack.before.rules.unplaced.filter(isStronger),
    after: stack.after.rules.unplaced.filter(isStronger),
  };
  const canBeOverruled = (place: string) =>
    [before, after].some(({ rules }) => rules.placed.get(place)?.some((rule) => !isStronger(rule)));
  const homeless: Circumstances['homeless'] = (side, place) =>
    canBeOverruled(place) ? overruling[side].filter(({ origin }) => valueOf(placeOf(origin)) !== place) : [];
  // Which of them are in one policy is not known, so nothing is said of what happens between their steps.
  return changesOf({ changes: stack.changes, before, after }, { model, homeless }, nowMs);
}

interface Circumstances {
  readonly model: IpModel;
  readonly nowMs: number | undefined;
  readonly stack: StackChange;
  /** Rules whose policy is hidden, and that may belong to a policy. */
  readonly homeless: (side: 'before' | 'after', policyId: string) => readonly RuleDeclaration[];
  readonly isKept: (declared: { readonly origin: Origin }) => boolean;
  /** Absent if no run makes the change. */
  readonly run: Run | undefined;
}

function policyChange(pairing: Pairing<RuleDeclaration>, circumstances: Circumstances): PolicyChange {
  const { model, homeless, run, nowMs = APPLY } = circumstances;
  const parts = (key: 'before' | 'after', declared: readonly RuleDeclaration[]): PolicyParts => ({
    ...{ declared, homeless: homeless(key, pairing.subject), nowMs },
    isContested: contestedIn(key, pairing.subject, circumstances),
  });
  const before = policySide(parts('before', pairing.before), model);
  const after = policySide(parts('after', pairing.after), model);
  const { bounds, moments, at } = overTime({ before, after }, circumstances);
  const isDecided = isExact(bounds.gained) && isExact(bounds.lost);
  const [added, removed] = [onlyIn(after.rules, before.rules), onlyIn(before.rules, after.rules)];
  const onTheWay = run && meanwhile(pairing, { before, after }, run);
  const doubts = isDecided && moments.length === 0 ? [] : doubtsOf([before, after]);
  const { subject } = pairing;
  const access: AddressAccess = { of: 'addresses', kind: 'policy', subject, ...bounds, doubts };
  return {
    ...{ policyId: subject, before, after, access, moments, isDecided, added, removed },
    later: laterAccess(access, moments, at),
    families: familyChanges({ gained: bounds.gained.surely, lost: bounds.lost.surely }),
    ...(onTheWay && { meanwhile: onTheWay }),
    changedUrns: new Set([...removed, ...added].map(({ origin }) => origin.urn)),
  };
}

function overTime(sides: Sides, { model, isKept, nowMs }: Circumstances) {
  const both = [sides.before, sides.after];
  const isDecided = both.every(
    ({ hiddenRules, doubtfulRules }) => hiddenRules.length + doubtfulRules.length === 0,
  );
  const timeline = memoized(() => new Timeline(sides, { model, isKept }));
  const bounds = isDecided
    ? independently(exactly(sides.before.letIn), exactly(sides.after.letIn))
    : timeline().at(APPLY);
  const hasEnds = nowMs !== undefined && both.some(({ hasEnds: ends }) => ends);
  const moments = hasEnds ? timeline().moments() : [];
  return { bounds, moments, at: (atMs: number) => timeline().at(atMs) };
}

function memoized<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** An exclusive set removes all other rules; one whose policy is hidden may own any, unless the change leaves it as it was. */
function contestedIn(
  key: 'before' | 'after',
  policyId: string,
  { stack, isKept }: Circumstances,
): PolicyParts['isContested'] {
  const owners = stack[key].exclusiveSets.filter((set) =>
    set.policyId.isKnown ? set.policyId.value === policyId : !isKept(set),
  );
  if (owners.length === 0) return () => false;
  return (rule) => !isForeign(rule) && owners.some((owner) => owner.origin.urn !== rule.origin.urn);
}

/** A rule that was read from the service has no URN: it is live whatever the stack says. */
const isForeign = ({ origin }: RuleDeclaration): boolean => !origin.urn.startsWith('urn:');

function familyChanges(sure: Record<'gained' | 'lost', CidrSet>): FamilyChange[] {
  const [gained, lost] = [sure.gained, sure.lost].map(largestFirst);
  const of = (family: Family, cidrs: readonly Cidr[] = []) => cidrs.filter((cidr) => cidr.family === family);
  return FAMILIES.map((family) => ({ family, gained: of(family, gained), lost: of(family, lost) }));
}

/** The rules that others have less often, or with another end. One that both have is the same; of equal ones the last are too many. */
function onlyIn(rules: readonly VisibleRule[], others: readonly VisibleRule[]): VisibleRule[] {
  const [these, theirs] = [new Set(rules), new Set(others)];
  const matching = new Map<string, number>();
  const add = (rule: VisibleRule, more: number): number => {
    const key = `${rule.action} ${rule.cidr.text} ${rule.until ?? ''}`;
    const count = (matching.get(key) ?? 0) + more;
    matching.set(key, count);
    return count;
  };
  for (const other of others) if (!these.has(other)) add(other, 1);
  return rules.filter((rule) => !theirs.has(rule) && add(rule, -1) < 0);
}
