// Before an object that the service does not show counts as gone, one question decides: does the service show this key anything of
// the same account? To a key of another account, it shows none of our objects.
import type { ApiClient } from '../api/client';
import { firstOf } from '../values/failure';
import { liveModule, noModule } from './module-kind';
import { moduleKind } from './modules';
import { isModuleType, type ResourceType } from './provider-reference';

export interface Held {
  readonly type: ResourceType;
  readonly id: string;
  readonly state: Marked;
}

export interface Marked {
  /** The mark of the key and address with which it was last written or read; see `settings/account.ts`. */
  readonly account?: string;
  readonly ipPolicyId?: string;
  readonly ruleIdList?: string;
}

export interface KeyInUse {
  readonly client: ApiClient;
  readonly mark: string;
}

/**
 * The objects whose account may not be that of the key. It is if they bear the mark of this key, or if the service shows this key
 * an object with their mark or another rule of its policy, as a policy belongs to one account.
 */
export async function ofUnknownAccounts(
  objects: readonly Held[],
  { client, mark }: KeyInUse,
): Promise<Held[]> {
  const foreign = objects.filter(({ state }) => state.account !== mark);
  const unknown: Held[] = [];
  for (const account of new Set(foreign.map(({ state }) => state.account))) {
    const alike = foreign.filter(({ state }) => state.account === account);
    if (!(await showsAny(alike, client))) unknown.push(...alike);
  }
  return unknown;
}

async function showsAny(objects: readonly Held[], client: ApiClient): Promise<boolean> {
  const ofRules = objects.filter(({ type }) => !isModuleType(type));
  if (ofRules.length > 0) {
    const ids = new Set(ofRules.flatMap(({ id, state }) => [id, ...(state.ruleIdList ?? '').split('\n')]));
    const policies = new Set(ofRules.map(({ state }) => state.ipPolicyId));
    const { accountRulesOf } =
      require('../presence/account-rules') as typeof import('../presence/account-rules');
    const rules = await accountRulesOf(client).whole(client.startOperation());
    if ([...rules.values()].some(({ id, ipPolicyId }) => ids.has(id) || policies.has(ipPolicyId)))
      return true;
  }
  for (const { type, id } of objects)
    if (isModuleType(type) && (await liveModule(moduleKind(type), client, id)) !== undefined) return true;
  return false;
}

const MOST_NAMED = 5;

export const named = (objects: readonly Pick<Held, 'id'>[]): string =>
  firstOf(
    objects.map(({ id }) => id),
    MOST_NAMED,
  );

/** Why objects that the service does not show do not count as gone, and what to do. */
export function whyUnknown(unknown: readonly Pick<Held, 'id'>[]): string {
  return (
    `The service does not show ${named(unknown)} to this key, and the state was written with another key or at another ` +
    `address, or does not record them. So they do not count as gone: the key may belong to another account. Set a key of the ` +
    `account that owns them or, if they are really gone, remove them from the state ("pulumi state delete"); see ` +
    `docs/rotate-keys.md in the package pulumi-edge-policy.`
  );
}

export const noObject = (type: ResourceType, id: string): string =>
  isModuleType(type) ? noModule(moduleKind(type), id) : `IP policy rule ${id} does not exist`;
