// How operations take over, change and delete live objects: each asks who owns them (`ownership.ts`), and waits (`waiting.ts`).
import type { IsStillDue } from '../api/call';
import type { Deadline } from '../api/clock';
import { isAmbiguous, isCalledOff } from '../api/errors';
import { messageForUser, UserError } from '../errors/user-error';
import { isSameNetwork, networkKey, type ServiceRule } from '../rule/rule';
import { stillLive } from '../presence/live-rules';
import { overwrittenTwice, ruleDeclaredTwice, ruleInTheWay, severalExisting } from './create-failures';
import type { EngineCall } from './ownership';
import { removeRule } from '../presence/presence';
import { type Creation, listRules } from './rule-search';
import type { RunContext } from './run-record';
import { Blocked } from './waiting';

/**
 * Claims live rules for a call: all, or none.
 *
 * @throws UserError if another resource of this program owns one of them.
 * @throws Blocked if another resource is about to change or delete one.
 */
export function claimRules(
  { context: { record }, call }: Pick<Creation, 'context' | 'call'>,
  rules: readonly ServiceRule[],
): void {
  if (rules.length === 0) return;
  const ids = rules.map(({ id }) => id);
  const claimed = record.ownership.claim(ids, call);
  if (claimed.outcome === 'owned') throw ruleDeclaredTwice(claimed.key);
  if (claimed.outcome === 'busy') throw new Blocked(() => ruleInTheWay(claimed.key), rules.map(networkKey));
}

/**
 * Another call of this run that may take over what is there would take over the new rule or, if neither sees the other's, make
 * a second one. The networks are claimed by digests: they may be secret, and what processes tell each other is in files.
 * @throws UserError if there is such a call.
 */
export async function overwriting<T>(
  { context: { client, record }, call }: Pick<Creation, 'context' | 'call'>,
  networks: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const keys = networks.map((network) => client.digest(network));
  const claimed = record.ownership.claim(keys, call, { areLive: false });
  if (claimed.outcome !== 'claimed') throw overwrittenTwice(networks[keys.indexOf(claimed.key)] ?? '');
  try {
    return await work();
  } catch (error) {
    // The engine may repeat the call.
    record.ownership.release(keys);
    throw error;
  }
}

/**
 * Takes over the rule, texts included, that the policy already holds for a network. No request changes an action in place, so a
 * rule with the other action is deleted, and the create continues as if there had been none.
 *
 * @throws UserError if another resource of this program owns the rule, or if there are several.
 * @throws Blocked if another resource is about to change or delete it.
 */
export async function takeOverRule(creation: Creation): Promise<ServiceRule | undefined> {
  const { context, wanted, deadline } = creation;
  const { client, warn } = context;
  const { ownership, waiting } = context.record;
  const isExisting = (rule: ServiceRule): boolean => isSameNetwork(rule, wanted);
  const listed = await listRules(creation, isExisting);
  const existing = (await stillLive(listed, { client, deadline, warn })).filter(isExisting);
  const [rule, ...others] = existing;
  if (rule === undefined) return undefined;
  if (others.length > 0) throw severalExisting(wanted, existing);
  return waiting.oneAtATime(rule.id, async () => {
    // Another resource of this run, such as a set that changes an action, may have deleted the rule since the list was read.
    if (ownership.isDeletedHere(rule.id)) return undefined;
    claimRules(creation, existing);
    if (rule.action === wanted.action) return rule;
    try {
      await removeRule({ client, id: rule.id, createdAtLatest: rule.createdAt, deadline });
    } catch (error) {
      ownership.release([rule.id]);
      ownership.failDelete(rule.id);
      throw error;
    }
    ownership.noteDeleted(rule.id);
    return undefined;
  });
}

interface Claimable {
  readonly key: string;
  /** The call that releases or changes the object. */
  readonly call: EngineCall;
  /** In the line with the reason why nothing was sent. Absent for rules, of which many may move: they share one line. */
  readonly name?: string;
}

/**
 * If another resource owns the object, only a line is printed. Ownership is checked once all other work on the object has
 * ended, and before each attempt until one may have had its effect.
 */
export function deleteUnlessOwned(
  { record: { ownership, waiting }, warn }: Pick<RunContext, 'record' | 'warn'>,
  { key, call, name }: Claimable,
  remove: (isStillDue: IsStillDue) => Promise<void>,
): Promise<'deleted' | 'kept'> {
  const keep = (): 'kept' => {
    warn(name === undefined ? RULES_KEPT : keptModule(name, ownership.isUnchanged(key)));
    return 'kept';
  };
  return waiting.oneAtATime(key, async () => {
    if (!ownership.beginDelete(key, call)) return keep();
    try {
      await remove(() => ownership.beginDelete(key, call));
    } catch (error) {
      if (!isCalledOff(error)) {
        ownership.failDelete(key);
        throw error;
      }
      ownership.callOffDelete(key);
      return keep();
    }
    ownership.noteDeleted(key);
    return 'deleted';
  });
}

const RULES_KEPT =
  'Kept IP policy rules that other resources of this program now own: only their former resources are deleted.';

const keptModule = (name: string, isShared: boolean): string =>
  isShared
    ? `Kept the ${name}: another resource of this program also owns it. This resource took it over in an earlier run (with ` +
      `--target?), so its live content may differ from what the other one declares: run "pulumi up --refresh".`
    : `Kept the ${name}: another resource of this program now owns it (renamed?), so deleting it would remove live protection.`;

/**
 * Changes a live object once no other work on it is under way and nothing is in the way.
 *
 * @throws UserError if another process of the run has claimed the object or may still delete it: an earlier run has left a
 * second entry of state that owns it.
 */
export function changeInTurn<T>(
  { record: { ownership, waiting }, client }: Pick<RunContext, 'record' | 'client'>,
  { key, call, name }: Required<Claimable>,
  change: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  ownership.beginUpdate([key], call);
  return waiting.retry(client, call, (deadline) =>
    waiting.oneAtATime(key, () => {
      if (!ownership.isClaimedElsewhere(key)) return change(deadline);
      throw new Blocked(() => changedElsewhere(name));
    }),
  );
}

const changedElsewhere = (name: string): UserError =>
  new UserError(
    `The ${name} was not changed: a resource of another provider is taking it over or deleting it in this run. Run "pulumi ` +
      `refresh", then "pulumi up".`,
  );

/** State does not record that the object may be gone, so the next `up` would not look. */
export const mayStillGo = (id: string, error: unknown): unknown =>
  isAmbiguous(error)
    ? new UserError(
        `${id} may or may not have been deleted: ${messageForUser(error)}. Before a change that ` +
          `declares it again, run "pulumi refresh".`,
      )
    : error;
