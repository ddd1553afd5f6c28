// What for: the command `review`: reads a preview and its guards, and writes reports.
// Must not know: `drift`, and how anything is judged or worded.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command, InvalidArgumentError } from 'commander';
import { isUserError, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { DEFAULT_FAIL_ON, DUPLICATE_NETWORKS, THRESHOLDS, type TrafficLog } from 'pulumi-edge-policy-review';
import { endMs, parseUntil } from 'pulumi-edge-policy/internal/values/until';
import { checked, choice, each, type Location, locationOf, network } from '../command/arguments';
import { cliVersion } from '../pulumi/pulumi-cli';
import { localPreview } from '../explain/sources';
import { findProjectFolder, requireStack, reviewablePreview, stackNameOf } from '../pulumi/stack';
import { requireOutsideChange } from '../traffic/change-tree';
import { readLogs, type TrafficReading } from '../traffic/read-traffic';
import { trafficFieldsOption, trafficOption, type TrafficOptions } from '../traffic/traffic-options';
import { type FeedOptions, readFeeds } from './feeds';
import {
  FILE_FORMATS,
  type ReportFile,
  type ReviewOptions,
  type ReviewSources,
  runReview,
} from './run-review';
import { assertionFileOf, COMMON_ASSERTION_FILE, REVIEW_FORMATS } from '../judge/review-files';
import { withAssumptionOptions } from '../judge/assumption-options';
import type { Judge } from '../judge/judge-case';
import { readLive } from './read-live';
import { type CliContext, type CommandContext, hasColours } from '../command/context';

interface CommandOptions extends FeedOptions, ReviewOptions, TrafficOptions {
  readonly cwd?: string;
  readonly now?: string;
}

const HELP = `
Examples:
  $ pulumi preview --json --show-sames --show-replacement-steps > preview.json; ${COMMAND_LINE} review preview.json
  $ pulumi preview --json --show-sames --show-replacement-steps | ${COMMAND_LINE} review - --format text
  $ ${COMMAND_LINE} review --stack prod --live --fail-on medium
  $ ${COMMAND_LINE} review preview.json --stack acme/infra/prod --state state.json
  $ ${COMMAND_LINE} review preview.json --traffic /var/log/nginx/access.log --traffic /var/log/nginx/access.log.1.gz

Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 not decidable (the preview failed, hides unchanged resources,
or a value is secret or not known yet; docs/review.md has the whole list), 3 nothing was reviewed (wrong usage or input).`;

export const reviewCommand = (context: CommandContext, judge: Judge): Command =>
  withAssumptionOptions(
    new Command('review')
      .description('review a previewed change: who gains access, who is locked out, which protection is off')
      .argument(
        '[file]',
        'JSON from "pulumi preview --json --show-sames --show-replacement-steps"; - reads standard input',
      )
      .option('-s, --stack <name>', 'preview this stack; with a file, refuse the preview of another stack')
      .option('-C, --cwd <folder>', 'run as if started in this folder')
      .addOption(choice('--format <name>', 'the form of the report', REVIEW_FORMATS).default('markdown'))
      .option(
        '--write <format=file>',
        'also write the report to a file in this format; "plan" writes the file for --expect (repeatable)',
        each(reportFile),
      )
      .option(
        '--pages <url>',
        'the address of the documentation, to which a report in Markdown then links',
        checked((url) => (/^https:\/\/[\w./:-]+$/.test(url) ? undefined : 'give it as https://HOST/PATH')),
      )
      .addOption(
        choice(
          '--fail-on <severity>',
          `exit code 1 for findings of at least this severity (default: the one in the assertion file, otherwise ` +
            `${DEFAULT_FAIL_ON})`,
          THRESHOLDS,
        ),
      )
      .option(
        '--no-new-access',
        'exit code 1 if anyone may get in who could not before, regardless of --fail-on',
      )
      .option(
        '--must-allow <network>',
        'exit code 1 if this address or network gets in now and would be locked out, regardless of --fail-on (repeatable)',
        each(network),
      )
      .option(
        '--assertions <file>',
        `assertions and waivers (repeatable; default: ${COMMON_ASSERTION_FILE} and ${assertionFileOf('STACK')}, as far as they exist)`,
        each(String),
      )
      .option(
        '--expect <file>',
        'fail if the plan is not the reviewed one (--write plan=FILE); findings of the reviewed plan count as approved',
      )
      .option(
        '--base-assertions <file>',
        'assertions of the base revision: the report names each one that the change removes (repeatable)',
        each(String),
      )
      .option(
        '--accept <hash>',
        'another person has accepted exactly the change with this hash: no finding that a person can judge stops it',
        acceptanceHash,
      )
      .option(
        '--feeds <folder>',
        'the folder with the published networks of the change (default: the nearest folder above that has any)',
      )
      .option(
        '--base-feeds <folder>',
        'the folder with the published networks of the base revision, if it has any',
      )
      .option(
        '--confirm-feeds',
        'ask the publishers that the base declares whether they list the networks of the change',
      )
      .option(
        '--state <file>',
        'the state before, from "pulumi stack export": a preview that contradicts it is not decidable',
      )
      .addOption(trafficOption())
      .addOption(trafficFieldsOption())
      .option('--anonymise', 'show networks (/24, /48) instead of the addresses of clients in logs')
      .addOption(
        choice(
          '--duplicate-networks <answer>',
          'what the service does with a second rule for a network of one policy (default: refused)',
          DUPLICATE_NETWORKS,
        ),
      )
      .option('--live', 'compare with the live objects, and also count rules that are not in the stack'),
  )
    .option('--now <time>', 'review as of this time, which decides which rules and waivers have ended', time)
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, options: CommandOptions) => {
      const { exitCode, output } = await runReview(options, { ...sourcesOf(file, options, context), judge });
      context.print(output);
      context.end(exitCode);
    });

