import path from 'node:path';
import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { noModule } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { firstOf } from 'pulumi-edge-policy/internal/values/failure';
import { liveKey } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { stillLive } from 'pulumi-edge-policy/internal/presence/live-rules';
import type { LiveObjects } from '../adopt/adoption';
import { type AdoptionPlan, planAdoption } from '../adopt/plan-adoption';
import type { Location } from '../command/arguments';
import { type CliContext, EXIT, type ExitCode } from '../command/context';
import { requireKnown } from '../pulumi/accounts';
import { managersOf } from '../pulumi/managed';
import { readModules, readRules, withClient } from '../pulumi/live-objects';
import { interruptedImport, requireUnwritten } from './adopted-files';
import { bringIn, carryOut, exitCodeOf } from './carry-out';
import { describeOutcome, describePlan, outcomeAsJson } from './describe';
import { type ImportOptions, modulesAskedFor } from './options';
import type { Stack } from '../pulumi/stack';
import { prepare } from './prepare-import';
import { sharedProgramWarning } from './shared-program';

/** Reads, plans, writes and, with `--run`, imports; changes nothing on the service. */
export async function runImport(
  options: ImportOptions,
  where: Location,
  context: CliContext,
  /** Whether an import that ended midway has just been finished. */
  isFinishing = false,
): Promise<ExitCode> {
  const run = await prepare(options, where, context);
  return withClient(context, run.account.settings, async (client) => {
    await requireKnown({ ...run.account, client });
    const live = await readWanted(client, options);
    const plan = planAdoption(live, run.there, options.as);
    const interrupted = interruptedImport(plan.adoptions, run);
    if (interrupted !== undefined && run.stack !== undefined && !isFinishing) {
      const file = path.relative(where.cwd, interrupted);
      context.note(`An earlier import ended midway: importing what is missing of ${file}.\n`);
      const problem = await bringIn(interrupted, { ...run, stack: run.stack });
      if (problem === undefined) return runImport(options, where, context, true);
      context.note(`${problem}\nOnce the cause is fixed, run the command again.\n`);
      return EXIT.attention;
    }
    requireUnwritten(plan.adoptions, run);
    if (run.stack !== undefined) await requireUnmanaged(run.stack, plan);
    if (!options.json) context.print(describePlan(plan));
    context.note(await sharedProgramWarning(run, plan.adoptions));
    const outcome = await carryOut(run, plan);
    context.print(options.json ? outcomeAsJson(outcome) : describeOutcome(outcome));
    return exitCodeOf(outcome);
  });
}

/** Reads what the options ask for. @throws UserError if a policy has no rule, or an edge or route no module. */
async function readWanted(client: ApiClient, options: ImportOptions): Promise<LiveObjects> {
  const { all, policy, cidr } = options;
  const filter = {
    ...(policy && { policyIds: policy }),
    ...(cidr && { cidrs: cidr.map(({ text }) => text) }),
  };
  const listed = all === true || policy !== undefined ? await readRules(client, filter) : [];
  const rules = await stillLive(listed, { client, deadline: client.startBulkWork() });
  const places = modulesAskedFor(options);
  const modules = await readModules(client, places);
  const policies = new Set(rules.map(({ ipPolicyId }) => ipPolicyId));
  const missing = [
    ...(policy ?? []).filter((id) => !policies.has(id)).map(noRuleOf),
    ...places
      .filter(({ type, subject }) => !modules.has(liveKey(type, subject)))
      .map(({ type, subject }) => noModule(moduleKind(type), subject)),
  ];
  if (missing.length > 0)
    throw new UserError(`${missing.join('\n')}\nCheck the ids; nothing was written or imported.`);
  return { rules, modules };
}

const noRuleOf = (policyId: string): string =>
  `the list shows no rule of IP policy ${policyId} to adopt (a policy without rules does not appear in it)`;

const MOST_NAMED = 10;

/** The state is read again just before the import: another run may have brought an object in meanwhile. */
async function requireUnmanaged(stack: Stack, { adoptions }: AdoptionPlan): Promise<void> {
  const managed = managersOf(await stack.deployment());
  const taken = adoptions.flatMap(({ liveIds }) => liveIds).filter((id) => managed.has(id));
  if (taken.length === 0) return;
  throw new UserError(
    `The stack has changed since it was read: it now also manages ${firstOf(taken, MOST_NAMED)}. Nothing was written ` +
      `or imported. Run the command again.`,
  );
}
