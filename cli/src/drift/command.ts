// What for: the command `drift`: compares the live service with the state.
// Must not know: `import`, and how a difference is judged: it becomes a change, and the review judges that.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { choice, type CommonOptions, each, locationOf, withCommonOptions } from '../command/arguments';
import { type CommandContext, EXIT, hasColours } from '../command/context';
import { findFeedsFolder } from 'pulumi-edge-policy/internal/feeds/feed-files';
import type { Assumptions } from 'pulumi-edge-policy-review';
import { assumptionsOf, withAssumptionOptions } from '../judge/assumption-options';
import { type FeedOptions, readFeeds } from '../review/feeds';
import type { Judge } from '../judge/judge-case';
import { readAssertions } from '../judge/assertion-files';
import { stackNameOf } from '../pulumi/stack';
import { NotDecidable } from './read-live-stack';
import { findDrift } from './run-drift';

interface DriftOptions extends CommonOptions, Partial<Assumptions> {
  readonly format: 'markdown' | 'text';
  readonly alsoManagedBy?: readonly string[];
  readonly assertions?: readonly string[];
  readonly feeds?: string;
}

const HELP = `
Examples:
  $ ${COMMAND_LINE} drift
  $ ${COMMAND_LINE} drift --stack prod --format markdown > drift.md
  $ ${COMMAND_LINE} drift --stack prod --also-managed-by acme/other/prod --json

It reads the state and the service, and writes neither. Exit codes: 0 no drift, 1 drift, 2 not decidable (the service does not
answer, the key may belong to another account, or a run has left something unsettled), 3 nothing was compared (wrong usage or settings).`;

/** The command `drift`. */
export const driftCommand = (context: CommandContext, judge: Judge): Command =>
  withAssumptionOptions(
    withCommonOptions(
      new Command('drift').description(
        'say how the live access differs from the state, and who gets in as a result',
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
      const feeds = await readFeeds(ofLive(options, where.cwd), where.cwd, context);
      const request = {
        where,
        alsoManagedBy: options.alsoManagedBy ?? [],
        assertions: await readAssertions(options.assertions ?? [], where.cwd, () =>
          stackNameOf(where, context),
        ),
        ...(feeds && { feeds }),
        assumptions: assumptionsOf(options),
        now: new Date(context.clock.epochMs()).toISOString(),
      };
      try {
        const drift = await findDrift(request, context);
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
        context.end(EXIT.notDecidable);
      }
    });

/** Live objects are not a change by an author, so the feeds are their own base. */
function ofLive({ feeds }: Pick<DriftOptions, 'feeds'>, cwd: string): FeedOptions {
  const folder = feeds ?? findFeedsFolder(cwd);
  return folder === undefined ? {} : { feeds: folder, baseFeeds: folder };
}
