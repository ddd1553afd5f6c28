import path from 'node:path';
import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { UserError, isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { noModule } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { firstOf } from 'pulumi-edge-policy/internal/values/failure';
import { liveKey } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { stillLive } from 'pulumi-edge-policy/internal/presence/live-rules';
import type { LiveObjects, Adoption } from '../adopt/adoption';
import { type AdoptionPlan, planAdoption } from '../adopt/plan-adoption';
import type { Location } from '../command/arguments';
import { type CliContext, EXIT, type ExitCode } from '../command/context';
import { requireKnown } from '../pulumi/accounts';
import { managersOf } from '../pulumi/deployment';
import { readModules, readRules, withClient } from '../pulumi/live-objects';
import { interruptedImport, requireUnwritten, undeclaredModules } from './adopted-files';
import { describeOutcome, describePlan, outcomeAsJson } from './describe';
import { type ImportOptions, modulesAskedFor } from './options';
import type { Stack } from '../pulumi/stack';
import { prepare, importCommandLine, type ImportOutcome, type ImportRun } from './prepare-import';
import { generateImportFile, generateProgram } from '../adopt/generate';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { InterruptedError, PulumiCli, shortName } from '../pulumi/pulumi-cli';
import { writeNew } from '../command/write-file';
import { safeText } from '../command/text';

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
      const problem = await bringIn(interrupted, run.stack, context);
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
    ...(policy ?? [])
      .filter((id) => !policies.has(id))
      .map(
        (id) =>
          `the list shows no rule of IP policy ${id} to adopt (a policy without rules does not appear in it)`,
      ),
    ...places
      .filter(({ type, subject }) => !modules.has(liveKey(type, subject)))
      .map(({ type, subject }) => noModule(moduleKind(type), subject)),
  ];
  if (missing.length > 0)
    throw new UserError(`${missing.join('\n')}\nCheck the ids; nothing was written or imported.`);
  return { rules, modules };
}

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

async function carryOut(run: ImportRun, plan: AdoptionPlan): Promise<ImportOutcome> {
  const { stack, files } = run;
  // Before this import writes another module, for which the next steps follow anyway.
  const outcome = { run, plan, undeclared: undeclaredModules(run), isImported: false };
  if (plan.adoptions.length === 0) return outcome;
  writeFiles(run, plan.adoptions);
  if (stack === undefined) return outcome;
  const problem = await bringIn(files.importFile, stack, run.context);
  if (problem === undefined) return { ...outcome, isImported: true };
  const wayOut = `The files are kept. Once the cause is fixed, import what is missing:\n  ${importCommandLine(files.importFile, run)}`;
  return { ...outcome, problem: `${problem}\n${wayOut}` };
}

/** Objects that could not be adopted, and a module that the program does not hold, need the user. */
const exitCodeOf = ({ plan, problem, undeclared }: ImportOutcome): ExitCode =>
  plan.notAdoptable.length + undeclared.length === 0 && problem === undefined ? EXIT.done : EXIT.attention;

/** The import file comes first: from then on, no other import writes code for its objects. */
function writeFiles({ files, ...run }: ImportRun, adoptions: readonly Adoption[]): void {
  // The objects were seen with this key, which a refresh need not prove again.
  const marked = adoptions.map((one) => ({ ...one, outputs: { ...one.outputs, account: run.account.mark } }));
  writeNew(files.importFile, printableJson(generateImportFile(marked, run.target)));
  if (run.form !== undefined)
    writeNew(files.program, generateProgram(adoptions, { ...run.target, form: run.form }));
}

/** Brings resources into the state. Returns why it could not, in which case some of them may be there already. */
async function bringIn(importFile: string, stack: Stack, { note }: CliContext): Promise<string | undefined> {
  note(`Importing into stack ${await stack.name()} …\n`);
  const marks = ['--generate-code=false', '--protect=false', '--yes', '--skip-preview'];
  try {
    await stack.cli.stackCommand(['import', '--file', importFile, ...marks]);
    return undefined;
  } catch (error) {
    if (error instanceof InterruptedError)
      return 'Interrupted. The resources that were imported stay in the state.';
    if (!isUserError(error)) throw error;
    return error.message;
  }
}

/** What to say before ids of one stack go into a program that others share. Empty without a stack, and if the CLI lists no other one. */
async function sharedProgramWarning(
  { context, projectFolder, hasState, where }: ImportRun,
  adoptions: readonly Adoption[],
): Promise<string> {
  if (!hasState || adoptions.length === 0) return '';
  const listed = (await new PulumiCli(context, projectFolder).stacks()) ?? [];
  const shown = (name: string) => safeText(shortName(name));
  const current = shown(where.stack ?? listed.find(({ current }) => current === true)?.name ?? '');
  const others = listed.map(({ name }) => shown(name)).filter((name) => name !== current);
  if (current === '' || others.length === 0) return '';
  const members = adoptions.flatMap(({ args }) => Object.entries(args));
  const keys = new Map(members.flatMap(([key, id]) => (key.endsWith('Id') ? [[String(id), key]] : [])));
  return [
    `WARNING: The code will name ids of ${current}, and this program is that of ${others.join(', ')}, too, whose "pulumi up" would then declare`,
    'the same objects. Take the ids from the configuration instead, with a value of its own in each stack:',
    ...[...keys].map(([id, key], at) => {
      const name = `${key}${at === 0 ? '' : at + 1}`;
      return `  pulumi config set ${name} ${id} --stack ${current}\n    new pulumi.Config().require('${name}') in the code, instead of '${id}'`;
    }),
    '',
  ].join('\n');
}
