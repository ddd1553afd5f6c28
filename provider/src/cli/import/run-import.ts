import path from 'node:path';
import type { Adoption } from '../../adopt/adoption';
import { generateImportFile, generateProgram } from '../../adopt/generate';
import { type AlreadyThere, type LiveObjects, planAdoption } from '../../adopt/plan';
import type { ApiClient } from '../../api/client';
import { UserError } from '../../lifecycle/user-error';
import { EXIT, type ExitCode } from '../exit-codes';
import type { ImportOptions } from '../import';
import { requireImportingCli } from '../pulumi/cli-version';
import { managedIds, namesInState } from '../pulumi/managed';
import { findProjectFolder, requireStack, type Stack } from '../pulumi/stack';
import { type Location, readSettings, withClient } from '../settings';
import type { Surroundings } from '../surroundings';
import { namesInCode } from './code-names';
import { describeOutcome, describePlan, outcomeAsJson } from './describe-plan';
import { chooseFiles, type OutputFiles, writeWhole } from './output-files';
import { differences, readLive, type Wanted } from './read-live';

/** Reads, plans, writes and, with `--run`, imports; changes nothing on the service. */
export async function runImport(
  options: ImportOptions,
  where: Location,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const stack = options.run ? requireStack(surroundings, where) : undefined;
  if (stack !== undefined) await requireImportingCli(stack.cli);
  const settings = await readSettings(surroundings, where);
  const files = chooseFiles(path.resolve(where.cwd, options.out), options.force === true);
  const there = await readAlreadyThere({ stack, where, surroundings, files });
  return withClient(surroundings, settings, async (client) => {
    const wanted = wantedOf(options);
    const live = await readLive(client, wanted);
    const plan = planAdoption(live, there, { ...options, form: options.as });
    if (options.name !== undefined) requireOne(plan.adoptions, options.name);
    if (!options.json) surroundings.print(describePlan(plan));
    if (plan.adoptions.length > 0) {
      if (stack !== undefined) await requireUnchanged(client, wanted, live);
      writeFiles(files, plan.adoptions, options);
      if (stack !== undefined) await importInto(stack, files, options, surroundings);
    }
    const outcome = { plan, files, isImported: stack !== undefined && plan.adoptions.length > 0 };
    surroundings.print(
      options.json ? outcomeAsJson(outcome, options) : describeOutcome(outcome, options, where.cwd),
    );
    return plan.notAdoptable.length > 0 ? EXIT.attention : EXIT.done;
  });
}

function wantedOf(options: ImportOptions): Wanted {
  const { policy, action, cidr, within, description, tcpEdge = [], route = [] } = options;
  const rules = {
    ...(policy && { policyIds: policy }),
    ...(action && { action }),
    ...(cidr && { cidrs: cidr.map(({ text }) => text) }),
    ...(within && { within }),
    ...(description !== undefined && { description }),
  };
  const asksForRules = options.all === true || policy !== undefined;
  return { ...(asksForRules && { rules }), tcpEdges: tcpEdge, routes: route };
}

/** What stack and program hold. Without `--run` the stack is compared with where there is one, and named if not. */
async function readAlreadyThere(reading: {
  readonly stack: Stack | undefined;
  readonly where: Location;
  readonly surroundings: Surroundings;
  readonly files: OutputFiles;
}): Promise<AlreadyThere> {
  const { where, surroundings, files } = reading;
  const projectFolder = findProjectFolder(where.cwd) ?? where.cwd;
  const inCode = namesInCode(projectFolder, new Set([files.program]));
  try {
    const deployment = await (reading.stack ?? requireStack(surroundings, where)).deployment();
    return {
      managedIds: new Set(managedIds(deployment).keys()),
      names: new Set([...inCode, ...namesInState(deployment)]),
    };
  } catch (error) {
    if (!(error instanceof UserError) || reading.stack !== undefined) throw error;
    surroundings.note(`Not compared with what a stack manages: ${error.message}\n\n`);
    return { managedIds: new Set(), names: inCode };
  }
}

/** A name that the program gives is one resource's; that it is free in the state is for the engine to see. */
function requireOne(adoptions: readonly Adoption[], name: string): void {
  if (adoptions.length === 1) return;
  const found = adoptions.map(({ id, summary }) => `${id} (${summary})`).slice(0, 10);
  throw new UserError(
    `--name ${name} is for one resource, and ${adoptions.length} would be adopted` +
      `${found.length === 0 ? '' : `: ${found.join(', ')}`}. Narrow it down, with --cidr for example. Nothing was done.`,
  );
}

/** The import trusts what the file says and reads nothing itself: what it says must still be true. */
async function requireUnchanged(client: ApiClient, wanted: Wanted, planned: LiveObjects): Promise<void> {
  const changes = differences(planned, await readLive(client, wanted));
  if (changes.length === 0) return;
  throw new UserError(
    `The service has changed since it was read, and nothing was written or imported:\n` +
      `${changes.map((change) => `  ${change}\n`).join('')}Run the command again.`,
  );
}

function writeFiles(files: OutputFiles, adoptions: readonly Adoption[], options: ImportOptions): void {
  if (options.name === undefined)
    writeWhole(files.program, generateProgram(adoptions, { isProtected: options.protect === true }));
  writeWhole(files.importFile, `${JSON.stringify(generateImportFile(adoptions), undefined, 2)}\n`);
}

async function importInto(
  stack: Stack,
  { importFile }: OutputFiles,
  { protect }: ImportOptions,
  surroundings: Surroundings,
): Promise<void> {
  surroundings.note(`Importing into stack ${await stack.name()} …\n`);
  const marks = ['--generate-code=false', `--protect=${protect === true}`];
  try {
    await stack.cli.stackCommand(['import', '--file', importFile, ...marks, '--yes', '--skip-preview']);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `${error.message}\nThe files stay. Once the cause is gone, import them with\n` +
        `  pulumi import --file ${importFile} ${marks.join(' ')} --yes\n` +
        `which leaves out what has been imported already.`,
    );
  }
}
