import { Command } from 'commander';
import type { RuleForm } from '../adopt/plan';
import {
  action,
  choice,
  type CommonOptions,
  each,
  identifier,
  locationOf,
  namePrefix,
  network,
  resourceName,
  routeIdentifier,
  withCommonOptions,
} from './arguments';
import type { ExitCode } from './exit-codes';
import type * as runImportModule from './import/run-import';
import type { Surroundings } from './surroundings';
import type { Cidr } from '../values/cidr';

/** What the command line of `import` asks for. */
export interface ImportOptions extends CommonOptions {
  readonly policy?: readonly string[];
  readonly all?: true;
  readonly tcpEdge?: readonly string[];
  readonly route?: readonly string[];
  readonly action?: 'allow' | 'deny';
  readonly cidr?: readonly Cidr[];
  readonly within?: readonly Cidr[];
  readonly description?: string;
  readonly as?: RuleForm;
  readonly name?: string;
  readonly provider?: string;
  readonly namePrefix?: string;
  readonly out: string;
  readonly run?: true;
  readonly protect?: true;
  readonly force?: true;
}

const HELP = `
Examples:
  All rules of one policy, as code and import file to look at first:
  $ edge-policy import --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa
  The same, written anew and imported:
  $ edge-policy import --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa --run --force
  Everything that the account shows, imported into the selected stack:
  $ edge-policy import --all --run
  One rule that a create found in its way, for the resource that the program declares as "office":
  $ edge-policy import --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa --cidr 203.0.113.0/24 --name office --run
  The modules of an edge and of a route:
  $ edge-policy import --tcp-edge edgtcp_2ZnV5Rw8 --route edghts_2ZnV5Rw8/edghtsrt_9XhTq4Lm --run

Nothing on the service is changed, ever. What the stack manages already is left out, so the command can be repeated;
after one that was killed too. With --run it ends with a preview of the program.
Exit codes: 0 all of it, 1 some objects no program can declare were left out, the import failed, or the next "pulumi up"
would delete or create something that is managed, 3 nothing was done.`;

/** `edge-policy import`. */
export function importCommand(surroundings: Surroundings, end: (code: ExitCode) => void): Command {
  const command = new Command('import').description(
    'write TypeScript and an import file for what exists on the service, and import it',
  );
  whatToAdopt(command);
  howToAdopt(command);
  return withCommonOptions(command)
    .addHelpText('after', HELP)
    .action(async (options: ImportOptions) => {
      if (!options.all && !options.policy && !options.tcpEdge && !options.route) {
        command.error('error: name what to adopt: --policy, --all, --tcp-edge or --route');
      }
      if (options.name !== undefined && !options.run) {
        command.error('error: --name needs --run: there is no code to write, and only the state is missing');
      }
      // Loaded late: with it come the resources and the Pulumi SDK, which no help text needs.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- as late as possible
      const { runImport } = require('./import/run-import') as typeof runImportModule;
      end(await runImport(options, locationOf(options, surroundings.workingDirectory), surroundings));
    });
}

function whatToAdopt(command: Command): void {
  command
    .addOption(
      command
        .createOption('--policy <ipp_…>', 'the rules of this IP policy (repeatable)')
        .argParser(each(identifier('ipPolicy')))
        .conflicts('all'),
    )
    .option('--all', 'the rules of all policies that the list of rules shows')
    .option(
      '--tcp-edge <edgtcp_…>',
      'the traffic policy module of this edge (repeatable)',
      each(identifier('tcpEdge')),
    )
    .option(
      '--route <edge/route>',
      'the user agent filter module of this route (repeatable)',
      each(routeIdentifier),
    )
    .option('--action <allow|deny>', 'only rules with this action', action)
    .option('--cidr <network>', 'only rules for this very network (repeatable)', each(network))
    .option('--within <network>', 'only rules for networks inside of this one (repeatable)', each(network))
    .option('--description <text>', 'only rules whose description holds this text');
}

function howToAdopt(command: Command): void {
  command
    .addOption(
      choice(
        '--as <form>',
        'one resource per rule, or one for all of a policy (default: set above 20 rules)',
        ['rules', 'set'],
      ),
    )
    .addOption(
      command
        .createOption(
          '--name <name>',
          'the one resource is declared already, under this name or URN: write no code',
        )
        .argParser(resourceName)
        .conflicts(['namePrefix', 'as', 'provider']),
    )
    .option(
      '--provider <name>',
      'in the account of this Provider of the program, by name or URN, and under it',
      resourceName,
    )
    .option('--name-prefix <text>', 'begin every resource name with this', namePrefix)
    .option('--out <folder>', 'where the files go', 'adopted')
    .option('--run', 'import into the stack, after showing what will happen')
    .option('--protect', 'protect the resources from deletion, in state and code')
    .option('--force', 'overwrite adopted.ts, unless it declares what a stack of the project manages');
}
