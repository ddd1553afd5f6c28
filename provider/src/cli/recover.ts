import { Command } from 'commander';
import { type CommonOptions, each, identifier, locationOf, withCommonOptions } from './arguments';
import type { ExitCode } from './exit-codes';
import type * as runRecoverModule from './recover/run-recover';
import type { Surroundings } from './surroundings';

/** What the command line of `recover` asks for. */
export interface RecoverOptions extends CommonOptions {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly failedRun?: true;
  readonly wait: boolean;
  readonly take?: readonly string[];
  readonly clear?: readonly string[];
}

const HELP = `
Examples:
  $ pulumi cancel                # the killed run has left its lock behind
  $ edge-policy recover          # shows what became of each operation, changes nothing
  $ edge-policy recover --yes
  $ edge-policy recover --failed-run --yes
  $ edge-policy recover --yes --take ipr_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa

Nothing on the service is changed, ever. Exit codes: 0 nothing is pending any more, 1 something is (shown only, or
refused because it is not certain) or a refresh is left to do, 3 nothing was done.`;

/** `edge-policy recover`. */
export const recoverCommand = (surroundings: Surroundings, end: (code: ExitCode) => void): Command => {
  const command = new Command('recover').description(
    'settle what a killed run has left pending: clear what never happened, bring in what did',
  );
  return withCommonOptions(
    command
      .option('--dry-run', 'only show (the default)')
      .addOption(command.createOption('-y, --yes', 'do it').conflicts('dryRun'))
      .option('--failed-run', 'look for what the last run has made and not noted, as its plugin was killed')
      .option(
        '--take <ipr_…>',
        'bring this rule in, though it is not certain whose it is (repeatable)',
        each(identifier('ipPolicyRule')),
      )
      .option(
        '--clear <urn>',
        'forget this operation, whatever the service holds (repeatable; URN#2 for the second under one URN)',
        each(String),
      )
      .option('--no-wait', 'do not wait until nothing of the interrupted run can change anything any more'),
  )
    .addHelpText('after', HELP)
    .action(async (options: RecoverOptions) => {
      // Loaded late: with it come the resources and the Pulumi SDK, which no help text needs.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- as late as possible
      const { runRecover } = require('./recover/run-recover') as typeof runRecoverModule;
      end(await runRecover(options, locationOf(options, surroundings.workingDirectory), surroundings));
    });
};
