import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { PUBLISHERS } from 'pulumi-edge-policy/internal/feeds/publishers';
import { type CommonOptions, locationOf } from '../command/arguments';
import type { CommandContext } from '../command/context';

const HELP = `
Examples:
  $ ${COMMAND_LINE} feeds update
  $ ${COMMAND_LINE} feeds update cloudflare --accept "announced on their status page"

Feeds are declared in edge-policy.feeds.json, such as { "feeds": { "cloudflare": { "publisher": "cloudflare" } } }. Publishers:
${Object.keys(PUBLISHERS).join(', ')}. "update" writes what they list into the lock, which "pulumi preview" and "up" read, and drops
feeds that are no longer declared. It fetches without credentials; EDGE_POLICY_PROXY names a proxy. Exit codes: 0 done, 2 a
document was refused or could not be fetched, and its feed was left unchanged, 3 nothing was done. See docs/feeds.md in the
package.`;

/** The command `feeds`. */
export function feedsCommand(context: CommandContext): Command {
  const feeds = new Command('feeds').description(
    'pin published networks in a lock file, and update them deliberately',
  );
  feeds
    .command('update')
    .description('fetch the declared feeds, check them, and rewrite what has changed')
    .argument('[names...]', 'the feeds to update (default: all)')
    .option('--accept <reason>', 'accept a change of one feed beyond its bounds, this once, for this reason')
    .option('-C, --cwd <folder>', 'run as if started in this folder')
    .action(async (names: readonly string[], options: CommonOptions & { readonly accept?: string }) => {
      const { update } = require('./run-feeds') as typeof import('./run-feeds');
      const { cwd: folder } = locationOf(options, context.workingDirectory);
      context.end(await update({ names, accept: options.accept, folder, context }));
    });
  return feeds.addHelpText('after', HELP);
}
