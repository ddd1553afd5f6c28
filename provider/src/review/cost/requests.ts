import type { RuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import { readRuleSet } from '../model/read-rules';
import type { ResourceChange } from '../model/resource-change';

/** What the `up` will cost the service. */
export interface UpCost {
  /** Requests that write, and the look-ups before a module is created. */
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

function costOfSetChange({ before, after, kind }: ResourceChange): Cost {
  const present = before ? readRuleSet(before.origin, before.inputs) : [];
  const wanted = after ? readRuleSet(after.origin, after.inputs) : [];
  if ([...present, ...wanted].some((rule) => !rule.cidr.isKnown || !rule.action.isKnown)) {
    return { requests: 0, isExact: false };
  }
  const lists = Math.ceil(Math.max(1, present.length, wanted.length) / PAGE_SIZE);
  const writes = kind === 'replace' ? present.length + wanted.length : writesOf(present, wanted);
  // How many pages the list has depends on the rules of the whole account, which a preview does not show.
  return { requests: writes + lists, isExact: false };
}

/** Unchanged rules cost nothing; a removed and an added rule of one action are one PATCH; a flip is two requests. */
function writesOf(present: readonly RuleDeclaration[], wanted: readonly RuleDeclaration[]): number {
  const old = new Map(present.map((rule) => [valueOf(rule.cidr)?.text, rule]));
  const added = { allow: 0, deny: 0 };
  const removed = { allow: 0, deny: 0 };
  let writes = 0;
  for (const rule of wanted) {
    const cidr = valueOf(rule.cidr)?.text;
    const previous = old.get(cidr);
    old.delete(cidr);
    const action = valueOf(rule.action) ?? 'allow';
    if (!previous) added[action] += 1;
    else if (valueOf(previous.action) !== action) writes += 2;
    else if (previous.remarks !== rule.remarks) writes += 1;
  }
  for (const rule of old.values()) removed[valueOf(rule.action) ?? 'allow'] += 1;
  return writes + Math.max(added.allow, removed.allow) + Math.max(added.deny, removed.deny);
}
