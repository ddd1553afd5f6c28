import { Command } from 'commander';
import { locationOf, withCommonOptions } from '../arguments';
import type { CommandContext } from '../context';
import { type RecoverOptions, withRecoverOptions } from './options';
import type * as runRecoverModule from './run-recover';

const HELP = `
Examples:
  $ pulumi cancel                # the killed run has left its lock behind
  $ edge-policy recover          # shows what became of each operation, changes nothing
  $ edge-policy recover --yes
  $ edge-policy recover --failed-run
  $ edge-policy recover --yes --take ipr_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa

Nothing on the service is changed, ever. Exit codes: 0 nothing is pending any more, 1 something is (shown only, or
refused because it is not certain) or a refresh is left to do, 3 nothing was done.`;

/** `edge-policy recover`. */
export function recoverCommand(context: CommandContext): Command {
  const command = new Command('recover').description(
    'settle what a killed run left pending: clear what never happened, adopt what did',
  );
  return withCommonOptions(withRecoverOptions(command))
    .addHelpText('after', HELP)
    .action(async (options: RecoverOptions) => {
      // Loaded late: with it come the resources and the Pulumi SDK, which no help text needs.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- as late as possible
      const { runRecover } = require('./run-recover') as typeof runRecoverModule;
      context.end(await runRecover(options, locationOf(options, context.workingDirectory), context));
    });
}
