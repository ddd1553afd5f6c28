import type { IpPolicyRuleWire } from '../api/wire';
import { UserError } from '../lifecycle/user-error';
import type { Tools } from '../settle/tools';
import { readWholeList, type WholeList } from '../settle/whole-list';
import { listOf } from './failures';
import { findManaged } from './live-rules';
import { isSameSetRule, liveRule, nameOfRule, type LiveRule, type SetRule } from './rule';
import { declaredRules, type IpPolicyRuleSetInputs, type IpPolicyRuleSetState } from './set-state';

/** `created_at` may have whole seconds. */
const CLOCK_GRAIN_MS = 1_000;

/**
 * What is live of a set whose last run lost answers for good: the managed rules as they are now, and the declared rules that
 * were created since then after all.
 *
 * @throws UserError naming the candidates where it is not sure which rule was created.
 */
export async function withLostCreates(
  tools: Tools,
  set: { olds: IpPolicyRuleSetState; news: IpPolicyRuleSetInputs; managed: readonly LiveRule[] },
): Promise<LiveRule[]> {
  const { client, ledger } = tools;
  const { olds, news, managed } = set;
  const deadline = client.startOperation();
  const list = await readWholeList(client, deadline);
  const ids = managed.map(({ id }) => id);
  const live = (await findManaged({ client, deadline, ids, changedAt: olds.changedAt }, list)).map(liveRule);
  const networks = new Set(live.map(({ cidr }) => cidr));
  const candidates = candidatesByNetwork(tools, olds, list);
  const lost = declaredRules(news)
    .filter(({ cidr }) => !networks.has(cidr))
    .flatMap((rule) => adopted(tools, rule, candidates.get(rule.cidr) ?? []));
  for (const { id } of lost) ledger.noteRule(id);
  return [...live, ...lost];
}

function candidatesByNetwork(
  { ledger }: Tools,
  { ipPolicyId, unsettledSince = '' }: IpPolicyRuleSetState,
  { rules }: WholeList,
): Map<string, LiveRule[]> {
  const earliestMs = Math.floor(Date.parse(unsettledSince) / CLOCK_GRAIN_MS) * CLOCK_GRAIN_MS;
  const isCandidate = (rule: IpPolicyRuleWire): boolean =>
    rule.ip_policy.id === ipPolicyId &&
    Date.parse(rule.created_at) >= earliestMs &&
    !ledger.knowsRule(rule.id);
  const byNetwork = new Map<string, LiveRule[]>();
  for (const rule of [...rules.values()].filter(isCandidate).map(liveRule)) {
    byNetwork.set(rule.cidr, [...(byNetwork.get(rule.cidr) ?? []), rule]);
  }
  return byNetwork;
}

function adopted({ warn }: Tools, declared: SetRule, candidates: readonly LiveRule[]): LiveRule[] {
  const alike = candidates.filter((rule) => isSameSetRule(rule, declared));
  const [rule, ...others] = alike;
  if (rule === undefined) return [];
  if (others.length > 0) {
    throw new UserError(
      `The answer to the create of ${nameOfRule(declared)} was lost in an earlier run, and several rules could be it: ` +
        `${listOf(alike)}. Delete the ones that are not wanted.`,
    );
  }
  warn(
    `The answer to the create of ${nameOfRule(rule)} was lost in an earlier run; the rule exists as ${rule.id} and was taken over.`,
  );
  return [rule];
}
