import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Adoption } from '../adopt/adoption';
import { generateImportFile, generateProgram } from '../adopt/generate';
import type { AdoptionPlan } from '../adopt/plan-adoption';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { EXIT, type ExitCode } from '../command/context';
import { InterruptedError } from '../pulumi/interrupts';
import type { Stack } from '../pulumi/stack';
import { writeNew } from '../command/write-file';
import { undeclaredModules } from './adopted-files';
import { type AdoptedFiles, importCommandLine, type ImportOutcome, type ImportRun } from './prepare-import';

/** Writes the files, and with `--run` brings the resources into the state. */
export async function carryOut(
  run: ImportRun,
  plan: AdoptionPlan,
  written: AdoptedFiles | undefined,
): Promise<ImportOutcome> {
  const { stack } = run;
  // Before this import writes another module, for which the next steps follow anyway.
  const undeclared = run.otherLanguage === undefined ? undeclaredModules(run) : [];
  const of = { run, plan, written, undeclared };
  if (written !== undefined) writeFiles(written, plan.adoptions, run);
  if (stack === undefined || written === undefined) return { ...of, isImported: false };
  const problem = await bringIn(run, stack, plan.adoptions);
  if (problem === undefined) return { ...of, isImported: true };
  const wayOut = `The files are kept. Once the cause is fixed, import what is missing:\n  ${importCommandLine(written.importFile, run)}`;
  return { ...of, isImported: false, problem: `${problem}\n${wayOut}` };
}

/** Objects that could not be adopted, and a module that the program does not hold, need the user. */
export const exitCodeOf = ({ plan, problem, undeclared }: ImportOutcome): ExitCode =>
  plan.notAdoptable.length + undeclared.length === 0 && problem === undefined ? EXIT.done : EXIT.attention;

/**
 * The import file comes first: from then on, no other import writes code for its objects. If the module cannot be written, the
 * next import names that file, and says what to do.
 */
function writeFiles(files: AdoptedFiles, adoptions: readonly Adoption[], run: ImportRun): void {
  writeNew(files.importFile, importFileText(adoptions, run));
  if (run.otherLanguage === undefined)
    writeNew(files.program, generateProgram(adoptions, { ...run.target, form: run.form }));
}

/** The objects were seen with this key, which a refresh need not prove again. */
function importFileText(adoptions: readonly Adoption[], { account, target }: ImportRun): string {
  const marked = adoptions.map((one) => ({ ...one, outputs: { ...one.outputs, account: account.mark } }));
  return printableJson(generateImportFile(marked, target));
}

/** Brings resources into the state. Returns why it could not, in which case some of them may be there already. */
async function bringIn(
  run: ImportRun,
  stack: Stack,
  adoptions: readonly Adoption[],
): Promise<string | undefined> {
  run.context.note(`Importing into stack ${await stack.name()} …\n`);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-'));
  const file = path.join(folder, 'adopted.import.json');
  const marks = ['--generate-code=false', '--protect=false', '--yes', '--skip-preview'];
  try {
    writeNew(file, importFileText(adoptions, run));
    await stack.cli.stackCommand(['import', '--file', file, ...marks]);
    return undefined;
  } catch (error) {
    if (!isUserError(error)) throw error;
    return error instanceof InterruptedError
      ? 'Interrupted. The resources that were imported stay in the state.'
      : error.message;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
