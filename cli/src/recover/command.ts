// What for: the command `recover`: finds out what became of interrupted operations, and repairs the state accordingly.
// Must not know: `import`, and how to change the service: it only reads there, and writes the state alone.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { each, liveId, locationOf, withCommonOptions } from '../command/arguments';
import type { CommandContext } from '../command/context';
import type { RecoverOptions } from './run-recover';
import type * as runRecoverModule from './run-recover';

const HELP = `
Examples:
  $ pulumi cancel                # removes the lock of the killed run
  $ ${COMMAND_LINE} recover          # shows the outcome of each operation, changes nothing
  $ ${COMMAND_LINE} recover --yes
  $ ${COMMAND_LINE} recover --yes --take ipr_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa

The command never changes the service. Exit codes: 0 nothing is pending any more, 1 something is (only shown, or refused
because it is not certain) or a refresh is left to do, 3 nothing was done.`;

export function recoverCommand(context: CommandContext): Command {
  const command = new Command('recover').description(
    'find the outcome of a killed run, and update the state accordingly',
  );
  return withCommonOptions(command)
    .option('-y, --yes', 'apply the outcome to the state; without this option, the command changes nothing')
    .option(
      '--take <id>',
      'take over this rule or module, although it is unclear whether this stack created it (repeatable)',
      each(liveId),
    )
    .option(
      '--clear <urn>',
      'forget the operations on this resource, and leave the service as it is (repeatable)',
      each(String),
    )
    .option('--no-wait', 'do not wait until the interrupted run can no longer change anything')
    .addHelpText('after', HELP)
    .action(async (options: RecoverOptions) => {
      // Loaded late: with it come the resources and the Pulumi SDK, which no help text needs.
      const { runRecover } = require('./run-recover') as typeof runRecoverModule;
      context.end(await runRecover(options, locationOf(options, context.workingDirectory), context));
    });
}
