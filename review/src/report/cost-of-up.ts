import { planChanges, requestCount } from 'pulumi-edge-policy/internal/rule-set/plan-changes';
import { hasSameDetails, type Rule } from 'pulumi-edge-policy/internal/rule/rule';
import type { RuleLine } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { networkOfKey } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import type { ResourceChange, ResourceSide } from '../model/resource-change';
import { declaredBy } from '../model/snapshot';

/** The cost of an `up` for the service. */
export interface UpCost {
  /** Requests that write, and the look-ups that some of them need. */
  readonly requests: number;
  /** False if a part cannot be counted, as it is hidden or depends on how much the account holds. */
  readonly isExact: boolean;
  /** Whole minutes at the rate limit. */
  readonly minutes: number;
}

/** Rules on a page of the list, as far as is known. */
const PAGE_SIZE = 100;

/** Counts the requests of an `up`, and the time that they take at a limit of `requestsPerMinute`. */
export function costOfUp(changes: readonly ResourceChange[], requestsPerMinute: number): UpCost {
  const costs = changes.map(costOfChange);
  const requests = costs.reduce((sum, cost) => sum + cost.requests, 0);
  return {
    requests,
    isExact: costs.every((cost) => cost.isExact),
    minutes: Math.ceil(requests / requestsPerMinute),
  };
}

interface Cost {
  readonly requests: number;
  readonly isExact: boolean;
}

const exactly = (requests: number): Cost => ({ requests, isExact: true });

function costOfChange(change: ResourceChange): Cost {
  if (change.kind === 'unchanged' || change.kind === 'forget') return exactly(0);
  if (change.type === 'IpPolicyRuleSet') return costOfSetChange(change);
  if (change.kind !== 'create' && change.kind !== 'replace') return exactly(1);
  const requests = change.kind === 'create' ? 1 : 2;
  // A create of a module looks first, so that a foreign one is never overwritten.
  if (change.type !== 'IpPolicyRule') return exactly(requests + 1);
  return mayTakeOver(change) ? { requests: requests + 1, isExact: false } : exactly(requests);
}

const mayTakeOver = ({ after }: ResourceChange): boolean => after?.inputs['overwriteExisting'] === true;

function costOfSetChange(change: ResourceChange): Cost {
  const { before, after, kind } = change;
  const [present, wanted] = [before, after].map((side) => (side ? linesOfSet(side) : []));
  if (!present || !wanted) return { requests: 0, isExact: false };
  const isWhole = kind === 'replace' || !before || !after;
  const [gone, come] = [onlyIn(present, wanted), onlyIn(wanted, present)];
  const writes = isWhole ? exactly(present.length + wanted.length) : writesOfPlan(gone, come);
  // How many pages a list has depends on the rules of the whole account, which a preview does not show.
  const pages = Math.ceil(Math.max(1, present.length, wanted.length) / PAGE_SIZE);
  const known = new Set(gone.map(({ cidr }) => cidr));
  const isListed = meetsOthers(change, () => come.some(({ cidr }) => !known.has(cidr)));
  return isListed ? { requests: writes.requests + pages, isExact: false } : writes;
}

/**
 * A set that may meet foreign rules looks for them: a new set, one that becomes exclusive, and one with new networks that may
 * overwrite.
 */
function meetsOthers(change: ResourceChange, hasNewNetworks: () => boolean): boolean {
  const { kind, before, after } = change;
  if (!after) return false;
  const isExclusive = after.inputs['exclusive'] === true;
  if (kind !== 'update' || !before) return isExclusive || mayTakeOver(change);
  const isNewlyExclusive = isExclusive && before.inputs['exclusive'] !== true;
  return isNewlyExclusive || (mayTakeOver(change) && hasNewNetworks());
}

/** The lines of a set; undefined if a part of them is hidden. */
function linesOfSet(side: ResourceSide): readonly RuleLine[] | undefined {
  const { lines } = declaredBy(side);
  return lines?.isKnown === true && lines.value.lines.every(({ open }) => open.length === 0)
    ? lines.value.lines
    : undefined;
}

/** The writes that turn one list of rules into another. Unchanged rules do not affect the plan. */
function writesOfPlan(gone: readonly Rule[], come: readonly Rule[]): Cost {
  // A changed text takes one request and not two, but finding out for how many would take a third of a review's work.
  if (gone.length + come.length > MOST_PLANNED)
    return { requests: gone.length + come.length, isExact: false };
  const present = gone.map((rule) => ({ ...rule, id: '' }));
  return exactly(requestCount(planChanges(present, come)));
}

/** Up to so many changed rules are planned; for more, the report gives an upper estimate of the requests. */
const MOST_PLANNED = 5_000;

/** The rules with another content than those of the same networks in the other list. */
function onlyIn(lines: readonly RuleLine[], others: readonly RuleLine[]): Rule[] {
  const byKey = new Map(others.map((line) => [line.key, line]));
  return lines
    .filter((line) => !isSameLine(line, byKey.get(line.key)))
    .map(({ key, action = 'allow', open: _open, ...texts }) => ({
      cidr: networkOfKey(key),
      action,
      ...texts,
    }));
}

const isSameLine = (line: RuleLine, other: RuleLine | undefined): boolean =>
  other !== undefined && other.action === line.action && hasSameDetails(other, line);
