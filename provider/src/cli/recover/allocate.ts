// Decides which expected rule gets which live rule that no resource manages. Every live rule is given out at most once, across all
// operations and accounts: if two resources had it in their state, removing one of them would delete the other's rule.
import { isSameInPolicy, type ServiceRule } from '../../rule/rule';
import type { ExpectedRule } from './expected-rules';
import type { RuleEvidence, RuleList } from './evidence';
import { type Age, ageOf } from './time-window';

/** What became of one rule that an interrupted operation was supposed to create. */
export type RuleOutcome =
  | { readonly kind: 'found'; readonly rule: ServiceRule; readonly isToldSo: boolean }
  | { readonly kind: 'doubt'; readonly why: string; readonly rules: readonly ServiceRule[] }
  /** The one match, without a record that this stack began to create it. */
  | { readonly kind: 'unproven'; readonly rule: ServiceRule }
  /** `older`: rules with these values that existed before the operation. */
  | { readonly kind: 'none'; readonly older: readonly ServiceRule[] };

/** The outcome for each expected rule, and which ids of `--take` were used. */
export interface Allocation {
  readonly outcomes: ReadonlyMap<ExpectedRule, RuleOutcome>;
  readonly usedTakeIds: ReadonlySet<string>;
}

interface Candidate {
  readonly rule: ServiceRule;
  readonly age: Age;
  /** Whether all its values are as expected; if not, it is a rule for the same network that may have been edited since. */
  readonly isSame: boolean;
}

/** Assigns live rules to expected ones. The list is in the order of the operations; the latest create chooses first. */
export function allocate(
  expectedRules: readonly ExpectedRule[],
  listOf: (expected: ExpectedRule) => RuleList,
  evidence: RuleEvidence,
): Allocation {
  const open = [...expectedRules]
    .reverse()
    .map((expected) => ({ expected, candidates: candidatesFor(expected, listOf(expected), evidence) }));
  const outcomes = new Map<ExpectedRule, RuleOutcome>();
  const taken = new Set<string>();
  for (const id of evidence.takeIds) giveAsTold(id, open, { outcomes, taken });
  const claims = claimsOn(open.filter(({ expected }) => !outcomes.has(expected)));
  for (const { expected, candidates } of open) {
    if (outcomes.has(expected)) continue;
    const possible = candidates.filter(
      ({ rule, age, isSame }) => isSame && age !== 'older' && !taken.has(rule.id),
    );
    const outcome = judge(expected, { possible, claims, evidence });
    if (outcome === undefined) continue;
    outcomes.set(expected, outcome);
    if ('rule' in outcome) taken.add(outcome.rule.id);
  }
  for (const { expected, candidates } of open) {
    if (outcomes.has(expected)) continue;
    const free = candidates.filter(({ rule }) => !taken.has(rule.id) && !claims.has(rule.id));
    outcomes.set(expected, judgeRest(free, candidates));
  }
  return { outcomes, usedTakeIds: toldIds(outcomes) };
}

const toldIds = (outcomes: ReadonlyMap<ExpectedRule, RuleOutcome>): Set<string> =>
  new Set([...outcomes.values()].flatMap((it) => (it.kind === 'found' && it.isToldSo ? [it.rule.id] : [])));

interface Open {
  readonly expected: ExpectedRule;
  readonly candidates: readonly Candidate[];
}

function candidatesFor(
  { wanted }: ExpectedRule,
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

/** A rule named by `--take` is assigned whatever its age and texts are, to the expected rule that it fits best. */
function giveAsTold(
  id: string,
  open: readonly Open[],
  { outcomes, taken }: { readonly outcomes: Map<ExpectedRule, RuleOutcome>; readonly taken: Set<string> },
): void {
  if (taken.has(id)) return;
  const fitting = open.flatMap(({ expected, candidates }) =>
    expected.isOpen && !outcomes.has(expected)
      ? candidates.filter(({ rule }) => rule.id === id).map((candidate) => ({ expected, ...candidate }))
      : [],
  );
  const best = fitting.find(({ isSame }) => isSame) ?? fitting[0];
  if (best === undefined) return;
  outcomes.set(best.expected, { kind: 'found', rule: best.rule, isToldSo: true });
  taken.add(id);
}

/** Which resources could have created a rule. Several operations on one resource do not compete. */
function claimsOn(open: readonly Open[]): Map<string, Set<string>> {
  const claims = new Map<string, Set<string>>();
  for (const { expected, candidates } of open) {
    for (const { rule, age, isSame } of candidates) {
      if (!isSame || age === 'older') continue;
      const urns = claims.get(rule.id) ?? new Set();
      claims.set(rule.id, urns.add(expected.operation.resource.urn));
    }
  }
  return claims;
}

function judge(
  { isOpen }: ExpectedRule,
  {
    possible,
    claims,
    evidence: { isRecorded },
  }: {
    readonly possible: readonly Candidate[];
    readonly claims: ReadonlyMap<string, ReadonlySet<string>>;
    readonly evidence: RuleEvidence;
  },
): RuleOutcome | undefined {
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

/** No live rule has the expected values. One for the same network may be the expected rule, edited since. */
function judgeRest(free: readonly Candidate[], all: readonly Candidate[]): RuleOutcome {
  const near = free.filter(({ age, isSame }) => !isSame && age !== 'older').map(({ rule }) => rule);
  if (near.length > 0) {
    const why =
      'a rule for its network has other values: it may have been edited since, or have another owner';
    return { kind: 'doubt', why, rules: near };
  }
  const older = all.filter(({ age, isSame }) => isSame && age === 'older');
  return { kind: 'none', older: older.map(({ rule }) => rule) };
}
