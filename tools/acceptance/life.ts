// What for: the life of one of each resource on the real CLI, with its state in a temporary folder.
import path from 'node:path';
import { PulumiProject } from '../demo/demo-project.mjs';
import { readRecord } from '../setup/cli-record.mjs';
import { checkout, cliRecordFile } from '../setup/paths.mjs';
import type { Row } from './report';
import type { Run } from './run';

const NO_CHANGES = ['preview', '--diff', '--expect-no-changes'];
const UP = ['up', '--yes', '--skip-preview'];
const REFRESH = ['refresh', '--yes', '--skip-preview', '--expect-no-changes'];
const DESTROY = ['destroy', '--yes', '--skip-preview'];

/** What the CLI does, with which edition of the program. */
const STEPS: readonly (readonly [name: string, edition: number, args: readonly string[]])[] = [
  ['create', 1, UP],
  ['nothing is left to do', 1, NO_CHANGES],
  ['update in place', 2, UP],
  ['refresh without drift', 2, REFRESH],
  ['replace a rule', 3, UP],
  ['nothing is left to do again', 3, NO_CHANGES],
  ['destroy', 3, DESTROY],
];

/** A row for each step; the first that fails is the last. */
export async function live(
  run: Run,
  settings: Record<string, string>,
  interruption: AbortSignal,
): Promise<Row[]> {
  const { record, targets, mark } = run;
  const cli = readRecord(cliRecordFile);
  if (cli === undefined) throw new Error('no Pulumi CLI is set up: run `node tools/setup.mjs` first');
  const project = new PulumiProject({
    example: path.join(checkout, 'tools', 'acceptance', 'program'),
    nodeModules: path.join(checkout, 'node_modules'),
    cliRoot: cli.root,
    ...{ settings, interruption },
  });
  const rows: Row[] = [];
  try {
    await project.run('stack', 'init', 'acceptance');
    for (const [name, edition, args] of STEPS) {
      project.variables['ACCEPTANCE'] = JSON.stringify({ ...targets, mark, edition });
      record.open();
      try {
        await project.run(...args);
        rows.push([`On the CLI: ${name}`, 'done', 'as it should be']);
      } catch {
        interruption.throwIfAborted();
        return [...rows, [`On the CLI: ${name}`, 'FAILED', 'the output above says why']];
      }
    }
    record.close();
    return rows;
  } finally {
    project.remove();
  }
}
