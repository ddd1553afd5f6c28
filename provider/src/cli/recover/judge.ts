// What for: `edge-policy recover`: finds out what became of interrupted operations, and repairs the state accordingly.
// Must not know: how to change the service: it only reads there, and writes the state alone.
import { UserError } from '../../errors/user-error';
import { isModuleType, typeOfToken } from '../../resources/provider-reference';
import { isOfRules, isOwn, managedIds, shortType } from '../pulumi/managed';
import { serviceNowMs } from '../../run/service-times';
import { readRules } from '../with-client';
import { accountOf, type OpenAccount } from '../accounts';
import { RuleList } from './evidence';
import type { Interrupted } from './interrupted';
import { judgeModuleCreate } from './judge-module';
import { judgeRules } from './judge-rules';
import { settleNames } from './settle-names';
import { unknownAccounts } from './unknown-account';
import type { JudgedOperation, Operation, Verdict } from './judged-operation';

/** The operator's decisions. */
export interface Decisions {
  /** Ids of rules and modules to bring into the stack although their owner is not certain. */
  readonly take: readonly string[];
  /** References of interrupted operations to forget, whatever the service holds. */
  readonly clear: readonly string[];
}

const FOREIGN = 'it belongs to another package: find out its outcome, then forget the operation with --clear';

/**
 * Finds out what became of every interrupted operation; changes nothing.
 *
 * @throws UserError if a decision of the operator matches nothing, as it was meant for something.
 */
export async function judgeAll(
  interrupted: Interrupted,
  accounts: ReadonlyMap<string, OpenAccount>,
  decisions: Decisions,
): Promise<JudgedOperation[]> {
  requireFittingClear(interrupted.operations, decisions.clear);
  const judge = new Judge(interrupted, accounts, decisions);
  const verdicts = await judge.verdicts();
  const judged = [...verdicts].map(([operation, verdict]) => ({ operation, verdict }));
  const settled = settleNames(judged, interrupted.deployment);
  // A create that a preview still plans, and of which the service shows nothing, needs no settling.
  return interrupted.source === 'pending'
    ? settled
    : settled.filter(({ verdict }) => mayHaveHappened(verdict));
}

const mayHaveHappened = (verdict: Verdict): boolean =>
  verdict.kind === 'take' ||
  verdict.kind === 'refuse' ||
  (verdict.kind === 'clear' && verdict.candidates !== undefined) ||
  (verdict.kind === 'refresh' && verdict.outputs !== undefined);

class Judge {
  private readonly managed: ReadonlyMap<string, string>;

  constructor(
    private readonly interrupted: Interrupted,
    private readonly accounts: ReadonlyMap<string, OpenAccount>,
    private readonly decisions: Decisions,
  ) {
    this.managed = managedIds(interrupted.deployment);
  }

  /** One verdict per operation, in their order. */
  async verdicts(): Promise<Map<Operation, Verdict>> {
    const verdicts = new Map<Operation, Verdict>();
    for (const operation of this.interrupted.operations) {
      const verdict = this.verdictWithoutTheService(operation);
      if (verdict !== undefined) verdicts.set(operation, verdict);
    }
    const asked = this.interrupted.operations.filter((operation) =>
      [undefined, 'refresh'].includes(verdicts.get(operation)?.kind),
    );
    const refusals = await unknownAccounts(asked, this.accounts);
    for (const operation of asked) {
      const refusal = refusals.get(accountOf(operation.resource));
      if (refusal !== undefined) verdicts.set(operation, refusal);
    }
    const open = asked.filter((operation) => !verdicts.has(operation));
    const ofRules = open.filter(({ resource }) => isOfRules(resource));
    // Once the state is written, resources that have to be read again are no longer pending. So if the service is down, this must
    // fail now.
    const toReadAgain = [...verdicts].flatMap(([operation, { kind }]) =>
      kind === 'refresh' ? [operation] : [],
    );
    const lists = await this.readLists([...ofRules, ...toReadAgain]);
    const { verdicts: onRules, usedTakeIds } = judgeRules(ofRules, {
      deployment: this.interrupted.deployment,
      listOf: (operation) => present(lists.get(accountOf(operation.resource))),
      evidence: {
        managedIds: this.managed,
        window: this.interrupted.window,
        isRecorded: this.interrupted.source === 'pending',
        takeIds: this.decisions.take,
      },
    });
    const onModules = await this.verdictsOnModules(open.filter(({ resource }) => !isOfRules(resource)));
    requireFittingTake(this.decisions.take, new Set([...usedTakeIds, ...takenAsTold(onModules)]));
    const all = new Map([...verdicts, ...onRules, ...onModules]);
    return new Map(
      this.interrupted.operations.map((operation) => [
        operation,
        this.marked(operation, present(all.get(operation))),
      ]),
    );
  }

