// How a create is decided is said in `match-creates.ts`, and what it is compared with in `expected-objects.ts`.
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { accountOf, type OpenAccount } from '../pulumi/accounts';
import { type Deployment, isOwn } from '../pulumi/deployment';
import { type ExpectedObject, expectedObjects, isSet } from './expected-objects';
import { matchCreates } from './match-creates';
import { entryOf, type Interrupted, isInState, type Operation } from './interrupted-operations';
import { type OperationVerdict, type RecoveryVerdict, verdictOn } from './recovery-verdict';
import {
  type Held,
  ofUnknownAccounts,
  whyUnknown,
} from 'pulumi-edge-policy/internal/resources/known-account';
import { moduleIdOf } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { isModuleType, typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';

export interface Decisions {
  /** Ids of rules and modules to bring into the stack although their owner is not certain. */
  readonly take: readonly string[];
  /** The URNs of resources whose interrupted operations are forgotten, whatever the service holds. */
  readonly clear: readonly string[];
}

/** Finds out what became of every interrupted operation; changes nothing. @throws UserError if a decision matches none. */
export async function findVerdicts(
  interrupted: Interrupted,
  accounts: ReadonlyMap<string, OpenAccount>,
  { take, clear }: Decisions,
): Promise<OperationVerdict[]> {
  const { operations, deployment } = interrupted;
  const urns = operations.map(({ resource }) => resource.urn);
  const there = urns.length === 0 ? 'There are none.' : `There are\n  ${urns.join('\n  ')}\n`;
  requireFitting('--clear', clear, urns, there);
  const verdicts = new Map<Operation, RecoveryVerdict>();
  for (const operation of operations) {
    const verdict = verdictWithoutTheService(operation, clear);
    if (verdict !== undefined) verdicts.set(operation, verdict);
  }
  const expected: ExpectedObject[] = [];
  for (const [name, account] of accounts) {
    const ofAccount = operations.filter(
      (one) => accountOf(one.resource) === name && [undefined, 'refresh'].includes(verdicts.get(one)?.kind),
    );
    if (ofAccount.length === 0) continue;
    const problem = await accountProblem(ofAccount, account);
    if (problem !== undefined)
      for (const one of ofAccount) verdicts.set(one, { kind: 'refuse', why: problem, candidates: [] });
    const open = ofAccount.filter((one) => !verdicts.has(one));
    expected.push(...(await expectedObjects(open, account.client, interrupted)));
  }
  const outcomes = matchCreates(expected, take);
  const taken = [...outcomes.values()].flatMap((it) =>
    it.kind === 'found' && it.isToldSo ? [it.candidate.id] : [],
  );
  requireFitting('--take', take, taken, TAKES);
  const decided = operations.map((operation): OperationVerdict => {
    const created = expected.flatMap((one) => (one.operation === operation ? (outcomes.get(one) ?? []) : []));
    const verdict = verdicts.get(operation) ?? verdictOn(operation, created, entryOf(operation, deployment));
    return { operation, verdict: withMark(verdict, accounts.get(accountOf(operation.resource))) };
  });
  return withEachNameOnce(decided, deployment);
}

const TAKES = 'It takes a rule or module that no resource manages, as the result of an interrupted create.';

const FOREIGN = 'it belongs to another package: find out its outcome, then forget the operation with --clear';

function verdictWithoutTheService(
  { type, resource }: Operation,
  clear: Decisions['clear'],
): RecoveryVerdict | undefined {
  if (clear.includes(resource.urn)) return { kind: 'clear', why: 'cleared as you asked' };
  if (!isOwn(resource)) return { kind: 'refuse', why: FOREIGN, candidates: [] };
  if (type === 'creating' || (type === 'updating' && isSet({ resource }))) return undefined;
  return type === 'updating' || type === 'deleting'
    ? { kind: 'refresh', why: 'read again from the service' }
    : { kind: 'clear', why: 'changes nothing on the service' };
}

/** What is brought in was seen with this key. */
const withMark = (verdict: RecoveryVerdict, account: OpenAccount | undefined): RecoveryVerdict =>
  verdict.kind === 'take' ? { ...verdict, outputs: { ...verdict.outputs, account: account?.mark } } : verdict;

/** A name in the state belongs to one object: of duplicates, only the operator may say which one that is. */
function withEachNameOnce(decided: readonly OperationVerdict[], deployment: Deployment): OperationVerdict[] {
  const taken = decided.flatMap(({ operation, verdict }) =>
    verdict.kind === 'take' ? [operation.resource.urn] : [],
  );
  return decided.map(({ operation, verdict }) => {
    if (verdict.kind !== 'take') return { operation, verdict };
    const { urn } = operation.resource;
    const isTwice = taken.filter((other) => other === urn).length > 1;
    if (!isTwice && !isInState(operation, deployment)) return { operation, verdict };
    const why = isTwice
      ? 'several creates of this resource happened: the objects are duplicates, so delete all but one of them on the service'
      : 'the state already holds this resource, and the service has an object from an earlier create: a duplicate?';
    return { operation, verdict: { kind: 'refuse', why, candidates: verdict.found } };
  });
}

function requireFitting(
  option: string,
  given: readonly string[],
  known: readonly string[],
  there: string,
): void {
  const wrong = given.filter((each) => !known.includes(each));
  if (wrong.length === 0) return;
  throw new UserError(
    `${option} matches no interrupted operation: ${wrong.join(', ')}. ${there} Nothing was changed.`,
  );
}

/** Why silence decides nothing: the key shows no object of the state or, if that holds none, nothing near what was to be made. */
async function accountProblem(
  operations: readonly Operation[],
  account: OpenAccount,
): Promise<string | undefined> {
  const isInState = account.objects.length > 0;
  const unknown = await ofUnknownAccounts(
    isInState ? account.objects : operations.flatMap(wantedBy),
    account,
  );
  if (unknown.length === 0) return undefined;
  return isInState ? whyUnknown(unknown) : NOTHING_HELD;
}

const NOTHING_HELD =
  'the service shows nothing of its policy, edge or route, and the state holds no object that could show whether the key belongs ' +
  'to their account: if it does, this never happened, so forget it with --clear';

function wantedBy({ resource, inputs }: Operation): Held[] {
  const type = typeOfToken(resource.type);
  if (type === undefined) return [];
  return [
    { type, id: isModuleType(type) ? (moduleIdOf(moduleKind(type), inputs) ?? '') : '', state: inputs },
  ];
}
