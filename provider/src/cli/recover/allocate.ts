// Whose is a rule that nobody manages? An id is given out once, whatever the types and accounts of the operations that could
// have made it: taken in twice, removing one resource would delete the other's rule.
import { isSameInPolicy, type ServiceRule } from '../../rule/rule';
import type { Demand } from './demand';
import type { RuleEvidence, RuleList } from './evidence';
import { type Age, ageOf } from './time-window';

/** What became of one rule that an interrupted operation was to make. */
export type Finding =
  | { readonly kind: 'found'; readonly rule: ServiceRule; readonly isToldSo: boolean }
  | { readonly kind: 'doubt'; readonly why: string; readonly rules: readonly ServiceRule[] }
  /** The one match, without a record that this stack began to create it. */
  | { readonly kind: 'unproven'; readonly rule: ServiceRule }
  /** `older`: such rules, which were there before the stack. */
  | { readonly kind: 'none'; readonly older: readonly ServiceRule[] };

/** Which demand gets which rule, and what of the operator's word was of use. */
export interface Allocation {
  readonly findings: ReadonlyMap<Demand, Finding>;
  readonly usedTakeIds: ReadonlySet<string>;
}

interface Candidate {
  readonly rule: ServiceRule;
  readonly age: Age;
  /** Whether it is the very rule that was to be made; otherwise one for the same network, which may have been edited since. */
  readonly isSame: boolean;
}

/** Gives rules to demands; of two creates of one resource the later one, which comes later in the list, goes first. */
export function allocate(
  demands: readonly Demand[],
  listOf: (demand: Demand) => RuleList,
  evidence: RuleEvidence,
): Allocation {
  const open = [...demands]
    .reverse()
    .map((demand) => ({ demand, candidates: candidatesFor(demand, listOf(demand), evidence) }));
  const findings = new Map<Demand, Finding>();
  const taken = new Set<string>();
  for (const id of evidence.takeIds) giveAsTold(id, open, { findings, taken });
  const claims = claimsOn(open.filter(({ demand }) => !findings.has(demand)));
  for (const { demand, candidates } of open) {
    if (findings.has(demand)) continue;
    const possible = candidates.filter(
      ({ rule, age, isSame }) => isSame && age !== 'older' && !taken.has(rule.id),
    );
    const finding = judge(demand, { possible, claims, evidence });
    if (finding === undefined) continue;
    findings.set(demand, finding);
    if ('rule' in finding) taken.add(finding.rule.id);
  }
  for (const { demand, candidates } of open) {
    if (findings.has(demand)) continue;
    const free = candidates.filter(({ rule }) => !taken.has(rule.id) && !claims.has(rule.id));
    findings.set(demand, judgeRest(free, candidates));
  }
  return { findings, usedTakeIds: toldIds(findings) };
}

const toldIds = (findings: ReadonlyMap<Demand, Finding>): Set<string> =>
  new Set([...findings.values()].flatMap((it) => (it.kind === 'found' && it.isToldSo ? [it.rule.id] : [])));

interface Open {
  readonly demand: Demand;
  readonly candidates: readonly Candidate[];
}

function candidatesFor(
  { wanted }: Demand,
  list: RuleList,
  { managedIds, window }: RuleEvidence,
): Candidate[] {
  return list
    .at(wanted)
    .filter(({ id }) => !managedIds.has(id))
    .map((rule) => ({
      rule,
      age: ageOf(rule.createdAt, window, list.offsetMs),
      isSame: isSameInPolicy(rule, wanted),
    }));
}

/** The operator's word counts whatever the age and the texts of the rule; of several demands the one that it fits best. */
function giveAsTold(
  id: string,
  open: readonly Open[],
  { findings, taken }: { readonly findings: Map<Demand, Finding>; readonly taken: Set<string> },
): void {
  if (taken.has(id)) return;
  const fitting = open.flatMap(({ demand, candidates }) =>
    demand.isOpen && !findings.has(demand)
      ? candidates.filter(({ rule }) => rule.id === id).map((candidate) => ({ demand, ...candidate }))
      : [],
  );
  const best = fitting.find(({ isSame }) => isSame) ?? fitting[0];
  if (best === undefined) return;
  findings.set(best.demand, { kind: 'found', rule: best.rule, isToldSo: true });
  taken.add(id);
}

/** Which resources could have made a rule. Several operations on one resource are no rivals. */
function claimsOn(open: readonly Open[]): Map<string, Set<string>> {
  const claims = new Map<string, Set<string>>();
  for (const { demand, candidates } of open) {
    for (const { rule, age, isSame } of candidates) {
      if (!isSame || age === 'older') continue;
      const urns = claims.get(rule.id) ?? new Set();
      claims.set(rule.id, urns.add(demand.operation.resource.urn));
    }
  }
  return claims;
}

function judge(
  { isOpen }: Demand,
  {
    possible,
    claims,
    evidence: { isRecorded },
  }: {
    readonly possible: readonly Candidate[];
    readonly claims: ReadonlyMap<string, ReadonlySet<string>>;
    readonly evidence: RuleEvidence;
  },
): Finding | undefined {
  const [only] = possible;
  if (only === undefined) return undefined;
  const isContested = possible.some(({ rule }) => (claims.get(rule.id)?.size ?? 0) > 1);
  if (possible.length === 1 && only.age === 'fits' && !isContested) {
    if (isRecorded) return { kind: 'found', rule: only.rule, isToldSo: false };
    return isOpen
      ? { kind: 'unproven', rule: only.rule }
      : { kind: 'doubt', why: REPLACED, rules: [only.rule] };
  }
  return { kind: 'doubt', why: whyUnsure(possible, isContested), rules: possible.map(({ rule }) => rule) };
}

const REPLACED =
  'the state still has the resource that it should have replaced, so it cannot be brought in: the next up creates another one';

function whyUnsure({ length }: readonly Candidate[], isContested: boolean): string {
  if (isContested) return 'several interrupted operations could have created this rule';
  if (length > 1) return 'several rules on the service match';
  return 'a matching rule already existed at the end of a later successful run: its owner is unclear';
}

/** Without the very rule: one for the same network may be it, edited by somebody since. */
function judgeRest(free: readonly Candidate[], all: readonly Candidate[]): Finding {
  const near = free.filter(({ age, isSame }) => !isSame && age !== 'older').map(({ rule }) => rule);
  if (near.length > 0) {
    const why =
      'a rule for its network has other values: it may have been edited since, or have another owner';
    return { kind: 'doubt', why, rules: near };
  }
  const older = all.filter(({ age, isSame }) => isSame && age === 'older');
  return { kind: 'none', older: older.map(({ rule }) => rule) };
}
