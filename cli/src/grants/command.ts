import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command, InvalidArgumentError } from 'commander';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { network } from '../command/arguments';
import type { CommandContext } from '../command/context';
import type { Judge } from '../judge/judge-case';
import type { ChangeOptions, GrantOptions, ListOptions } from './run-grants';
import type * as runGrantsModule from './run-grants';
import { durationMs } from './time-left';

const HELP = `
Examples:
  $ ${COMMAND_LINE} grant 198.51.100.7 --for 4h --reason "vendor on call"
  $ ${COMMAND_LINE} grant 198.51.100.7 --for 4h --reason "vendor on call" --apply
  $ ${COMMAND_LINE} revoke 198.51.100.7
  $ ${COMMAND_LINE} grants --prune

The service cannot end a rule by itself: the access ends with the first "up" after it. Exit codes: 0 done, 1 the review
found something that stops the change, or nothing was confirmed, 2 the review cannot decide, 3 nothing was done.
See docs/grants.md in the package.`;

/** Loads the work as late as possible: it loads the review. */
const work = (): typeof runGrantsModule =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- no other command needs it
  require('./run-grants') as typeof runGrantsModule;

const onLists = (command: Command): Command =>
  command
    .option('-C, --cwd <folder>', 'run as if started in this folder')
    .option('--file <path>', 'the file with the lists', 'exceptions.json')
    .option('--list <name>', 'a list of the file (default: the only one)')
    .addHelpText('after', HELP);

const onAccess = (command: Command): Command =>
  onLists(command)
    .option('--apply', 'after a preview, also run "up" for the sets that read the list, and for nothing else')
    .option('--yes', 'apply without asking');

/** The command `grant`. */
export const grantCommand = (context: CommandContext, judge: Judge): Command =>
  onAccess(
    new Command('grant')
      .description(
        'let an address in for a time: adds an entry to a named list, reviews it, writes the pull request',
      )
      .argument('<network>', 'an address, or a network in CIDR notation', network)
      .requiredOption(
        '--for <duration>',
        'how long: minutes, hours, days or weeks, such as 90m, 4h, 2d, 1w',
        duration,
      )
      .requiredOption('--reason <text>', 'why: the description of the rule', oneLine)
      .option('--ticket <id>', 'where it was decided: goes into the metadata of the rule', oneLine),
  ).action(async (what: Cidr, options: GrantOptions) => {
    context.end(await work().grant(what, { options, context, judge }));
  });

/** The command `revoke`. */
export const revokeCommand = (context: CommandContext, judge: Judge): Command =>
  onAccess(
    new Command('revoke')
      .description('remove an address from the named lists')
      .argument('<network>', 'an address, or a network in CIDR notation', network),
  ).action(async (what: Cidr, options: ChangeOptions) => {
    context.end(await work().revoke(what, { options, context, judge }));
  });

/** The command `grants`. */
export const grantsCommand = (context: CommandContext, judge: Judge): Command =>
  onLists(new Command('grants').description('list the entries that end by themselves, with the time left'))
    .option('--json', 'print the result as JSON')
    .option('--prune', 'remove the entries that have ended, and finish a merge that git could not')
    .action(async (options: ListOptions & { readonly prune?: true }) => {
      context.end(await work().grants({ options, context, judge }));
    });

function oneLine(text: string): string {
  if (/^\P{C}*\S\P{C}*$/u.test(text)) return text;
  throw new InvalidArgumentError('expected one line, without control characters');
}

function duration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined)
    throw new InvalidArgumentError('expected minutes, hours, days or weeks, such as 90m, 4h, 2d or 1w');
  return ms;
}
