// What for: the command `import`: brings live objects under management, by code and an import file for the engine.
// Must not know: `recover`; how code is written or named is said in `adopt/`.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { allModuleKinds } from 'pulumi-edge-policy/internal/resources/modules';
import { locationOf, withCommonOptions } from '../command/arguments';
import type { CommandContext } from '../command/context';
import { type ImportOptions, modulesAskedFor, withImportOptions } from './options';
import { runImport } from './run-import';

const HELP = `
Examples:
  All rules of one policy, as code and an import file, to look at first:
  $ ${COMMAND_LINE} import --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa
  All rules of the account, as code and imported into the selected stack:
  $ ${COMMAND_LINE} import --all --run
  The modules of an edge and of a route:
  $ ${COMMAND_LINE} import --tcp-edge edgtcp_2ZnV5Rw8 --route edghts_2ZnV5Rw8/edghtsrt_9XhTq4Lm --run

For a program in a language other than TypeScript and JavaScript, it writes only the import file, and "pulumi import" prints
the code. The command never changes the service and never overwrites a file. It leaves out objects that the stack already
manages, so you can repeat it. Exit codes: 0 all objects, 1 the import failed, or objects that no program can declare were left
out, 3 nothing was done.`;

export function importCommand(context: CommandContext): Command {
  const command = new Command('import').description(
    'write TypeScript and an import file for existing objects, and import them',
  );
  return withCommonOptions(withImportOptions(command))
    .addHelpText('after', HELP)
    .action(async (options: ImportOptions) => {
      if (!options.all && !options.policy && modulesAskedFor(options).length === 0) {
        const kinds = allModuleKinds().map(({ importOption }) => importOption);
        command.error(`error: name what to adopt: --policy, --all, ${kinds.join(' or ')}`);
      }
      context.end(await runImport(options, locationOf(options, context.workingDirectory), context));
    });
}
