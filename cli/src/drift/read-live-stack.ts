import { COMMAND_LINE, importByCommandLine } from 'pulumi-edge-policy/internal/errors/words';
import { isEdgePolicyError } from 'pulumi-edge-policy/internal/api/errors';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { CliContext } from '../command/context';
import {
  type Deployment,
  nameOfUrn,
  type StateResource,
  withoutEnvelopes,
  isManaged,
  isOfRules,
  isOwn,
  managersOf,
} from '../pulumi/deployment';
import {
  accountOf,
  type AccountSources,
  accountsOf,
  type OpenAccount,
  whyNotKnown,
  withClients,
} from '../pulumi/accounts';
import { typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { registry } from 'pulumi-edge-policy/internal/resources/registry';
import { parseIdList } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { accountRulesOf } from 'pulumi-edge-policy/internal/presence/account-rules';
import { RunRecord, type RunContext } from 'pulumi-edge-policy/internal/run/run-record';

/** It cannot be decided whether there is drift; the message says why, and what to do. */
export class NotDecidable extends Error {
  override readonly name = 'NotDecidable';
}

export interface ReadResource {
  readonly resource: StateResource;
  /** Its form in state, secrets in clear: for comparison, never shown. */
  readonly known: Readonly<Record<string, unknown>>;
  /** Its live form; absent if it is gone. */
  readonly live?: Readonly<Record<string, unknown>>;
}

export interface LiveStack {
  readonly resources: readonly ReadResource[];
  /** The rules in its policies that none of the stacks manages. */
  readonly unmanaged: readonly ServiceRule[];
}

/** @throws NotDecidable if state does not say what the last run left behind. */
export function requireSettled({ resources, pendingOperations }: Deployment): void {
  if (pendingOperations.length > 0)
    throw new NotDecidable(`An operation of an interrupted run is pending: run "${COMMAND_LINE} recover".`);
  const open = resources.filter((resource) => isOwn(resource) && isUnsettled(resource));
  if (open.length === 0) return;
  const names = open.map(({ urn }) => nameOfUrn(urn)).join(', ');
  throw new NotDecidable(`The last run did not settle ${names}: run "pulumi up", which finishes it.`);
}

const isUnsettled = ({ delete: isDoomed, pendingReplacement, outputs = {} }: StateResource): boolean =>
  isDoomed === true || pendingReplacement === true || outputs['unsettledSince'] !== undefined;

export interface Reading extends AccountSources {
  readonly deployment: Deployment;
  /** The states of other stacks that manage rules of the same policies. */
  readonly others: readonly Deployment[];
}

/** Reads every resource of the state as a refresh does, and the other rules of its policies. @throws NotDecidable or UserError. */
export async function readLiveStack({ deployment, reading, context, others }: Reading): Promise<LiveStack> {
  const declared = deployment.resources.filter(isManaged);
  const accounts = accountsOf(declared, { deployment, reading, context });
  const managed = new Set([deployment, ...others].flatMap((each) => [...managersOf(each).keys()]));
  try {
    return await withClients(context, accounts, async (open) => {
      const resources: ReadResource[] = [];
      const unmanaged = new Map<string, ServiceRule>();
      for (const [name, account] of open) {
        const ofAccount = declared.filter((resource) => accountOf(resource) === name);
        const read = await readAccount(account, ofAccount, context);
        resources.push(...read.resources);
        for (const rule of read.rules) if (!managed.has(rule.id)) unmanaged.set(rule.id, rule);
      }
      // A foreign rule that an exclusive set finds in its policy is a line of the set.
      const shown = new Set(resources.flatMap(({ live }) => parseIdList(live?.['ruleIdList'])));
      return { resources, unmanaged: [...unmanaged.values()].filter(({ id }) => !shown.has(id)) };
    });
  } catch (error) {
    if (!isEdgePolicyError(error)) throw error;
    throw new NotDecidable((error as Error).message);
  }
}

async function readAccount(account: OpenAccount, declared: readonly StateResource[], context: CliContext) {
  const { client } = account;
  const problem = await whyNotKnown(account);
  if (problem !== undefined) throw new NotDecidable(problem);
  const warn = (line: string): void => {
    context.note(`${line}\n`);
  };
  const record = new RunRecord(undefined, context.clock.epochMs());
  const run = { client, record, warn, importDeclared: importByCommandLine, account: ACCOUNT };
  const resources = await Promise.all(declared.map((resource) => readResource(resource, run)));
  const policies = new Set(
    resources.flatMap(({ resource, known }) => (isOfRules(resource) ? [String(known['ipPolicyId'])] : [])),
  );
  if (policies.size === 0) return { resources, rules: [] };
  const rules = await accountRulesOf(client).whole(client.startBulkWork());
  return { resources, rules: rules.ofPolicies([...policies]) };
}

/** The key has been tried for all resources of the account together, so none has to prove its account alone. */
const ACCOUNT = {
  ...{ mark: '', shownAddress: undefined, isKnown: true },
  ...{ isElsewhere: () => false, wrongSettings: [] },
};

async function readResource(resource: StateResource, run: RunContext): Promise<ReadResource> {
  const type = typeOfToken(resource.type);
  const known = withoutEnvelopes(resource.outputs ?? {}) as Record<string, unknown>;
  if (type === undefined || resource.id === undefined)
    throw new UserError(`The state has no id of ${nameOfUrn(resource.urn)}.`);
  const observed = await registry[type]
    .lifecycle(() => run)
    .read(resource.id, { ...known, account: ACCOUNT.mark });
  return observed
    ? { resource, known, live: observed.state as Record<string, unknown> }
    : { resource, known };
}