function reportFile(text: string): ReportFile {
  const [name = '', ...rest] = text.split('=');
  const format = FILE_FORMATS.find((candidate) => candidate === name);
  if (!format || rest.join('=') === '')
    throw new InvalidArgumentError('expected a format and a file, such as json=review.json');
  return { format, path: rest.join('=') };
}

function acceptanceHash(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError('expected the hash that a report names: 64 hexadecimal digits');
  return text;
}

function time(text: string): string {
  const parsed = parseUntil(text);
  if (!parsed.ok || !text.includes(':'))
    throw new InvalidArgumentError('expected a time such as 2026-12-31T12:00:00Z');
  return new Date(endMs(parsed.until)).toISOString();
}

function sourcesOf(
  file: string | undefined,
  options: CommandOptions,
  context: CliContext,
): Omit<ReviewSources, 'judge'> {
  const where = locationOf(options, context.workingDirectory);
  const { cwd } = where;
  return {
    cwd,
    preview: () => previewText(file, where, context),
    stackName: () => stackNameOf(where, context),
    ...(file === undefined && { cliVersion: () => cliVersion(requireStack(context, where).cli) }),
    live: (reviewed) => readLive(reviewed, where, context),
    feeds: () => readFeeds(options, cwd, context),
    traffic: () => readForeignLogs(file, { ...options, cwd, context }),
    now: options.now ?? new Date(context.clock.epochMs()).toISOString(),
    isTerminal: hasColours(context),
  };
}

/** @throws UserError if the change that is reviewed could have written a log. */
function readForeignLogs(preview: string | undefined, options: TrafficReading): Promise<TrafficLog[]> {
  const { traffic = [], cwd } = options;
  const files = traffic.map(({ file }) => file).filter((file) => file !== '-');
  if (preview === '-' && files.length < traffic.length)
    throw new UserError('Standard input is the preview already: name the file of the log.');
  for (const file of files) requireOutsideChange(file, { cwd, projectFolder: findProjectFolder(cwd) });
  return readLogs(options);
}

async function previewText(file: string | undefined, where: Location, context: CliContext): Promise<string> {
  if (file !== undefined) return localPreview(file, where.cwd);
  // Waiting for input from a terminal would look like a hang.
  if (where.stack === undefined)
    throw new UserError(
      `Give the preview to review: FILE, - for standard input, or --stack NAME to run one now.${await forSelectedStack(where, context)}`,
    );
  return reviewablePreview(where, context);
}

/** The command for the selected stack, if there is one. */
async function forSelectedStack(where: Location, context: CliContext): Promise<string> {
  try {
    return `\nFor the selected stack: ${COMMAND_LINE} review --stack ${await stackNameOf(where, context)}`;
  } catch (error) {
    if (isUserError(error)) return '';
    throw error;
  }
}
