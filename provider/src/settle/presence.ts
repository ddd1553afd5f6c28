import type { Deadline } from '../api/deadline';
import { isAmbiguous, isNotFound, isUnqualifiedNotFound } from '../api/errors';
import type { RequestBody } from '../fields/bodies';
import type { ServiceRule } from '../rule/rule';
import type { RuleClient } from './ledger';
import { isYoung, untilListed, YOUNG_RULE_DELAYS_MS } from './service-times';

/** A rule that may be gone. */
export interface SoughtRule {
  readonly client: RuleClient;
  readonly id: string;
  readonly deadline: Deadline;
  /** When it was created, or at the latest can have been (RFC 3339); without it the first answer counts. */
  readonly createdAt?: string | undefined;
}

/** Whether an object is still to be deleted: asked before each attempt, as another resource may have come to stand for it. */
export type IsLeaving = () => boolean;

/**
 * Reads a rule; `undefined` means that the service says it is gone. A 404 that is not the service's own (an HTML page,
 * an empty body: a wrong base path looks like that) asks the list: only a valid list without the id means gone.
 */
export async function findRule(sought: SoughtRule): Promise<ServiceRule | undefined> {
  try {
    return await sought.client.getIpPolicyRule(sought.id, sought.deadline);
  } catch (error) {
    if (await isRuleGone(error, sought)) return undefined;
    throw error;
  }
}

/** Deletes a rule; one that is already gone counts as deleted, and so does one that cannot be found after a lost answer. */
export async function removeRule(
  rule: SoughtRule & { readonly isLeaving?: IsLeaving | undefined },
): Promise<void> {
  if ((await wasThere(rule)) || !isYoung(rule.client, rule.createdAt)) return;
  const shown = await lookWhileYoung(rule, () => findRule(rule));
  if (shown !== undefined) await wasThere(rule);
}

/** Sends one delete; false where the service says that there is nothing to delete. */
async function wasThere(rule: Parameters<typeof removeRule>[0]): Promise<boolean> {
  try {
    await rule.client.deleteIpPolicyRule(rule.id, rule.deadline, rule.isLeaving);
    return true;
  } catch (error) {
    if (await isRuleGone(error, rule)) return false;
    if (await isSeenToBeGone(error, () => findRule(rule))) return true;
    throw error;
  }
}

/** Whether a delete whose answer was lost has done its work: only a look tells, and where there is none, nothing does. */
async function isSeenToBeGone(error: unknown, look: () => Promise<unknown>): Promise<boolean> {
  if (!isAmbiguous(error)) return false;
  try {
    return (await look()) === undefined;
  } catch {
    return false;
  }
}

/** Whether an error of a request about a rule says that the rule is gone. */
export async function isRuleGone(error: unknown, rule: SoughtRule): Promise<boolean> {
  if (isNotFound(error)) return true;
  if (!isUnqualifiedNotFound(error)) return false;
  // Of a young rule a list proves nothing yet.
  await untilListed(rule);
  for await (const page of rule.client.listIpPolicyRules(rule.deadline)) {
    if (page.rules.some(({ id }) => id === rule.id)) return false;
  }
  return true;
}

/** The requests about one module, whichever it is. */
export interface ModuleEndpoint<Wire> {
  get(deadline: Deadline): Promise<Wire | undefined>;
  replace(body: RequestBody, deadline: Deadline): Promise<Wire>;
  delete(deadline: Deadline, isLeaving?: IsLeaving): Promise<void>;
}

/** Reads a module; `undefined` means that there is none. */
export async function findModule<Wire>(
  client: RuleClient,
  endpoint: ModuleEndpoint<Wire>,
  deadline: Deadline,
): Promise<Wire | undefined> {
  try {
    return await endpoint.get(deadline);
  } catch (error) {
    if (await isModuleGone(error, client, deadline)) return undefined;
    throw error;
  }
}

/** Deletes a module; one that is already gone counts as deleted, and so does one that cannot be found after a lost answer. */
export async function removeModule<Wire>({
  client,
  endpoint,
  deadline,
  isLeaving,
}: {
  readonly client: RuleClient;
  readonly endpoint: ModuleEndpoint<Wire>;
  readonly deadline: Deadline;
  readonly isLeaving?: IsLeaving | undefined;
}): Promise<void> {
  try {
    await endpoint.delete(deadline, isLeaving);
  } catch (error) {
    if (isNotFound(error)) return;
    // A 404 that is not the service's own is no proof either, but as unclear as no answer.
    if (!(await isSeenToBeGone(error, () => findModule(client, endpoint, deadline)))) throw error;
  }
}

/** An unqualified 404 means "none" only where the list endpoint answers under the same base path. */
async function isModuleGone(error: unknown, client: RuleClient, deadline: Deadline): Promise<boolean> {
  if (isNotFound(error)) return true;
  if (!isUnqualifiedNotFound(error)) return false;
  const firstPage = await client.listIpPolicyRules(deadline)[Symbol.asyncIterator]().next();
  return firstPage.done !== true;
}

interface PerhapsYoung {
  readonly client: Pick<RuleClient, 'clock' | 'serverTimeOffsetMs'>;
  /** RFC 3339; without it the first answer counts. */
  readonly createdAt?: string | undefined;
}

/**
 * Looks for a rule; where it is not found although it was created only just now, looks again until it is old enough to be
 * believed gone. A service that reads from a copy may not know it yet, and a rule taken for gone is an orphan.
 */
export async function lookWhileYoung<T>(
  young: PerhapsYoung & { readonly deadline: Deadline },
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { client, deadline } = young;
  let found = await look();
  for (const delayMs of YOUNG_RULE_DELAYS_MS) {
    if (found !== undefined || !isYoung(client, young.createdAt)) return found;
    await client.clock.sleep(Math.min(delayMs, deadline.remainingMs()));
    found = await look();
  }
  return found;
}
