import { UserError } from '../errors/user-error';
import { isSameRule, type LiveRule, type Rule, type ServiceRule } from '../rule/rule';
import { ruleKey } from '../run/object-key';
import type { Owner } from '../run/ownership';
import type { RunContext } from '../run/ledger';
import { isCreatedSince, listedFromMs, untilListed } from '../run/service-times';
import { accountRulesOf, type WholeList } from '../run/account-rules';
import { findManaged } from './managed-rules';
import type { IpPolicyRuleSetState } from './set-state';

/** A rule of which only the parts that cannot be secret are known. */
type LostRule = Pick<Rule, 'cidr' | 'action'>;

/** The rules whose creates were lost, as in state. */
export const unsettledText = (rules: readonly LostRule[]): string =>
  rules.map(({ cidr, action }) => `${cidr} ${action}`).join('\n');

/**
 * The live rules of a set. If its last run lost answers for good, these are the managed rules as they are now, and the rules
 * that were created since then after all. A rule that was edited in the meantime, or is no longer declared, still belongs to
 * the set.
 *
 * @param declared The rules that the set declares now; empty if it is being deleted.
 * @throws UserError naming the candidates if it is unclear which rule was created.
 */
export async function withLostCreates(context: RunContext, set: LostSet): Promise<readonly LiveRule[]> {
  const { ledger } = context;
  const { olds, declared, managed } = set;
  if (olds.unsettledSince === undefined) return managed;
  const { live, lost, candidates } = await look(context, set);
  const byNetwork = new Map(declared.map((rule) => [rule.cidr, rule]));
  const found = lost.flatMap((rule) =>
    adopted(context, { lost: rule, declared: byNetwork.get(rule.cidr) }, candidates),
  );
  for (const rule of found) {
    ledger.noteRule(rule.id);
    // The resource that made it may have left the program: its delete, which comes last, must know.
    ledger.ownership.noteCreated(ruleKey(rule.id), set.owner);
  }
  return [...live, ...found];
}

interface LostSet {
  /** The call that will own what is found. */
  readonly owner: Owner;
  readonly olds: IpPolicyRuleSetState;
  readonly declared: readonly Rule[];
  readonly managed: readonly LiveRule[];
}

interface Look {
  readonly live: readonly ServiceRule[];
  /** The lost rules for whose networks there is none of these. */
  readonly lost: readonly LostRule[];
  readonly candidates: ReadonlyMap<string, readonly LiveRule[]>;
}

/** If the next run follows at once, it may get a list from before the lost creates, so it looks once more. */
async function look(context: RunContext, { olds, managed }: LostSet): Promise<Look> {
  const { client } = context;
  const { ipPolicyId, changedAt } = olds;
  const deadline = client.startOperation();
  const ids = managed.map(({ id }) => id);
  const lookOnce = async (): Promise<Look> => {
    const list = await accountRulesOf(client).anew(deadline);
    const live = await findManaged({ client, deadline, ipPolicyId, ids, changedAt }, list);
    const networks = new Set(live.map(({ cidr }) => cidr));
    const lost = lostRules(olds).filter(({ cidr }) => !networks.has(cidr));
    return { live, lost, candidates: candidatesByNetwork(context, olds, list) };
  };
  const startedAtMs = client.clock.monotonicMs();
  const first = await lookOnce();
  const isComplete = first.lost.every((rule) => alikeOf(rule, first.candidates).length > 0);
  const isTooEarly = startedAtMs < listedFromMs(client, changedAt);
  if (isComplete || !isTooEarly) return first;
  await untilListed({ client, deadline, createdAt: changedAt });
  return lookOnce();
}

const alikeOf = ({ cidr, action }: LostRule, candidates: Look['candidates']): readonly LiveRule[] =>
  (candidates.get(cidr) ?? []).filter((rule) => rule.action === action);

function lostRules({ unsettledRules = '' }: IpPolicyRuleSetState): readonly LostRule[] {
  return unsettledRules.split('\n').flatMap((line) => {
    const [cidr = '', action] = line.split(' ');
    return action === 'allow' || action === 'deny' ? [{ cidr, action }] : [];
  });
}

function candidatesByNetwork(
  { ledger }: RunContext,
  { ipPolicyId, unsettledSince = '' }: IpPolicyRuleSetState,
  { rules }: WholeList,
): Map<string, LiveRule[]> {
  const sinceMs = Date.parse(unsettledSince);
  const isCandidate = (rule: ServiceRule): boolean =>
    rule.ipPolicyId === ipPolicyId &&
    isCreatedSince(rule.createdAt, sinceMs) &&
    !ledger.knowsRule(rule.id) &&
    !ledger.ownership.isOwnedByOther(ruleKey(rule.id));
  const byNetwork = new Map<string, LiveRule[]>();
  for (const rule of [...rules.values()].filter(isCandidate)) {
    byNetwork.set(rule.cidr, [...(byNetwork.get(rule.cidr) ?? []), rule]);
  }
  return byNetwork;
}

function adopted(
  { warn }: RunContext,
  { lost, declared }: { lost: LostRule; declared: Rule | undefined },
  candidates: Look['candidates'],
): LiveRule[] {
  const alike = alikeOf(lost, candidates);
  const same = declared === undefined ? [] : alike.filter((rule) => isSameRule(rule, declared));
  const likely = same.length > 0 ? same : alike;
  const [rule, ...others] = likely;
  if (rule === undefined) return [];
  if (others.length > 0) {
    throw new UserError(
      `The answer to a create of this set was lost in an earlier run, and several rules match: ` +
        `${likely.map(({ id }) => id).join(', ')}. Delete the ones that are not wanted.`,
    );
  }
  warn(
    `The answer to a create of this set was lost in an earlier run; the rule exists as ${rule.id} and was taken over.`,
  );
  return [rule];
}
