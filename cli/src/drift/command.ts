// What for: the command `drift`: compares the live service with the state.
// Must not know: `import`, and how a difference is judged: it becomes a change, and the review judges that.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { choice, each, locationOf, withCommonOptions } from '../command/arguments';
import { type CommandContext, EXIT, hasColours } from '../command/context';
import { withAssumptionOptions } from '../judge/assumption-options';
import type { Judge } from '../judge/judge-case';
import { NotDecidable } from './read-live-stack';
import { type DriftOptions, findDrift } from './run-drift';

const HELP = `
Examples:
  $ ${COMMAND_LINE} drift
  $ ${COMMAND_LINE} drift --stack prod --format markdown > drift.md
  $ ${COMMAND_LINE} drift --stack prod --also-managed-by acme/other/prod --json

Reads the state and the service, and writes neither. Exit codes: 0 no drift, 1 drift, 2 not decidable (the service does not
respond, the key may belong to another account, or a run has left something unsettled), 3 nothing was compared (wrong usage or settings).`;

export const driftCommand = (context: CommandContext, judge: Judge): Command =>
  withAssumptionOptions(
    withCommonOptions(
      new Command('drift').description(
        'compare the live access with the state: the differences, and who gets in as a result',
      ),
    )
      .addOption(choice('--format <name>', 'what to print', ['markdown', 'text']).default('text'))
      .option('--also-managed-by <stack...>', 'other stacks that manage rules of the same policies')
      .option(
        '--assertions <file>',
        'assertions and waivers for the live state (repeatable; default: as for review)',
        each(String),
      )
      .option('--feeds <folder>', 'the folder of the published networks that assertions name'),
  )
    .addHelpText('after', HELP)
    .action(async (options: DriftOptions) => {
      const where = locationOf(options, context.workingDirectory);
      try {
        const drift = await findDrift(options, where, context);
        const format = options.json ? 'json' : options.format;
        const { exitCode, texts } = judge({
          ...drift,
          renderings: [{ format, hasColours: hasColours(context) }],
        });
        context.print(texts.join(''));
        context.end(exitCode);
      } catch (error) {
        if (!(error instanceof NotDecidable)) throw error;
        context.note(`Not decidable: ${error.message}\n`);
        if (options.json) context.print(printableJson({ formatVersion: 1, notDecidable: error.message }));
        context.end(EXIT.notDecidable);
      }
    });
