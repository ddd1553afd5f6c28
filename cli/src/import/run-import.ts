// What for: the command `import`: brings live objects under management, by code and an import that is previewed first.
// Must not know: `recover`; how code is written or named is said in `adopt/`.
import type { Location } from '../command/arguments';
import path from 'node:path';
import type { LiveObjects } from '../adopt/adoption';
import { type AdoptionPlan, planAdoption } from '../adopt/plan-adoption';
import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { CliContext, ExitCode } from '../command/context';
import { type ImportOptions, modulesAskedFor } from './options';
import { programLanguage } from 'pulumi-edge-policy/internal/hosts/native/program-language';
import { safeText } from '../command/text';
import { requireImportingCli } from '../pulumi/cli-version';
import { nameOfUrn } from '../pulumi/deployment';
import { managedIds } from '../pulumi/managed';
import { findProjectFolder, requireStack, type Stack } from '../pulumi/stack';
import { requireKnown, stackAccount } from '../pulumi/accounts';
import { readConfig } from '../pulumi/stack-settings';
import { withClient } from '../pulumi/with-client';
import { readSituation } from './already-there';
import { importTargetOf } from './import-target';
import { carryOut, exitCodeOf, type ImportRun } from './carry-out';
import { findDeclared } from './declared-resource';
import { describeOutcome, describePlan, outcomeAsJson } from './describe-plan';
import { oneAtATime } from './one-at-a-time';
import { requireOutputFolder } from '../command/output-files';
import { differences, readLive, type Wanted } from './read-live-objects';

/** Reads, plans, writes and, with `--run`, imports and previews; changes nothing on the service. */
export function runImport(options: ImportOptions, where: Location, context: CliContext): Promise<ExitCode> {
  return oneAtATime(findProjectFolder(where.cwd) ?? where.cwd, () => importNow(options, where, context));
}

async function importNow(options: ImportOptions, where: Location, context: CliContext): Promise<ExitCode> {
  const run = await prepare(options, where, context);
  return withClient(context, run.account.settings, async (client) => {
    await requireKnown({ ...run.account, client });
    const wanted = wantedOf(options);
    const live = await readLive(client, wanted);
    const name = run.declared === undefined ? options.name : nameOfUrn(run.declared.urn);
    const plan = planAdoption(live, run.situation, { ...options, name, form: options.as });
    requireClear(plan, name);
    if (!options.json) context.print(describePlan(plan));
    if (run.stack !== undefined && plan.adoptions.length + plan.resumed.length > 0) {
      await requireUnchanged(client, wanted, live);
      await requireUnmanaged(run.stack, plan);
    }
    const outcome = await carryOut(run, plan);
    context.print(options.json ? outcomeAsJson(outcome) : describeOutcome(outcome));
    return exitCodeOf(outcome);
  });
}

/** Everything that can be found out, and refused, before the service is asked. */
async function prepare(options: ImportOptions, where: Location, context: CliContext): Promise<ImportRun> {
  const otherLanguage = languageOf(options, where);
  const folder = path.resolve(where.cwd, options.out);
  requireOutputFolder(folder);
  const stack = options.run ? requireStack(context, where) : undefined;
  if (stack !== undefined) await requireImportingCli(stack.cli);
  const place = { stack, where, folder, mayOverwrite: options.force === true };
  const situation = await readSituation(place, context);
  const declared = stack && (await findDeclared(stack, situation, options));
  const { deployment } = situation;
  const reading = await readConfig(context, where);
  const grounds = { deployment, reading, declared, provider: options.provider };
  const target = importTargetOf({ ...grounds, isOnlyNative: otherLanguage !== undefined });
  const account = stackAccount(target.provider ?? '', { deployment, reading, context });
  return { options, where, context, stack, situation, declared, otherLanguage, account, target };
}

/**
 * The language of a program that is neither TypeScript nor JavaScript.
 *
 * @throws UserError if code is wanted along with the state: the engine writes the code of other languages as it imports.
 */
function languageOf({ run, name }: ImportOptions, where: Location): string | undefined {
  const language = programLanguage(where.cwd);
  if (language === '' || language === 'nodejs') return undefined;
  if (run === undefined || name !== undefined) return language;
  throw new UserError(
    `This is a program in ${language}, and --run works with TypeScript and JavaScript only. Run the command without --run: it ` +
      `writes the import file, and prints the "pulumi import" command that imports it and prints the code. Nothing was done.`,
  );
}

function wantedOf(options: ImportOptions): Wanted {
  const { policy, action, cidr, within, description } = options;
  const rules = {
    ...(policy && { policyIds: policy }),
    ...(action && { action }),
    ...(cidr && { cidrs: cidr.map(({ text }) => text) }),
    ...(within && { within }),
    ...(description !== undefined && { description }),
  };
  const asksForRules = options.all === true || policy !== undefined;
  return { ...(asksForRules && { rules }), modules: modulesAskedFor(options) };
}

const MOST_NAMED = 10;

/** @throws UserError if one name is meant for several resources, or if code of an earlier import no longer fits. */
function requireClear({ adoptions, outdated }: AdoptionPlan, name: string | undefined): void {
  if (name !== undefined && adoptions.length !== 1) {
    const found = adoptions.map(({ id, summary }) => `${id} (${safeText(summary)})`).slice(0, MOST_NAMED);
    throw new UserError(
      `--name ${name} is for one resource, and ${adoptions.length} would be adopted` +
        `${found.length === 0 ? '' : `: ${found.join(', ')}`}. Narrow it down, with --cidr for example. Nothing was done.`,
    );
  }
  if (outdated.length === 0) return;
  const lines = outdated
    .slice(0, MOST_NAMED)
    .map(
      ({ name: declared, program, isRenamed }) =>
        `  ${safeText(declared)} in ${program}${isRenamed ? ', which declares it under another name now' : ''}\n`,
    );
  throw new UserError(
    `An earlier import wrote declarations that are not in the state yet. They were renamed since, no longer match the service, or are\n` +
      `only partly asked for:\n${lines.join('')}` +
      `Remove them from the code and repeat, or repeat with --force if you need nothing else in the file. A resource that was\n` +
      `renamed can also be imported under its new name, with --name and --run. Nothing was done.`,
  );
}

/** Another run may have brought it in meanwhile: under two names, it would be deleted with the first of them. */
async function requireUnmanaged(stack: Stack, { adoptions, resumed }: AdoptionPlan): Promise<void> {
  const managed = managedIds(await stack.deployment());
  const taken = [...resumed, ...adoptions].flatMap(({ liveIds }) => liveIds).filter((id) => managed.has(id));
  if (taken.length === 0) return;
  throw new UserError(
    `The stack has changed since it was read: it also manages ${taken.slice(0, MOST_NAMED).join(', ')} now. Nothing was ` +
      `written or imported. Run the command again.`,
  );
}

/** The engine trusts the import file and reads nothing itself, so the file must still be true. */
async function requireUnchanged(client: ApiClient, wanted: Wanted, planned: LiveObjects): Promise<void> {
  const changes = differences(planned, await readLive(client, wanted));
  if (changes.length === 0) return;
  throw new UserError(
    `The service has changed since it was read, and nothing was written or imported:\n` +
      `${changes.map((change) => `  ${change}\n`).join('')}Run the command again.`,
  );
}
