// What for: the command `import`: brings live objects under management, by code and an import file for the engine.
// Must not know: `recover`; how code is written or named is said in `adopt/`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type AdoptionPlan, planAdoption } from '../adopt/plan-adoption';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { firstOf } from 'pulumi-edge-policy/internal/values/failure';
import { hostOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { CONFIG_NAMESPACE, HOST_SETTING } from 'pulumi-edge-policy/internal/settings/settings';
import { findProvider, requireKnown, stackAccount } from '../pulumi/accounts';
import type { CliContext, ExitCode } from '../command/context';
import { requireImportingCli } from '../pulumi/pulumi-cli';
import type { Deployment } from '../pulumi/deployment';
import { managedIds } from '../pulumi/managed';
import {
  type ConfigReading,
  findProjectFolder,
  programLanguage,
  readConfig,
  requireStack,
  type Stack,
  textOfFile,
} from '../pulumi/stack';
import type { Location } from '../command/arguments';
import { withClient } from '../pulumi/with-client';
import { carryOut, exitCodeOf } from './carry-out';
import { chooseFiles, givenNames } from './adopted-files';
import { describeOutcome, describePlan, outcomeAsJson } from './describe';
import { type ImportRun, readSituation } from './import-run';
import type { ImportTarget, ProgramForm } from '../adopt/generate';
import { type ImportOptions, modulesAskedFor } from './options';
import { readLive, type Wanted } from './read-live-objects';

/** Reads, plans, writes and, with `--run`, imports; changes nothing on the service. */
export async function runImport(
  options: ImportOptions,
  where: Location,
  context: CliContext,
): Promise<ExitCode> {
  const run = await prepare(options, where, context);
  return withClient(context, run.account.settings, async (client) => {
    await requireKnown({ ...run.account, client });
    const live = await readLive(client, wantedOf(options));
    const names = new Set([...run.situation.names, ...givenNames(run.folder)]);
    const plan = planAdoption(live, { ...run.situation, names }, options.as);
    if (run.stack !== undefined) await requireUnmanaged(run.stack, plan);
    const files = plan.adoptions.length > 0 ? chooseFiles(plan.adoptions, run) : undefined;
    if (!options.json) context.print(describePlan(plan));
    const outcome = await carryOut(run, plan, files);
    context.print(options.json ? outcomeAsJson(outcome) : describeOutcome(outcome));
    return exitCodeOf(outcome);
  });
}

/** Everything that can be found out, and refused, before the service is asked. */
async function prepare(options: ImportOptions, where: Location, context: CliContext): Promise<ImportRun> {
  const otherLanguage = languageOf(options, where);
  const stack = options.run ? requireStack(context, where) : undefined;
  if (stack !== undefined) await requireImportingCli(stack.cli);
  const situation = await readSituation(stack, where, context);
  const { deployment } = situation;
  const reading = await readConfig(context, where);
  const target = targetOf(options.provider, {
    deployment,
    reading,
    isOnlyNative: otherLanguage !== undefined,
  });
  const account = stackAccount(target.provider ?? '', { deployment, reading, context });
  const projectFolder = findProjectFolder(where.cwd) ?? where.cwd;
  const folder = path.resolve(where.cwd, options.out);
  const call = { options, where, context, projectFolder, folder, form: formOf(projectFolder) };
  return { ...call, stack, situation, otherLanguage, account, target };
}

/**
 * The language of a program that is neither TypeScript nor JavaScript.
 *
 * @throws UserError if code is wanted along with the state: the engine writes the code of other languages as it imports.
 */
function languageOf({ run }: ImportOptions, where: Location): string | undefined {
  const language = programLanguage(findProjectFolder(where.cwd) ?? where.cwd);
  if (language === '' || language === 'nodejs') return undefined;
  if (run === undefined) return language;
  throw new UserError(
    `This is a program in ${language}, and --run works only with TypeScript and JavaScript. Run the command without --run: it ` +
      `writes the import file, and prints the "pulumi import" command that imports it and prints the code. Nothing was done.`,
  );
}

/** TypeScript, unless everything says JavaScript. */
function formOf(projectFolder: string): ProgramForm {
  const isThere = (name: string) => existsSync(path.join(projectFolder, name));
  if (isThere('tsconfig.json') || !['index.js', 'index.mjs', 'index.cjs'].some(isThere)) return 'typescript';
  return /"type"\s*:\s*"module"/.test(textOfFile(path.join(projectFolder, 'package.json')))
    ? 'module'
    : 'commonjs';
}

/** What decides which host and provider will serve the imported resources. */
interface Grounds {
  readonly deployment: Deployment | undefined;
  readonly reading: ConfigReading;
  /** Whether the program's language knows no dynamic resources. */
  readonly isOnlyNative: boolean;
}

/**
 * The provider that the user names and its host, else the host that the stack configuration chooses.
 *
 * @throws UserError if the state holds no such provider.
 */
function targetOf(named: string | undefined, { deployment, reading, isOnlyNative }: Grounds): ImportTarget {
  if (named !== undefined) {
    const { urn, type } = findProvider(named, deployment);
    return { host: hostOfToken(type), provider: urn };
  }
  const chosen =
    'config' in reading ? reading.config.get(`${CONFIG_NAMESPACE}:${HOST_SETTING}`)?.value : undefined;
  return { host: isOnlyNative || chosen === 'native' ? 'native' : 'dynamic' };
}

const MOST_NAMED = 10;

function wantedOf(options: ImportOptions): Wanted {
  const { policy, cidr } = options;
  const rules = {
    ...(policy && { policyIds: policy }),
    ...(cidr && { cidrs: cidr.map(({ text }) => text) }),
  };
  const asksForRules = options.all === true || policy !== undefined;
  return { ...(asksForRules && { rules }), modules: modulesAskedFor(options) };
}

/** Another run may have brought it in meanwhile: under two names, it would be deleted with the first of them. */
async function requireUnmanaged(stack: Stack, { adoptions }: AdoptionPlan): Promise<void> {
  if (adoptions.length === 0) return;
  const managed = managedIds(await stack.deployment());
  const taken = adoptions.flatMap(({ liveIds }) => liveIds).filter((id) => managed.has(id));
  if (taken.length === 0) return;
  throw new UserError(
    `The stack has changed since it was read: it now also manages ${firstOf(taken, MOST_NAMED)}. Nothing was written ` +
      `or imported. Run the command again.`,
  );
}
