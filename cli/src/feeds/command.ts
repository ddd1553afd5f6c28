import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command, InvalidArgumentError } from 'commander';
import { FORMATS } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { DIMENSIONS, PUBLISHERS } from 'pulumi-edge-policy/internal/feeds/publishers';
import { nameProblem } from 'pulumi-edge-policy/internal/values/list-name';
import { checked, choice, each, locationOf } from '../command/arguments';
import type { CommandContext, ExitCode } from '../command/context';
import { list, verify } from './inspect';
import type { AddOptions, Call, FeedsOptions, UpdateOptions } from './options';
import type * as runFeedsModule from './run-feeds';

const HELP = `
Examples:
  $ ${COMMAND_LINE} feeds add cloudflare
  $ ${COMMAND_LINE} feeds add ci-hooks --publisher github --select keys=hooks
  $ ${COMMAND_LINE} feeds add partner --url https://lists.example.com/v1.txt --format text
  $ ${COMMAND_LINE} feeds update
  $ ${COMMAND_LINE} feeds update cloudflare --accept "announced on their status page"
  $ ${COMMAND_LINE} feeds verify

Publishers: ${Object.keys(PUBLISHERS).join(', ')}.
Everything else about a feed is in its declaration: edit it, then run "update".
Only "add", "update" and "diff" fetch, without credentials; EDGE_POLICY_PROXY names a proxy. "pulumi preview" and "up" read
the lock. Exit codes: 0 done, 1 something needs attention (verify; diff: the lock is out of date), 2 a document
was refused or could not be fetched, and its feed was left unchanged, 3 nothing was done. See docs/feeds.md in the package.`;

/** The command `feeds`. */
export function feedsCommand(context: CommandContext): Command {
  const feeds = new Command('feeds').description(
    'pin published networks in a lock file, and update them deliberately',
  );
  const subcommand = <Options extends FeedsOptions>(
    command: Command,
    run: (feeds: typeof runFeedsModule, of: Call<Options>) => Promise<ExitCode> | ExitCode,
  ): void => {
    feeds.addCommand(
      command
        .option('-C, --cwd <folder>', 'run as if started in this folder')
        .option('--json', 'print the result as JSON')
        .action(async () => {
          const options = command.opts<Options>();
          const folder = locationOf(options, context.workingDirectory).cwd;
          const names = command.processedArgs.flat().filter((name) => typeof name === 'string');
          // eslint-disable-next-line @typescript-eslint/no-require-imports -- no other command needs it
          const work = require('./run-feeds') as typeof runFeedsModule;
          context.end(await run(work, { names, options, folder, context }));
        }),
    );
  };
  subcommand<AddOptions>(addCommand(), ({ add }, call) => add(call));
  subcommand(
    new Command('remove').description('remove a feed from the declaration and the lock').argument(
      '<name>',
      'a feed',
      checked((name) => nameProblem(name, 'feed')),
    ),
    ({ remove }, call) => remove(call),
  );
  subcommand<UpdateOptions>(updateCommand(), ({ update }, call) => update(call));
  subcommand(
    new Command('diff')
      .description('fetch feeds and show how they differ from the lock; exit code 1 if they do')
      .argument('[names...]', 'the feeds to compare (default: all)'),
    ({ diff }, call) => diff(call),
  );
  subcommand(new Command('list').description('list the declared feeds'), (_, call) => list(call));
  subcommand(
    new Command('verify').description('check the lock against declarations and digests, without the network'),
    (_, call) => verify(call),
  );
  return feeds.addHelpText('after', HELP);
}

const addCommand = (): Command =>
  new Command('add')
    .description('declare a feed, fetch it and write the lock')
    .argument(
      '<name>',
      'the name of the feed; without a source, also that of its publisher',
      checked((name) => nameProblem(name, 'feed')),
    )
    .addOption(choice('--publisher <name>', 'the publisher of the documents', Object.keys(PUBLISHERS)))
    .option('--url <https://…>', 'the address of the document (repeatable)', each(String))
    .option('--file <path>', 'a document in the folder of the declaration, or below it')
    .addOption(choice('--format <format>', 'the format of your own document, without --publisher', FORMATS))
    .option(
      '--select <dimension=value>',
      `only these entries of a publisher (repeatable): ${DIMENSIONS.join(', ')}`,
      each(selected),
    );

const updateCommand = (): Command =>
  new Command('update')
    .description('fetch feeds, check them, and rewrite what has changed')
    .argument('[names...]', 'the feeds to update (default: all)')
    .option('--accept <reason>', 'accept a change of one feed beyond its bounds, this once, for this reason');

function selected(text: string): readonly [string, string] {
  const [dimension = '', ...value] = text.split('=');
  if (DIMENSIONS.some((known) => known === dimension) && value.join('=') !== '')
    return [dimension, value.join('=')];
  throw new InvalidArgumentError(
    `expected DIMENSION=VALUE, such as keys=hooks; the dimensions are ${DIMENSIONS.join(', ')}`,
  );
}
