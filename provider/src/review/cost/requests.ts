import { planChanges, requestCount } from '../../rule-set/plan';
import type { SetRule } from '../../rule-set/rule';
import { parseRules, readRuleLines } from '../../rule-set/rules-text';
import { valueOf } from '../model/known';
import { readText } from '../model/read-rules';
import type { ResourceChange } from '../model/resource-change';
import type { JsonObject } from '../preview/json-reading';

/** What the `up` will cost the service. */
export interface UpCost {
  /** Requests that write, and the looks at what is there that some of them need. */
  readonly requests: number;
  /** False when some part cannot be counted, as it is hidden or depends on how much the account holds. */
  readonly isExact: boolean;
  /** Whole minutes at the rate limit. */
  readonly minutes: number;
}

/** Rules on a page of the list, as far as is known. */
const PAGE_SIZE = 100;

/** Counts the requests of an `up`, and the time they take at a limit of `requestsPerMinute`. */
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
  // A module is looked up before it is created, lest a foreign one be overwritten.
  const creation = change.type === 'IpPolicyRule' ? 1 : 2;
  if (change.kind === 'create') return exactly(creation);
  return exactly(change.kind === 'replace' ? creation + 1 : 1);
}

function costOfSetChange(change: ResourceChange): Cost {
  const { before, after, kind } = change;
  const [present, wanted] = [before, after].map((side) => (side ? rulesOfSet(side.inputs) : []));
  if (!present || !wanted) return { requests: 0, isExact: false };
  const live = present.map((rule) => ({ ...rule, id: '' }));
  const writes = kind === 'replace' ? live.length + wanted.length : requestCount(planChanges(live, wanted));
  // How many pages a list has depends on the rules of the whole account, which a preview does not show.
  const pages = Math.ceil(Math.max(1, live.length, wanted.length) / PAGE_SIZE);
  const lists = Number(isListedForDelete(change, live)) + Number(isListedForTakeOver(change));
  return { requests: writes + lists * pages, isExact: lists === 0 };
}

/** A set that goes looks first which of its rules are left. */
const isListedForDelete = ({ kind }: ResourceChange, live: readonly unknown[]): boolean =>
  (kind === 'delete' || kind === 'replace') && live.length > 0;

/** A set that may meet rules of others looks for them: a new one, and one that becomes exclusive. */
function isListedForTakeOver({ kind, before, after }: ResourceChange): boolean {
  if (!after) return false;
  const { exclusive, overwriteExisting } = after.inputs;
  if (kind === 'update') return exclusive === true && before?.inputs['exclusive'] !== true;
  return exclusive === true || overwriteExisting === true;
}

/** The rules of a set, or nothing if some part of them is hidden. */
function rulesOfSet(inputs: JsonObject): readonly SetRule[] | undefined {
  const text = valueOf(readText(inputs['rules']));
  const lines = text === undefined ? undefined : readRuleLines(text);
  if (text === undefined || lines === undefined || lines.some(({ open }) => open.length > 0))
    return undefined;
  return parseRules(text);
}
