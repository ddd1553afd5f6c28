// Creates of a set whose answers were lost for good. State names them, and the next operation looks for their rules.
import { UserError } from '../errors/user-error';
import { isSameRule, type LiveRule, type Rule, type ServiceRule } from '../rule/rule';
import { accountRulesOf } from '../presence/account-rules';
import { liveRules, stillLive } from '../presence/live-rules';
import type { RunContext } from '../run/run-record';
import type { EngineCall } from '../run/ownership';
import { type Age, ageSince } from '../run/rule-search';
import { listedFromMs, untilListed } from '../presence/service-times';
import { type IpPolicyRuleSetState, wantedOf } from './set-state';

/** The line of a rule: the parts of it that cannot be secret. */
const lineOf = ({ cidr, action }: Pick<Rule, 'cidr' | 'action'>): string => `${cidr} ${action}`;

export const lostCreatesText = (rules: readonly Rule[]): string => rules.map(lineOf).join('\n');

interface SetBefore {
  readonly call: EngineCall;
  readonly olds: IpPolicyRuleSetState;
  readonly declared: readonly Rule[];
  readonly managed: readonly LiveRule[];
}

interface Settled {
  readonly live: readonly LiveRule[];
  /** Rules that match lost creates and may be older, so of others: to be named, and left alone. */
  readonly doubtful: readonly ServiceRule[];
}

/**
 * The live rules of a set. If its last run lost answers for good, these are the managed rules as they are now, and those that
 * were created after all, even if they were edited meanwhile or are no longer declared.
 * @throws UserError naming the candidates if it is unclear which rule was created.
 */
export async function withLostCreates(context: RunContext, set: SetBefore): Promise<Settled> {
  const { olds, declared, managed, call } = set;
  if (olds.unsettledSince === undefined) return { live: managed, doubtful: [] };
  const { changedAt, unsettledRules = '' } = olds;
  const { client, record, warn } = context;
  const deadline = client.startBulkWork();
  const looking = { client, deadline, warn };
  const startedAtMs = client.clock.monotonicMs();
  const rules = accountRulesOf(client);
  let list = await rules.anew(deadline);
  // Compared only now: the answers of the list show how the clocks differ.
  if (startedAtMs < listedFromMs(client, changedAt)) {
    await untilListed({ client, deadline, createdAtLatest: changedAt });
    list = await rules.anew(deadline);
  }
  const live = await liveRules(wantedOf(managed, olds), list, looking);
  const liveNetworks = new Set(live.map(({ cidr }) => cidr));
  const lines = unsettledRules.split('\n');
  const listed = list
    .ofPolicies([olds.ipPolicyId])
    .filter(
      (rule) =>
        !liveNetworks.has(rule.cidr) && lines.includes(lineOf(rule)) && mayBeLost(context, olds, rule),
    );
  const candidates = await stillLive(listed, looking);
  const likely = lines.map((line) => {
    const alike = candidates.filter((rule) => lineOf(rule) === line);
    return asDeclared(
      alike,
      declared.find((rule) => lineOf(rule) === line),
    );
  });
  const isSince = (rule: ServiceRule): boolean => ageIn(olds, rule) === 'since';
  const doubtful = likely.filter((rules) => !rules.some(isSince)).flat();
  const created = likely.filter((rules) => rules.some(isSince)).flatMap(onlyOne);
  for (const { id } of created) {
    context.warn(
      `The response to a create of this set was lost in an earlier run; the rule exists as ${id} and was taken over.`,
    );
    // The resource that made the rule may have left the program. Its delete, which comes last, must know the owner.
    record.ownership.noteCreated(id, call);
  }
  return { live: [...live, ...created], doubtful };
}

/** The next update must not look for the doubtful rules again. */
export function withoutDoubtful(
  olds: IpPolicyRuleSetState,
  doubtful: readonly ServiceRule[],
): IpPolicyRuleSetState {
  const named = new Set(doubtful.map(lineOf));
  const lines = (olds.unsettledRules ?? '').split('\n').filter((line) => !named.has(line));
  return { ...olds, unsettledRules: lines.join('\n') };
}

export const mayBeOlder = (doubtful: readonly ServiceRule[]): string =>
  `The response to a create of this set was lost in an earlier run, and a rule matches that may be older than the create: ` +
  `${doubtful.map(({ id }) => id).join(', ')}. Delete it unless it has another owner.`;

const ageIn = ({ unsettledSince = '' }: IpPolicyRuleSetState, { createdAt }: ServiceRule): Age =>
  ageSince(createdAt, Date.parse(unsettledSince));

const mayBeLost = ({ record }: RunContext, olds: IpPolicyRuleSetState, rule: ServiceRule): boolean =>
  ageIn(olds, rule) !== 'before' && record.ownership.mayBeLost(rule.id);

/** Of the rules for a network and action, those that are as the set declares it, if there are any. */
function asDeclared(alike: readonly ServiceRule[], declared: Rule | undefined): readonly ServiceRule[] {
  const same = alike.filter((rule) => declared !== undefined && isSameRule(rule, declared));
  return same.length > 0 ? same : alike;
}

function onlyOne(likely: readonly ServiceRule[]): readonly ServiceRule[] {
  if (likely.length < 2) return likely;
  throw new UserError(
    `The response to a create of this set was lost in an earlier run, and several rules match: ` +
      `${likely.map(({ id }) => id).join(', ')}. Delete the ones that you do not want.`,
  );
}
