import type { ApiClient } from '../api/client';
import type { Deadline } from '../api/deadline';
import { isNotFound, isUnqualifiedNotFound } from '../api/errors';
import type { IpPolicyRuleWire } from '../api/wire';
import { lookWhileYoung } from './young-rule';

/**
 * Reads a rule; `undefined` means that the service says it is gone. A 404 that is not the service's own (an HTML page,
 * an empty body: a wrong base path looks like that) asks the list: only a valid list without the id means gone.
 */
export async function findRule(
  client: ApiClient,
  id: string,
  deadline: Deadline,
): Promise<IpPolicyRuleWire | undefined> {
  try {
    return await client.getIpPolicyRule(id, deadline);
  } catch (error) {
    if (await isRuleGone(error, { client, id, deadline })) return undefined;
    throw error;
  }
}

/** Deletes a rule; one that is already gone counts as deleted. */
export async function removeRule(rule: {
  readonly client: ApiClient;
  readonly id: string;
  readonly createdAt: string | undefined;
  readonly deadline: Deadline;
}): Promise<void> {
  const { client, id, deadline } = rule;
  try {
    await client.deleteIpPolicyRule(id, deadline);
  } catch (error) {
    if (!(await isRuleGone(error, rule))) throw error;
    const shown = await lookWhileYoung(rule, () => findRule(client, id, deadline));
    if (shown !== undefined) await client.deleteIpPolicyRule(id, deadline);
  }
}

/** Whether an error of a request about a rule says that the rule is gone. */
export async function isRuleGone(
  error: unknown,
  rule: { client: ApiClient; id: string; deadline: Deadline },
): Promise<boolean> {
  if (isNotFound(error)) return true;
  if (!isUnqualifiedNotFound(error)) return false;
  for await (const page of rule.client.listIpPolicyRules(rule.deadline)) {
    if (page.ip_policy_rules.some(({ id }) => id === rule.id)) return false;
  }
  return true;
}

/** The requests about one module, whichever it is. */
export interface ModuleEndpoint<Wire> {
  get(deadline: Deadline): Promise<Wire | undefined>;
  replace(body: Wire, deadline: Deadline): Promise<Wire>;
  delete(deadline: Deadline): Promise<void>;
}

/** Reads a module; `undefined` means that there is none. */
export async function findModule<Wire>(
  client: ApiClient,
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

/**
 * Deletes a module; one that is already gone counts as deleted. A 404 that is not the service's own is no proof: the module
 * must then not be readable either.
 */
export async function removeModule<Wire>(
  client: ApiClient,
  endpoint: ModuleEndpoint<Wire>,
  deadline: Deadline,
): Promise<void> {
  try {
    await endpoint.delete(deadline);
  } catch (error) {
    if (isNotFound(error)) return;
    if (!isUnqualifiedNotFound(error)) throw error;
    if ((await findModule(client, endpoint, deadline)) !== undefined) throw error;
  }
}

/** An unqualified 404 means "none" only where the list endpoint answers under the same base path. */
async function isModuleGone(error: unknown, client: ApiClient, deadline: Deadline): Promise<boolean> {
  if (isNotFound(error)) return true;
  if (!isUnqualifiedNotFound(error)) return false;
  const firstPage = await client.listIpPolicyRules(deadline)[Symbol.asyncIterator]().next();
  return firstPage.done !== true;
}
