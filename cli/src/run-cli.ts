// What for: the command line: registers the commands, and turns their errors into exit codes.
// Must not know: what a command does: each has a folder.
import { Command, CommanderError } from 'commander';
import { isEdgePolicyError } from 'pulumi-edge-policy/internal/api/errors';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { doctorCommand } from './doctor/command';
import { type CliContext, type CommandContext, EXIT, type ExitCode, safeContext } from './command/context';
import { feedsCommand } from './feeds/command';
import { initCommand } from './init/command';
import { importCommand } from './import/command';
import { listCommand } from './list/command';
import { recoverCommand } from './recover/command';
import { driftCommand } from './drift/command';
import { explainCommand } from './explain/command';
import { pageCommand } from './page/command';
import { judgeApart } from './judge/judge-apart';
import type { Judge } from './judge/judge-case';
import { reviewCommand } from './review/command';
import { setupPluginCommand } from './setup-plugin/command';
import { InterruptedError } from './pulumi/pulumi-cli';
import { PACKAGE_VERSION } from 'pulumi-edge-policy/internal/api/client-settings';

const HELP = `
Settings come from the configuration of the stack (edge-policy:apiKey, edge-policy:baseUrl, …) and from the environment
(EDGE_POLICY_API_KEY, EDGE_POLICY_BASE_URL, …), as they do for the provider. Exit codes: 0 done, 1 something needs
attention, 2 not decidable, or a document was refused (feeds), 3 nothing was done (wrong usage, settings, service or CLI),
130 or 143 ended by Ctrl-C or SIGTERM before anything was done.`;

/** Runs the command line and returns its exit code; throws nothing but defects. */
export async function runCli(
  args: readonly string[],
  given: CliContext,
  judge: Judge = judgeApart,
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const context: CommandContext = {
    ...safeContext(given),
    end: (code) => {
      exitCode = code;
    },
  };
  const program = new Command(COMMAND_LINE)
    .description('Companion of the pulumi-edge-policy provider: adopt, list, check and repair')
    .version(PACKAGE_VERSION)
    .addHelpText('after', HELP);
  const commands = [
    importCommand,
    listCommand,
    doctorCommand,
    recoverCommand,
    feedsCommand,
    setupPluginCommand,
    initCommand,
    reviewCommand,
    driftCommand,
    explainCommand,
    pageCommand,
  ];
  for (const command of commands) program.addCommand(command(context, judge));
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ]) {
    command.exitOverride().configureOutput({
      writeOut: context.print,
      writeErr: context.note,
      outputError: (text, write) => {
        write(text.replace(INVALID_OPTION, '$1: ').replace(INVALID_ARGUMENT, ''));
      },
    });
  }
  try {
    const [first, named] = args;
    if (first === 'help' && named !== undefined && !program.commands.some((each) => each.name() === named))
      program.error(`error: unknown command '${named}'`);
    // `help review` means `review --help`, for which the command is loaded.
    const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
    await program.parseAsync(asked, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error, context);
  }
}

/** Commander wraps what is wrong with a value in a sentence that repeats it. */
const INVALID_OPTION = /^error: option '(--[a-z-]+)[^']*' argument '.*?' is invalid\. (?!Allowed)/s;
const INVALID_ARGUMENT =
  /^error: command-argument value '.*?' is invalid for argument '[^']*'\. (?!Allowed)/s;

function explain(error: unknown, context: CliContext): ExitCode {
  // Usage errors and help have been printed already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.failed;
  if (error instanceof InterruptedError) {
    context.note('Interrupted. Nothing was done.\n');
    return error.exitCode;
  }
  if (isUserError(error) || isEdgePolicyError(error)) {
    context.note(`${(error as Error).message}\n`);
    return EXIT.failed;
  }
  throw error;
}
