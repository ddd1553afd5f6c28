import { createHash } from 'node:crypto';
import type { IpPolicyRuleWire } from '../../api/wire';
import { canonicalNetworkText } from '../../rule-set/network';
import { createBody, liveRule, type LiveRule, type SetRule } from '../../rule-set/rule';
import { liveRulesInState, rulesInState, type RulesInState } from '../../rule-set/rules-text';
import { declaredRules, type IpPolicyRuleSetInputs } from '../../rule-set/set-state';
import { isSameRule } from '../../settle/rule-search';
import { isSecret, secretInClear, type StateResource, withoutEnvelopes } from '../pulumi/deployment';
import { type ListEvidence, nameOfRule } from './evidence';
import { ageOf, type TimeWindow } from './time-window';
import type { Operation, Verdict } from './verdict';

const MOST_NAMED = 10;

/** A set that was being created: what it has made already is brought in, and the next `up` makes the rest. */
export function judgeRuleSetCreate(operation: Operation, evidence: ListEvidence): Verdict {
  const inputs = operation.inputs as unknown as IpPolicyRuleSetInputs;
  const declared = declaredRules(inputs);
  const search = searchRules(declared, inputs, evidence);
  // A set that may take over what is there does so again: only what it has made itself has to be told apart.
  if (search.doubtful.length > 0 && inputs.overwriteExisting !== true) return refuse(search.doubtful);
  if (search.found.length === 0)
    return { kind: 'clear', why: 'never happened: the service has none of its rules' };
  const state = rulesInState(search.found);
  const own = createHash('sha256').update(state.ruleIdList).digest('hex').slice(0, 12);
  return {
    kind: 'take',
    why: `happened in part: ${search.found.length} of ${declared.length} rules exist, the next up makes the rest`,
    id: `${inputs.ipPolicyId}/${own}`,
    outputs: { ...operation.resource.inputs, ...inState(operation, state) },
  };
}

/** A set that was being changed: the rules that it has made and not yet noted are noted, then it is read again. */
export function judgeRuleSetUpdate(
  operation: Operation,
  entry: StateResource | undefined,
  evidence: ListEvidence,
): Verdict {
  const inputs = operation.inputs as unknown as IpPolicyRuleSetInputs;
  const noted = liveRulesInState(withoutEnvelopes(entry?.outputs ?? {}) as Partial<RulesInState>);
  const notedIds = new Set(noted.map(({ id }) => id));
  const held = evidence.rules
    .filter(({ id }) => notedIds.has(id))
    .map(({ cidr }) => canonicalNetworkText(cidr));
  const networks = new Set(held);
  const wanted = declaredRules(inputs).filter(({ cidr }) => !networks.has(cidr));
  const search = searchRules(wanted, inputs, evidence);
  if (search.doubtful.length > 0) return refuse(search.doubtful);
  if (search.found.length === 0) return { kind: 'refresh', why: 'read again from the service' };
  return {
    kind: 'refresh',
    why: `${search.found.length} rules that it has made are noted, then it is read again from the service`,
    outputs: inState(operation, rulesInState([...noted, ...search.found])),
  };
}

interface Search {
  readonly found: readonly LiveRule[];
  /** Rules that could be the set's, and nobody knows whether they are. */
  readonly doubtful: readonly IpPolicyRuleWire[];
}

/** Looks for rules that nobody manages among those of the policy, by their networks: lists are long. */
function searchRules(
  wanted: readonly SetRule[],
  inputs: IpPolicyRuleSetInputs,
  evidence: ListEvidence,
): Search {
  const { rules, managedIds, window, offsetMs, takeIds } = evidence;
  const unmanaged = new Map<string, IpPolicyRuleWire[]>();
  for (const rule of rules) {
    if (rule.ip_policy.id !== inputs.ipPolicyId || managedIds.has(rule.id)) continue;
    const network = canonicalNetworkText(rule.cidr);
    unmanaged.set(network, [...(unmanaged.get(network) ?? []), rule]);
  }
  const found: LiveRule[] = [];
  const doubtful: IpPolicyRuleWire[] = [];
  for (const rule of wanted) {
    const body = createBody(rule, inputs.ipPolicyId);
    const same = (unmanaged.get(rule.cidr) ?? []).filter((live) => isSameRule(live, body));
    const possible = same.filter(({ created_at }) => ageOf(created_at, window, offsetMs) !== 'older');
    const chosen = same.filter(({ id }) => takeIds.includes(id));
    const [only] = chosen.length === 1 ? chosen : possible;
    const isSure = chosen.length === 1 || (possible.length === 1 && isFit(only, window, offsetMs));
    if (only !== undefined && isSure) found.push(liveRule(only));
    else doubtful.push(...possible);
  }
  return { found, doubtful };
}

const isFit = (rule: IpPolicyRuleWire | undefined, window: TimeWindow, offsetMs: number): boolean =>
  rule !== undefined && ageOf(rule.created_at, window, offsetMs) === 'fits';

const refuse = (doubtful: readonly IpPolicyRuleWire[]): Verdict => ({
  kind: 'refuse',
  why: `${doubtful.length} rules could be of this set, and it is not certain whose they are`,
  candidates: doubtful.slice(0, MOST_NAMED).map(nameOfRule),
});

/** The live rules as state holds them, secret where the declaration is. */
function inState(
  { resource }: Operation,
  { rules, ruleIdList }: RulesInState,
): Readonly<Record<string, unknown>> {
  return { rules: isSecret(resource.inputs?.['rules']) ? secretInClear(rules) : rules, ruleIdList };
}
