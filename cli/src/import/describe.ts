import path from 'node:path';
import { CORRECT_THE_RULE } from 'pulumi-edge-policy/internal/errors/words';
import type { AdoptionPlan } from '../adopt/plan-adoption';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { count, safeText, table } from '../command/text';
import { UNSEEN } from '../pulumi/siblings';
import { importCommandLine, type ImportOutcome } from './prepare-import';

const MOST_LINES = 40;

export function describePlan({ adoptions, managed, managedElsewhere, notAdoptable }: AdoptionPlan): string {
  const rows = adoptions.map(({ type, name, summary }) => [type, safeText(name, 100), safeText(summary)]);
  const rest = rows.length > MOST_LINES ? `  … and ${rows.length - MOST_LINES} more\n` : '';
  const heading = rows.length === 0 ? 'Nothing to adopt.' : `${count(rows.length, 'resource')} to adopt:`;
  const reasons = notAdoptable.map(
    ({ id, summary, reason }) => `  ${id} (${safeText(summary)}): ${reason}\n`,
  );
  return [
    `${heading}\n${table(rows.slice(0, MOST_LINES), '  ')}${rest}`,
    ...(managed.length === 0
      ? []
      : [`Left out ${count(managed.length, 'object')} that the stack already manages.\n`]),
    ...[...grouped(managedElsewhere, ([, stack]) => stack)].map(
      ([stack, own]) =>
        `Left out ${count(own.length, 'object')} that the stack ${safeText(stack)} manages.\n`,
    ),
    `${UNSEEN}\n`,
    ...(reasons.length === 0
      ? []
      : [
          `Left out ${count(reasons.length, 'object')} that no program can declare:\n${reasons.join('')}` +
            `For each rule of these: ${CORRECT_THE_RULE}.\n`,
        ]),
  ].join('\n');
}

export function describeOutcome(outcome: ImportOutcome): string {
  const { run, plan, problem, isImported, undeclared } = outcome;
  const written = writtenFiles(outcome).map((file) => path.relative(run.where.cwd, file));
  return [
    '',
    ...(written.length === 0 ? [] : [`Written: ${written.join('\n         ')}\n`]),
    ...(isImported
      ? [`Imported: ${count(plan.adoptions.length, 'resource')}. The service was not changed.\n`]
      : []),
    ...(problem === undefined ? nextSteps(outcome) : [`${problem}\n`]),
    ...undeclared.map((module) => undeclaredInWords(module, run)),
  ].join('\n');
}

function writtenFiles({ run: { files, form }, plan }: ImportOutcome): string[] {
  if (plan.adoptions.length === 0) return [];
  return form === undefined ? [files.importFile] : [files.program, files.importFile];
}

function nextSteps({ run, plan, isImported }: ImportOutcome): string[] {
  if (plan.adoptions.length === 0) return [];
  const isOther = run.form === undefined;
  const steps = [
    ...(isImported
      ? []
      : [`Import the resources into the state:\n     ${importCommandLine(run.files.importFile, run)}`]),
    isOther
      ? 'Put the code that it prints into the program.'
      : `Add to the program:  ${lineFor(run.files.program, run)}`,
    'Run "pulumi preview --expect-no-changes".',
  ];
  const numbered = steps.map((step, index) => `  ${index + 1}. ${step}\n`);
  return [`Next:\n${numbered.join('')}`, warning(isOther ? 'that code' : 'that line')];
}

/** The line for a program in the folder of the project; its author knows how it imports its own files. */
function lineFor(module: string, { projectFolder, target, form }: ImportOutcome['run']): string {
  const file = path.relative(projectFolder, module).split(path.sep).join('/');
  const relative = form === 'module' ? file : file.replace(/\.[jt]s$/, '');
  const from = JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`);
  const isAlone = target.provider === undefined;
  const loaded =
    form === 'commonjs' ? `require(${from})` : `import ${isAlone ? '' : '{ adopted } from '}${from}`;
  const line = isAlone
    ? `${loaded};`
    : `${form === 'commonjs' ? `${loaded}.adopted(provider)` : `${loaded}; adopted(provider)`}; // the Provider that they belong to`;
  return form === 'typescript' ? `${line}\n     (in an ES module, end it in .js)` : line;
}

/** What an earlier import has left to do: it was ended before it could say so, or the line was never added. */
const undeclaredInWords = (module: string, run: ImportOutcome['run']): string =>
  `An earlier import wrote ${path.relative(run.where.cwd, module)}, the state holds its resources, and no file of the program names it.\n` +
  `Add to the program:  ${lineFor(module, run)}\n\n${warning('that line')}`;

/** Between import and declaration, the program does not know what the state holds: the engine takes that for a removal. */
const warning = (what: string): string =>
  `WARNING: Until the program has ${what}, "pulumi preview" shows the imported resources to delete, and "pulumi up" deletes\n` +
  `them on the service. Add it before the next "pulumi up". To block that delete in the meantime, run\n` +
  `"pulumi state protect --all --yes" after the import (it lasts until the next "pulumi up").\n`;

export function outcomeAsJson({ run, plan, isImported, problem, undeclared }: ImportOutcome): string {
  return printableJson({
    isImported,
    ...(problem !== undefined && { problem }),
    files:
      plan.adoptions.length > 0 ? { ...run.files, ...(run.form === undefined && { program: null }) } : null,
    resources: plan.adoptions.map(({ type, name, id, liveIds }) => ({ type, name, id, liveIds })),
    managed: plan.managed,
    managedElsewhere: plan.managedElsewhere.map(([id, stack]) => ({ id, stack })),
    undeclared,
    notAdoptable: plan.notAdoptable,
  });
}