  /** What is brought in was seen with this key. */
  private marked({ resource }: Operation, verdict: Verdict): Verdict {
    if (verdict.kind !== 'take') return verdict;
    const { mark } = present(this.accounts.get(accountOf(resource)));
    return { ...verdict, outputs: { ...verdict.outputs, account: mark } };
  }

  private verdictWithoutTheService(operation: Operation): Verdict | undefined {
    const { type, reference, resource } = operation;
    if (this.decisions.clear.includes(reference)) return { kind: 'clear', why: 'cleared as you asked' };
    if (!isOwn(resource)) return { kind: 'refuse', why: FOREIGN, candidates: [] };
    if (type === 'updating' && shortType(resource.type) === 'IpPolicyRuleSet') return undefined;
    if (type === 'updating' || type === 'deleting')
      return { kind: 'refresh', why: 'read again from the service' };
    return type === 'creating' ? undefined : { kind: 'clear', why: 'changes nothing on the service' };
  }

  private async readLists(operations: readonly Operation[]): Promise<Map<string, RuleList>> {
    const lists = new Map<string, RuleList>();
    for (const name of new Set(operations.map(({ resource }) => accountOf(resource)))) {
      const { client } = present(this.accounts.get(name));
      const rules = await readRules(client);
      lists.set(name, new RuleList(rules, serviceNowMs(client) - client.clock.epochMs()));
    }
    return lists;
  }

  /** Of two creates of one module the later one gets it, as that is the one that the program wants. */
  private async verdictsOnModules(operations: readonly Operation[]): Promise<Map<Operation, Verdict>> {
    const verdicts = new Map<Operation, Verdict>();
    const takenIds = new Set(this.managed.keys());
    for (const operation of [...operations].reverse()) {
      const verdict = await this.verdictOnModule(operation, takenIds);
      verdicts.set(operation, verdict);
      if (verdict.kind === 'take') for (const key of verdict.live) takenIds.add(key);
    }
    return verdicts;
  }

  private async verdictOnModule(operation: Operation, takenIds: ReadonlySet<string>): Promise<Verdict> {
    const evidence = {
      client: present(this.accounts.get(accountOf(operation.resource))).client,
      takenIds,
      isRecorded: this.interrupted.source === 'pending',
      takeIds: this.decisions.take,
    };
    const type = typeOfToken(operation.resource.type);
    return type !== undefined && isModuleType(type)
      ? judgeModuleCreate(type, operation, evidence)
      : { kind: 'refuse', why: 'this version does not know the type of the resource', candidates: [] };
  }
}

const takenAsTold = (verdicts: ReadonlyMap<Operation, Verdict>): string[] =>
  [...verdicts.values()].flatMap((it) => (it.kind === 'take' && it.isToldSo === true ? [it.id] : []));

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('an operation without an account or a verdict');
  return value;
}

function requireFittingClear(operations: readonly Operation[], clear: readonly string[]): void {
  const references = new Set(operations.map(({ reference }) => reference));
  const wrong = clear.filter((reference) => !references.has(reference));
  if (wrong.length === 0) return;
  const known = [...references].map((reference) => `  ${reference}\n`);
  throw new UserError(
    `--clear matches no interrupted operation: ${wrong.join(', ')}. There ${known.length === 0 ? 'are none' : `are\n${known.join('')}`}` +
      `Nothing was changed.`,
  );
}

function requireFittingTake(take: readonly string[], used: ReadonlySet<string>): void {
  const wrong = take.filter((id) => !used.has(id));
  if (wrong.length === 0) return;
  throw new UserError(
    `--take matches no interrupted operation: ${wrong.join(', ')}. It takes a rule that no resource manages, for the policy ` +
      `and network of a create that was interrupted, or a module that is as declared. Nothing was changed.`,
  );
}
