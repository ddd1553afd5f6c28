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
import { importCommandLine, type ImportOutcome, type ImportRun } from './prepare-import';

/** Writes the files, and with `--run` brings the resources into the state. */
export async function carryOut(run: ImportRun, plan: AdoptionPlan): Promise<ImportOutcome> {
  const { stack, files } = run;
  // Before this import writes another module, for which the next steps follow anyway.
  const outcome = { run, plan, undeclared: undeclaredModules(run), isImported: false };
  if (plan.adoptions.length === 0) return outcome;
  writeFiles(run, plan.adoptions);
  if (stack === undefined) return outcome;
  const problem = await bringIn(files.importFile, { ...run, stack });
  if (problem === undefined) return { ...outcome, isImported: true };
  const wayOut = `The files are kept. Once the cause is fixed, import what is missing:\n  ${importCommandLine(files.importFile, run)}`;
  return { ...outcome, problem: `${problem}\n${wayOut}` };
}

/** Objects that could not be adopted, and a module that the program does not hold, need the user. */
export const exitCodeOf = ({ plan, problem, undeclared }: ImportOutcome): ExitCode =>
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
export async function bringIn(
  importFile: string,
  { stack, context }: Pick<ImportRun, 'context'> & { readonly stack: Stack },
): Promise<string | undefined> {
  context.note(`Importing into stack ${await stack.name()} …\n`);
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
