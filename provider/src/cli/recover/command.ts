import { Command } from 'commander';
import { locationOf, withCommonOptions } from '../arguments';
import type { CommandContext } from '../context';
import { type RecoverOptions, withRecoverOptions } from './options';
import type * as runRecoverModule from './run-recover';

const HELP = `
Examples:
  $ pulumi cancel                # removes the lock of the killed run
  $ edge-policy recover          # shows the outcome of each operation, changes nothing
  $ edge-policy recover --yes
  $ edge-policy recover --failed-run
  $ edge-policy recover --yes --take ipr_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa

The command never changes the service. Exit codes: 0 nothing is pending any more, 1 something is (only shown, or refused
because it is not certain) or a refresh is left to do, 3 nothing was done.`;

/** `edge-policy recover`. */
export function recoverCommand(context: CommandContext): Command {
  const command = new Command('recover').description(
    'find out what a killed run has done, and update the state accordingly',
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
