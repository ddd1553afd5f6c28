import path from 'node:path';
import type { AdoptionPlan } from '../../adopt/plan';
import { count } from '../output/count';
import { safeText } from '../output/safe-text';
import { table } from '../output/table';
import type { OutputFiles } from './output-files';

const MOST_LINES = 40;

/** What will be adopted, for people. */
export function describePlan({ adoptions, managed, notAdoptable }: AdoptionPlan): string {
  const rows = adoptions.map(({ type, name, summary }) => [type, name, safeText(summary)]);
  const more = rows.length > MOST_LINES ? `  … and ${rows.length - MOST_LINES} more\n` : '';
  const parts = [
    adoptions.length === 0
      ? 'Nothing to adopt.\n'
      : `${count(adoptions.length, 'resource')} to adopt:\n${table(rows.slice(0, MOST_LINES), '  ')}${more}`,
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
  return parts.join('\n');
}

/** What an import came to. */
export interface ImportOutcome {
  readonly plan: AdoptionPlan;
  readonly files: OutputFiles;
  readonly isImported: boolean;
}

/** What was written and imported, and what is left to do, for people. */
export function describeOutcome(
  { plan, files, isImported }: ImportOutcome,
  { protect, name }: { readonly protect?: true; readonly name?: string },
  cwd: string,
): string {
  if (plan.adoptions.length === 0) return '';
  const relative = (file: string): string => path.relative(cwd, file) || file;
  const module = relative(files.program).replace(/\.ts$/, '').split(path.sep).join('/');
  const steps = [
    ...(name === undefined ? [`Add to the program:  import "./${module}";`] : []),
    ...(isImported
      ? []
      : [
          `Bring the resources into the stack's state:\n` +
            `     pulumi import --file ${relative(files.importFile)} --generate-code=false --protect=${protect === true} --yes`,
        ]),
    name === undefined
      ? 'pulumi preview: no change.'
      : 'pulumi preview: what the program says otherwise than the service.',
  ];
  return (
    `\nWritten: ${name === undefined ? `${relative(files.program)}\n         ` : ''}${relative(files.importFile)}\n` +
    `${isImported ? 'Imported.\n' : ''}\nNext:\n` +
    steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')
  );
}

/** What was written and imported, for scripts. */
export function outcomeAsJson(
  { plan, files, isImported }: ImportOutcome,
  { name }: { readonly name?: string },
): string {
  const { program, importFile } = files;
  const written = { ...(name === undefined && { program }), importFile };
  const result = {
    isImported,
    files: plan.adoptions.length === 0 ? null : written,
    resources: plan.adoptions.map(({ type, name, id, liveIds }) => ({ type, name, id, liveIds })),
    managed: plan.managed,
    notAdoptable: plan.notAdoptable,
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}
