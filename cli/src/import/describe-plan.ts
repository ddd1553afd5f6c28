import path from 'node:path';
import type { Adoption } from '../adopt/adoption';
import type { AdoptionPlan } from '../adopt/plan-adoption';
import { count, safeText, table } from '../command/text';
import type { PlannedStep } from '../pulumi/preview';
import { findProjectFolder } from '../pulumi/stack';
import type { ImportOutcome } from './carry-out';
import { type Examination, NOTHING_EXAMINED } from './examine-preview';
import { moduleLine } from './module-line';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';

const MOST_LINES = 40;

/** The planned adoptions, as text. */
export function describePlan({ adoptions, resumed, managed, notAdoptable }: AdoptionPlan): string {
  const parts = [
    adoptions.length + resumed.length === 0 ? 'Nothing to adopt.\n' : '',
    listOf(adoptions, 'to adopt'),
    listOf(resumed, 'written by an earlier import, and not in the state yet'),
  ];
  if (managed.length > 0)
    parts.push(`${count(managed.length, 'object')} managed by the stack already, left out.\n`);
  if (notAdoptable.length > 0) {
    const lines = notAdoptable.map(
      ({ id, summary, reason }) => `  ${id} (${safeText(summary)}): ${reason}\n`,
    );
    parts.push(
      `${count(notAdoptable.length, 'object')} that no program can declare, left out:\n${lines.join('')}`,
    );
  }
  return parts.filter((part) => part !== '').join('\n');
}

function listOf(adoptions: readonly Adoption[], what: string): string {
  if (adoptions.length === 0) return '';
  const rows = adoptions.map(({ type, name, summary }) => [type, safeText(name, 100), safeText(summary)]);
  return `${count(adoptions.length, 'resource')} ${what}:\n${shortened(table(rows.slice(0, MOST_LINES), '  '), rows)}`;
}

const shortened = (lines: string, { length }: readonly unknown[]): string =>
  length > MOST_LINES ? `${lines}  … and ${length - MOST_LINES} more\n` : lines;

/** What was written and imported, the result of the preview, and what is left to do, as text. */
export function describeOutcome(outcome: ImportOutcome): string {
  const { run, plan, written, examination } = outcome;
  const relative = relativeTo(run.where.cwd);
  const isImported = examination !== undefined && plan.adoptions.length + plan.resumed.length > 0;
  const imported = [...plan.resumed, ...plan.adoptions];
  const parts = [
    written === undefined ? '' : `Written: ${filesIn(outcome).map(relative).join('\n         ')}\n`,
    isImported && examination.notImported === undefined
      ? `Imported: ${count(imported.length, 'resource')}. The service was not changed.\n`
      : '',
    nextSteps(outcome),
    describeExamination(examination ?? NOTHING_EXAMINED),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `\n${parts.join('\n')}`;
}

/** The written files; for a program in another language the import file alone. */
function filesIn({ run, written }: ImportOutcome): string[] {
  if (written === undefined) return [];
  return run.otherLanguage === undefined ? [written.program, written.importFile] : [written.importFile];
}

function describeExamination({ lost, unsettled, notImported, previewErrors }: Examination): string {
  if (notImported !== undefined) return `${notImported}\n`;
  if (previewErrors.length > 0)
    return (
      `ATTENTION: a preview of the program fails, so it is unknown whether the next "pulumi up" would change anything:\n` +
      `${previewErrors.map((error) => `  ${error}\n`).join('')}Correct the program, then run "pulumi preview".\n`
    );
  const lines = [
    ...stepsOf(lost, 'managed before the import; the program would'),
    ...stepsOf(unsettled, 'imported now; the program would'),
  ];
  return lines.length === 0 ? '' : `ATTENTION: the next "pulumi up" would make changes:\n${lines.join('')}`;
}

const stepsOf = (steps: readonly PlannedStep[], why: string): string[] => [
  ...steps.slice(0, MOST_LINES).map(({ urn, op }) => `  ${safeText(urn, 200)}: ${why} ${op} it\n`),
  ...(steps.length > MOST_LINES ? [`  … and ${steps.length - MOST_LINES} more\n`] : []),
];

function nextSteps({ run, plan, written, examination }: ImportOutcome): string {
  if (examination?.notImported !== undefined) return '';
  const relative = relativeTo(run.where.cwd);
  const folder = findProjectFolder(run.where.cwd) ?? run.where.cwd;
  const { otherLanguage } = run;
  const newModules = written === undefined || otherLanguage !== undefined ? [] : [written.program];
  const modules = examination?.missingModules ?? newModules;
  const steps = modules.map((module) => `Add to the program:  ${moduleLine(module, folder)}`);
  if (examination === undefined && written !== undefined) {
    const [what, withCode] =
      otherLanguage === undefined
        ? ["Bring the resources into the stack's state:", '--generate-code=false ']
        : [
            `Bring the resources into the stack's state, and put the code that it prints into the program:`,
            '',
          ];
    steps.push(
      `${what}\n     pulumi import --file ${relative(written.importFile)} ${withCode}--protect=${run.options.protect === true} --yes`,
    );
  }
  if (examination === undefined && plan.resumed.length > 0)
    steps.push('Import the written resources: this command, with --run.');
  if (run.declared !== undefined)
    steps.push('pulumi preview: shows the differences between program and service.');
  else if (steps.length > 0) steps.push('pulumi preview: no change.');
  return steps.length === 0
    ? ''
    : `Next:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}

const relativeTo =
  (cwd: string) =>
  (file: string): string =>
    path.relative(cwd, file) || file;

/** What was written and imported, as JSON. */
export function outcomeAsJson({ run, plan, written, examination }: ImportOutcome): string {
  const adoptions = [...plan.resumed, ...plan.adoptions];
  const { lost, unsettled, missingModules, notImported, previewErrors } = examination ?? NOTHING_EXAMINED;
  const result = {
    isImported: examination !== undefined && notImported === undefined && adoptions.length > 0,
    ...(notImported !== undefined && { problem: notImported }),
    files: written ? { ...written, ...(run.otherLanguage !== undefined && { program: null }) } : null,
    resources: adoptions.map(({ type, name, id, liveIds }) => ({ type, name, id, liveIds })),
    managed: plan.managed,
    notAdoptable: plan.notAdoptable,
    ...(examination && {
      preview: {
        lost: lost.map(({ urn, op }) => ({ urn, op })),
        unsettled: unsettled.map(({ urn, op }) => ({ urn, op })),
        missingModules,
        errors: previewErrors,
      },
    }),
  };
  return printableJson(result);
}
