import {
  type Held,
  ofUnknownAccounts,
  whyUnknown,
} from 'pulumi-edge-policy/internal/resources/known-account';
import { moduleIdOf } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { isModuleType, typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import type { OpenAccount } from '../pulumi/accounts';
import type { Operation } from './interrupted-operations';

/**
 * Why operations cannot be judged by what a key does not show: it has shown that it knows none of the account's objects in state
 * or, if the state holds none, nothing near what the operations should have made.
 */
export async function accountProblem(
  operations: readonly Operation[],
  account: OpenAccount,
): Promise<string | undefined> {
  const isInState = account.held.length > 0;
  const unknown = await ofUnknownAccounts(isInState ? account.held : operations.flatMap(wantedBy), account);
  if (unknown.length === 0) return undefined;
  return isInState ? whyUnknown(unknown) : NOTHING_HELD;
}

const NOTHING_HELD =
  'the service shows nothing of its policy, edge or route, and the state holds no object that could show whether the key belongs ' +
  'to their account: if it does, this never happened, so forget it with --clear';

/** The object that an operation should have made. */
function wantedBy({ resource, inputs }: Operation): Held[] {
  const type = typeOfToken(resource.type);
  if (type === undefined) return [];
  return [
    { type, id: isModuleType(type) ? (moduleIdOf(moduleKind(type), inputs) ?? '') : '', state: inputs },
  ];
}
