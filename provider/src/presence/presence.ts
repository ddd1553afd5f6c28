// What for: what the service holds at this moment: whether an object is there, which rules there are, whether a write took effect.
// Must not know: `run` (who owns an object), and whatever else knows resources.
import type { IsStillDue } from '../api/call';
import type { ApiClient, ModuleEndpoint } from '../api/client';
import type { Deadline } from '../api/clock';
import { isYoung, untilListed, YOUNG_DELAYS_MS } from './service-times';
import { messageForUser } from '../errors/user-error';
import type { RuleRef } from '../api/decode';
import {
  AnswerError,
  isAmbiguous,
  isEdgePolicyError,
  isNotFound,
  isUnqualifiedNotFound,
} from '../api/errors';
import { pickTexts, type RuleChange, type RuleText, type RuleTexts, type ServiceRule } from '../rule/rule';
import { accountRulesOf } from './account-rules';

/** An object that a service may not show yet because it is young. */
interface Sought {
  readonly client: ApiClient;
  readonly deadline: Deadline;
  /** The latest time at which it can have been created (RFC 3339). Without it the first answer counts. */
  readonly createdAtLatest?: string | undefined;
}

export interface SoughtRule extends RuleRef, Sought {}

export interface SoughtModule<Wire> extends Sought {
  readonly endpoint: ModuleEndpoint<Wire>;
}

/** Returns `undefined` if the rule is gone. */
export const findRule = (sought: SoughtRule): Promise<ServiceRule | undefined> =>
  unlessGone(sought, {
    send: () => sought.client.getIpPolicyRule(sought, sought.deadline),
    isGone: (error) => isGone(error, sought),
  });

/** For a refresh, which may read one list for all rules. */
export const readRule = async (sought: SoughtRule): Promise<ServiceRule | undefined> =>
  (await accountRulesOf(sought.client).seen(sought)) ?? findRule(sought);

export interface WantedTexts {
  readonly wanted: RuleTexts;
  readonly onSentAgain?: (names: readonly RuleText[]) => void;
}

/** A service may clear texts that a PATCH does not name: these are sent again, and `onSentAgain` gets their names. */
export async function changeRule(
  rule: SoughtRule,
  change: RuleChange,
  { wanted, onSentAgain }: WantedTexts,
): Promise<ServiceRule | undefined> {
  const changed = await patchRule(rule, change);
  const texts = pickTexts((name) => wanted[name]);
  const names = Object.keys(texts) as RuleText[];
  if (changed === undefined || names.every((name) => changed[name] !== undefined)) return changed;
  // The caller compares: if they are not stored now, its update fails in part.
  onSentAgain?.(names);
  return patchRule(rule, { ...texts }).catch(() => changed);
}

const patchRule = (rule: SoughtRule, change: RuleChange): Promise<ServiceRule | undefined> =>
  unlessGone(rule, {
    send: () => rule.client.updateIpPolicyRule(rule, change, rule.deadline),
    isGone: (error) => isGone(error, rule),
  });

/** A rule that is already gone counts as deleted, and so does one that cannot be found after a lost answer. */
export async function removeRule(
  rule: SoughtRule & { readonly isStillDue?: IsStillDue | undefined },
): Promise<void> {
  const { client, deadline, id } = rule;
  for (const delayMs of [...YOUNG_DELAYS_MS, 0]) {
    if (await isDeleted(rule)) return;
    // The delete is not repeated blindly: the attempt with the lost answer may have succeeded, and a new one may be called off.
    const live = await findRule(rule).catch((error: unknown) => {
      throw isEdgePolicyError(error) && !isAmbiguous(error) ? unclearDelete(id, error) : error;
    });
    if (live === undefined) return;
    await client.clock.sleep(Math.min(delayMs, deadline.remainingMs()));
  }
  throw unclearDelete(id);
}

const unclearDelete = (id: string, unseen?: unknown): AnswerError =>
  new AnswerError({
    ...{ method: 'DELETE', path: `/ip_policy_rules/${id}`, status: 404 },
    problem: `the rule may still be live${unseen === undefined ? '' : `: ${messageForUser(unseen)}`}`,
  });

