// What for: the commands `grant`, `revoke` and `grants`: entries of named lists that end by themselves.
// Must not know: `pulumi`, the service, and who gets in: `review` says that.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command, InvalidArgumentError } from 'commander';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { network } from '../command/arguments';
import type { CommandContext } from '../command/context';
import { grant, type GrantOptions, grants, type GrantsOptions, type ListOptions, revoke } from './run-grants';

const HELP = `
Examples:
  $ ${COMMAND_LINE} grant 198.51.100.7 --for 4h --reason "vendor on call"
  $ ${COMMAND_LINE} revoke 198.51.100.7
  $ ${COMMAND_LINE} grants --prune

They read and edit the file, and nothing else: "review" reviews the change, and "pulumi up" applies it. The service cannot end a
rule by itself: the access ends with the first "up" after it. Exit codes: 0 done, 3 nothing was done. See docs/grants.md in the
package.`;

/** A command about a file with lists. */
function listsCommand(name: string, description: string, defaultList: string): Command {
  return new Command(name)
    .description(description)
    .option('-C, --cwd <folder>', 'run as if started in this folder')
    .option('--file <path>', 'the file with the lists', 'exceptions.json')
    .option('--list <name>', `a list of the file (default: ${defaultList})`)
    .addHelpText('after', HELP);
}

const NETWORK = ['<network>', 'an address, or a network in CIDR notation', network] as const;

/** The command `grant`. */
export const grantCommand = (context: CommandContext): Command =>
  listsCommand(
    'grant',
    'let an address in for a time: adds an entry to a named list, writes the pull request',
    'the only one',
  )
    .argument(...NETWORK)
    .requiredOption(
      '--for <duration>',
      'how long: minutes, hours, days or weeks, such as 90m, 4h, 2d, 1w',
      duration,
    )
    .requiredOption('--reason <text>', 'why: the description of the rule', oneLine)
    .option('--ticket <id>', 'where it was decided: goes into the metadata of the rule', oneLine)
    .action((what: Cidr, options: GrantOptions) => grant(what, options, context));

/** The command `revoke`. */
export const revokeCommand = (context: CommandContext): Command =>
  listsCommand('revoke', 'remove an address from the named lists', 'all that allow')
    .argument(...NETWORK)
    .action((what: Cidr, options: ListOptions) => revoke(what, options, context));

/** The command `grants`. */
export const grantsCommand = (context: CommandContext): Command =>
  listsCommand('grants', 'list the entries that end by themselves, with the time left', 'all')
    .option('--json', 'print the result as JSON')
    .option('--prune', 'remove the entries that have ended, and finish a merge that git could not')
    .action((options: GrantsOptions) => grants(options, context));

function oneLine(text: string): string {
  if (/^\P{C}*\S\P{C}*$/u.test(text)) return text;
  throw new InvalidArgumentError('expected one line, without control characters');
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const TEN_YEARS_MS = 3653 * UNITS_MS.d;

function duration(text: string): number {
  const [, amount, unit] = /^([1-9]\d*)([mhdw])$/.exec(text) ?? [];
  const ms = Number(amount) * UNITS_MS[(unit ?? 'm') as keyof typeof UNITS_MS];
  if (ms <= TEN_YEARS_MS) return ms;
  throw new InvalidArgumentError(
    'expected minutes, hours, days or weeks, such as 90m, 4h, 2d or 1w, and at most ten years',
  );
}
