import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { PUBLISHERS } from 'pulumi-edge-policy/internal/feeds/publishers';
import { type CommonOptions, locationOf } from '../command/arguments';
import type { CommandContext } from '../command/context';
import { verify } from './inspect';
import type * as runFeedsModule from './run-feeds';

const HELP = `
Examples:
  $ ${COMMAND_LINE} feeds update
  $ ${COMMAND_LINE} feeds update cloudflare --accept "announced on their status page"
  $ ${COMMAND_LINE} feeds verify

Feeds are declared in edge-policy.feeds.json, such as { "feeds": { "cloudflare": { "publisher": "cloudflare" } } }. Publishers:
${Object.keys(PUBLISHERS).join(', ')}. "update" writes what they list into the lock, which "pulumi preview" and "up" read, and drops
feeds that are no longer declared. Only "update" fetches, without credentials; EDGE_POLICY_PROXY names a proxy. Exit codes: 0 done,
1 something needs attention (verify), 2 a document was refused or could not be fetched, and its feed was left unchanged, 3 nothing
was done. See docs/feeds.md in the package.`;

/** The command `feeds`. */
export function feedsCommand(context: CommandContext): Command {
  const feeds = new Command('feeds').description(
    'pin published networks in a lock file, and update them deliberately',
  );
  const folderOf = (options: CommonOptions): string => locationOf(options, context.workingDirectory).cwd;
  feeds
    .command('update')
    .description('fetch the declared feeds, check them, and rewrite what has changed')
    .argument('[names...]', 'the feeds to update (default: all)')
    .option('--accept <reason>', 'accept a change of one feed beyond its bounds, this once, for this reason')
    .option('-C, --cwd <folder>', 'run as if started in this folder')
    .action(async (names: readonly string[], options: CommonOptions & { readonly accept?: string }) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- no other command needs it
      const { update } = require('./run-feeds') as typeof runFeedsModule;
      const { accept } = options;
      context.end(await update({ names, accept, folder: folderOf(options), context }));
    });
  feeds
    .command('verify')
    .description('check the lock against declarations and digests, without the network')
    .option('-C, --cwd <folder>', 'run as if started in this folder')
    .action((options: CommonOptions) => {
      context.end(verify(folderOf(options), context));
    });
  return feeds.addHelpText('after', HELP);
}