/** Returns false if the service does not know the rule, which proves nothing about a young one. */
async function isDeleted(rule: Parameters<typeof removeRule>[0]): Promise<boolean> {
  const { client, id, deadline, isStillDue, createdAtLatest } = rule;
  try {
    await client.deleteIpPolicyRule(id, deadline, isStillDue);
    return true;
  } catch (error) {
    if (isAnyNotFound(error)) {
      if (isYoung(client, createdAtLatest)) return false;
      if (await isGone(error, rule)) return true;
    }
    if (await isSeenToBeGone(error, () => findRule(rule))) return true;
    throw error;
  }
}

/**
 * Returns `undefined` if the object is gone. A replica may not have a young object yet, and one mistaken for gone is lost to
 * the state: the request is retried until the answer can be believed.
 */
async function unlessGone<T>(
  { client, deadline, createdAtLatest }: Sought,
  {
    send,
    isGone,
  }: {
    readonly send: () => Promise<T | undefined>;
    readonly isGone: (error: unknown) => Promise<boolean>;
  },
): Promise<T | undefined> {
  const delaysMs = [...YOUNG_DELAYS_MS];
  const isWorthAnotherLook = async (): Promise<boolean> => {
    const delayMs = isYoung(client, createdAtLatest) ? delaysMs.shift() : undefined;
    if (delayMs === undefined) return false;
    await client.clock.sleep(Math.min(delayMs, deadline.remainingMs()));
    return true;
  };
  for (;;) {
    try {
      const answer = await send();
      if (answer !== undefined || !(await isWorthAnotherLook())) return answer;
    } catch (error) {
      if (!isAnyNotFound(error)) throw error;
      if (await isWorthAnotherLook()) continue;
      if (await isGone(error)) return undefined;
      throw error;
    }
  }
}

/** Only a look-up shows this. Without one the outcome stays unknown. */
async function isSeenToBeGone(error: unknown, look: () => Promise<unknown>): Promise<boolean> {
  if (!isAmbiguous(error)) return false;
  try {
    return (await look()) === undefined;
  } catch {
    return false;
  }
}

const isAnyNotFound = (error: unknown): boolean => isNotFound(error) || isUnqualifiedNotFound(error);

/** A wrong base path also answers 404. A list without the id shows that the path is right, a second 404 that the rule is gone. */
async function isGone(error: unknown, rule: SoughtRule): Promise<boolean> {
  if (isNotFound(error)) return true;
  const { client, deadline } = rule;
  const rules = accountRulesOf(client);
  // A list may lag longer than a read, and the shared one may be from before another process deleted the rule.
  const isToBeRead = (await untilListed(rule)) || (await rules.whole(deadline)).has(rule.id);
  const isListed = isToBeRead && (await rules.anew(deadline)).has(rule.id);
  return !isListed && (await isUnknownAgain(rule));
}

async function isUnknownAgain(rule: SoughtRule): Promise<boolean> {
  try {
    await rule.client.getIpPolicyRule(rule, rule.deadline);
    return false;
  } catch (error) {
    if (isAnyNotFound(error)) return true;
    throw error;
  }
}

export const findModule = <Wire>(sought: SoughtModule<Wire>): Promise<Wire | undefined> =>
  unlessGone(sought, {
    send: () => sought.endpoint.get(sought.deadline),
    isGone: (error) => isModuleGone(error, sought),
  });

/** A module that is already gone counts as deleted, and so does one that cannot be found after a lost answer. */
export async function removeModule<Wire>(
  module: SoughtModule<Wire> & { readonly isStillDue?: IsStillDue | undefined },
): Promise<void> {
  const { endpoint, deadline, isStillDue } = module;
  try {
    await endpoint.delete(deadline, isStillDue);
  } catch (error) {
    if (isNotFound(error)) return;
    // A 404 that is not the service's own proves as little as a lost answer, and its error is as ambiguous.
    if (!(await isSeenToBeGone(error, () => findModule(module)))) throw error;
  }
}

/** An unqualified 404 means "none" only if the list endpoint answers under the same base path. */
async function isModuleGone(error: unknown, { client, deadline }: Sought): Promise<boolean> {
  if (isNotFound(error)) return true;
  if (!isUnqualifiedNotFound(error)) return false;
  const firstPage = await client.listIpPolicyRules(deadline)[Symbol.asyncIterator]().next();
  return firstPage.done !== true;
}
