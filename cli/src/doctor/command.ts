import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { type CommonOptions, locationOf, withCommonOptions } from '../command/arguments';
import { type CommandContext, EXIT } from '../command/context';
import { safeText, table } from '../command/text';
import type { DoctorCheck } from './doctor-check';

const HELP = `
Examples:
  $ ${COMMAND_LINE} doctor
  $ ${COMMAND_LINE} doctor --stack prod --json
  $ ${COMMAND_LINE} doctor --stack prod --stack acme/other-project/prod

Sends one request for each account: the first page of the list of rules. If the state was written with a different key, it
also looks up the objects in the state. Exit codes: 0 all is well, 1 a line is red.`;

interface DoctorOptions extends Omit<CommonOptions, 'stack'> {
  /** The stack to examine, and further ones that may manage the same objects. */
  readonly stack?: readonly string[];
}

/** The command `doctor`. */
export const doctorCommand = (context: CommandContext): Command =>
  withCommonOptions(
    new Command('doctor').description(
      'check settings, keys, accounts, state and locks, and say what to do about each red line',
    ),
    { isStackRepeatable: true },
  )
    .addHelpText('after', HELP)
    .action(async ({ stack: [stack, ...others] = [], ...options }: DoctorOptions) => {
      const where = { ...locationOf(options, context.workingDirectory), stack };
      const { examine } = require('./examine') as typeof import('./examine');
      const checks = await examine(where, others, context);
      context.print(options.json ? printableJson(checks) : describe(checks));
      context.end(checks.some(({ status }) => status === 'red') ? EXIT.attention : EXIT.done);
    });

const MARKS = { ok: 'ok  ', warning: 'WARN', red: 'RED ', skipped: '-   ' } as const;

function describe(checks: readonly DoctorCheck[]): string {
  const rows = checks.flatMap(({ status, what, detail, fix }) => [
    [MARKS[status], what, oneLine(detail)],
    ...(fix === undefined ? [] : [['', '', `-> ${fix}`]]),
  ]);
  return `${table(rows)}\n${summary(checks)}\n`;
}

function summary(checks: readonly DoctorCheck[]): string {
  if (checks.some(({ status }) => status === 'red')) return 'Do what the lines marked RED say.';
  return checks.some(({ status }) => status === 'warning') ? 'Nothing is red.' : 'All well.';
}

const oneLine = (text: string): string => safeText(text.replace(/\s+/g, ' '), 200);
