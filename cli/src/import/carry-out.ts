import type { Location } from '../command/arguments';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Adoption } from '../adopt/adoption';
import { type ImportTarget, generateImportFile, generateProgram } from '../adopt/generate';
import type { AdoptionPlan } from '../adopt/plan-adoption';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type CliContext, EXIT, type ExitCode } from '../command/context';
import type { ImportOptions } from './options';
import { InterruptedError } from '../pulumi/interrupts';
import type { Stack } from '../pulumi/stack';
import type { StackAccount } from '../pulumi/accounts';
import type { Situation } from './already-there';
import type { DeclaredResource } from './declared-resource';
import type { EarlierImport } from './earlier-imports';
import { type Examination, examinePreview, NOTHING_EXAMINED } from './examine-preview';
import { type OutputFiles, removeFile, writeWhole } from '../command/output-files';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';

/** One call of the command, with what it knows before it asks the service. */
export interface ImportRun {
  readonly options: ImportOptions;
  readonly where: Location;
  readonly context: CliContext;
  /** Present if the import will be carried out. */
  readonly stack: Stack | undefined;
  readonly situation: Situation;
  /** The program's language, if it is another than that of the written code: the engine then writes the code. */
  readonly otherLanguage: string | undefined;
  /** The account of the imported objects. */
  readonly account: StackAccount;
  /** The host and provider of the imported resources. */
  readonly target: ImportTarget;
  /** The resource that the program already declares, given with `--name`. */
  readonly declared: DeclaredResource | undefined;
}

/** The result of an import. */
export interface ImportOutcome {
  readonly run: ImportRun;
  readonly plan: AdoptionPlan;
  /** Absent if there was no new code to write. */
  readonly written: OutputFiles | undefined;
  /** Absent if nothing had to be imported. */
  readonly examination: Examination | undefined;
}

/** Writes the code, brings resources into the state, and previews what the program makes of it. */
export async function carryOut(run: ImportRun, plan: AdoptionPlan): Promise<ImportOutcome> {
  const { stack, situation, declared } = run;
  const adoptions = [...plan.resumed, ...plan.adoptions];
  const written = plan.adoptions.length === 0 || declared !== undefined ? undefined : situation.files;
  if (written !== undefined) writeFiles(written, plan.adoptions, run);
  if (stack === undefined) return { run, plan, written, examination: undefined };
  const notImported = adoptions.length === 0 ? undefined : await bringIn(run, stack, adoptions);
  if (notImported !== undefined)
    return { run, plan, written, examination: { ...NOTHING_EXAMINED, notImported } };
  const before = situation.deployment ?? { manifest: { time: '' }, resources: [], pendingOperations: [] };
  const examination = await examinePreview(stack, {
    before,
    adoptions,
    modules: [...(written ? [moduleOf(written, plan.adoptions)] : []), ...resumedModules(run, plan)],
    earlier: situation.earlier,
    ...(declared && { declaredUrn: declared.urn }),
  });
  return { run, plan, written, examination };
}

/** Objects that could not be adopted, or that would not stay as they are, need a decision by the user. */
export function exitCodeOf({ plan, examination }: ImportOutcome): ExitCode {
  const { lost, unsettled, previewErrors, notImported } = examination ?? NOTHING_EXAMINED;
  const open = [...plan.notAdoptable, ...lost, ...unsettled, ...previewErrors];
  return open.length === 0 && notImported === undefined ? EXIT.done : EXIT.attention;
}

/** If the command is killed between the two writes, the import file alone declares nothing, and the next run writes both anew. */
function writeFiles(
  files: OutputFiles,
  adoptions: readonly Adoption[],
  { target, options, otherLanguage }: ImportRun,
): void {
  const marks = {
    isProtected: options.protect === true,
    isForProvider: target.provider !== undefined,
  };
  removeFile(files.program);
  writeWhole(files.importFile, printableJson(generateImportFile(adoptions, target)));
  if (otherLanguage === undefined) writeWhole(files.program, generateProgram(adoptions, marks));
}

/** Brings resources into the state. Returns why it could not, in which case some of them may be there already. */
async function bringIn(
  { context, options, target, account }: ImportRun,
  stack: Stack,
  adoptions: readonly Adoption[],
): Promise<string | undefined> {
  context.note(`Importing into stack ${await stack.name()} …\n`);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-'));
  const file = path.join(folder, 'adopted.import.json');
  const marks = ['--generate-code=false', `--protect=${options.protect === true}`, '--yes', '--skip-preview'];
  try {
    // They were seen with this key, which a refresh need not prove again.
    const marked = adoptions.map((one) => ({ ...one, outputs: { ...one.outputs, account: account.mark } }));
    writeWhole(file, printableJson(generateImportFile(marked, target)));
    await stack.cli.stackCommand(['import', '--file', file, ...marks]);
    return undefined;
  } catch (error) {
    if (!isUserError(error)) throw error;
    return error instanceof InterruptedError
      ? 'Interrupted. The resources that were imported stay in the state, and the files stay too. Run the same command again to continue.'
      : `${error.message}\nThe written files stay. Once the cause is fixed, run the same command again: it continues where ` +
          `this one stopped.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const moduleOf = (files: OutputFiles, adoptions: readonly Adoption[]): EarlierImport => ({
  files,
  resources: adoptions.map(({ type, name, liveIds, inputs }) => ({
    type,
    name,
    liveIds,
    inputs,
    program: files.program,
  })),
});

/** The modules some of whose resources came in only now. */
function resumedModules({ situation }: ImportRun, { resumed }: AdoptionPlan): EarlierImport[] {
  const names = new Set(resumed.map(({ type, name }) => `${type} ${name}`));
  return situation.earlier.filter(({ resources }) =>
    resources.some(({ type, name }) => names.has(`${type} ${name}`)),
  );
}
