import { type Held, ofUnknownAccounts, whyUnknown } from '../../resources/known-account';
import { moduleIdOf } from '../../resources/module-kind';
import { moduleKind } from '../../resources/modules';
import { isModuleType, typeOfToken } from '../../resources/provider-reference';
import { accountOf, type OpenAccount } from '../accounts';
import type { Operation, Verdict } from './judged-operation';

/**
 * The refusals to judge operations by what a key does not show, by account: it has shown that it knows none of the account's objects
 * in state or, if the state holds none, nothing near what the operations should have made.
 */
export async function unknownAccounts(
  operations: readonly Operation[],
  accounts: ReadonlyMap<string, OpenAccount>,
): Promise<ReadonlyMap<string, Verdict>> {
  const refusals = new Map<string, Verdict>();
  for (const [name, account] of accounts) {
    const own = operations.filter(({ resource }) => accountOf(resource) === name);
    if (own.length === 0) continue;
    const isInState = account.held.length > 0;
    const unknown = await ofUnknownAccounts(isInState ? account.held : own.flatMap(wantedBy), account);
    const why = isInState ? whyUnknown(unknown) : NOTHING_HELD;
    if (unknown.length > 0) refusals.set(name, { kind: 'refuse', why, candidates: [] });
  }
  return refusals;
}

const NOTHING_HELD =
  'the service shows nothing of its policy, edge or route, and the state holds no object that could show whether the key is of ' +
  'their account: if it is, this never happened, so forget it with --clear';

/** The object that an operation should have made. */
function wantedBy({ resource, inputs }: Operation): Held[] {
  const type = typeOfToken(resource.type);
  if (type === undefined) return [];
  return [
    { type, id: isModuleType(type) ? (moduleIdOf(moduleKind(type), inputs) ?? '') : '', state: inputs },
  ];
}
