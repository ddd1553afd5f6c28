import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { noModule } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { liveKey } from 'pulumi-edge-policy/internal/resources/provider-reference';
import type { LiveObjects } from '../adopt/adoption';
import { planAdoption } from '../adopt/plan-adoption';
import type { Location } from '../command/arguments';
import type { CliContext, ExitCode } from '../command/context';
import { requireKnown } from '../pulumi/accounts';
import { readModules, readRules, withClient } from '../pulumi/live-objects';
import { requireFree } from './adopted-files';
import { carryOut, exitCodeOf } from './carry-out';
import { describeOutcome, describePlan, outcomeAsJson } from './describe';
import { type ImportOptions, modulesAskedFor } from './options';
import { prepare } from './prepare-import';
import { sharedProgramWarning } from './shared-program';

/** Reads, plans, writes and, with `--run`, imports; changes nothing on the service. */
export async function runImport(
  options: ImportOptions,
  where: Location,
  context: CliContext,
): Promise<ExitCode> {
  const run = await prepare(options, where, context);
  return withClient(context, run.account.settings, async (client) => {
    await requireKnown({ ...run.account, client });
    const live = await readWanted(client, options);
    const plan = planAdoption(live, run.there, options.as);
    if (plan.adoptions.length > 0) requireFree(run);
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
  const rules = all === true || policy !== undefined ? await readRules(client, filter) : [];
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
