// What for: the command `explain`: answers for one connection, and when the answer changed.
// Must not know: `drift`, and how access is computed: the review does that.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import {
  type Assumptions,
  type DatedAnswer,
  DEFAULT_ASSUMPTIONS,
  explain,
  type Question,
  renderAnswers,
  renderAnswersAsJson,
} from 'pulumi-edge-policy-review';
import {
  type CommonOptions,
  identifier,
  locationOf,
  moduleId,
  network,
  withCommonOptions,
} from '../command/arguments';
import { httpsEdgeRouteUserAgentFilterModule } from 'pulumi-edge-policy/internal/resources/https-edge-route-user-agent-filter-module';
import { type CliContext, type CommandContext, EXIT, type ExitCode } from '../command/context';
import { assumptionsOf, withAssumptionOptions } from '../judge/assumption-options';
import type * as serviceModule from './read-service';
import { blameOf } from './blame';
import { snapshotOfState, snapshotsOfPreview } from './snapshots';
import { parseDeployment } from '../pulumi/deployment';
import { findProjectFolder, requireStack } from '../pulumi/stack';
import { settingsOfStack } from '../pulumi/stack-settings';
import { withClient } from '../pulumi/with-client';

interface ExplainOptions extends CommonOptions, Partial<Assumptions> {
  readonly policy?: string;
  readonly tcpEdge?: string;
  readonly route?: string;
  readonly userAgent?: string;
  readonly withoutUserAgent?: true;
  readonly preview?: string;
  readonly live?: true;
  readonly blame?: true;
}

const EXAMPLES = `
Examples:
  $ ${COMMAND_LINE} explain 203.0.113.7 --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa
  $ ${COMMAND_LINE} explain 203.0.113.7 --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa --blame
  $ ${COMMAND_LINE} explain 203.0.113.0/24 --tcp-edge edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa --live
  $ ${COMMAND_LINE} explain --route edghts_…/edghtsrt_… --user-agent 'curl/8.11.0' --preview preview.json

It reads the state of the stack; a preview, before and after, with --preview; the service with --live.
Exit codes: 0 decided, 2 not decided, 3 nothing was asked (wrong usage or input).`;

/** The command `explain`. */
export const explainCommand = (context: CommandContext): Command =>
  withAssumptionOptions(
    withCommonOptions(
      new Command('explain')
        .description(
          'say whether an address, a network or a client gets in, and which rule or pattern decides',
        )
        .argument('[network]', 'an address, or a network in CIDR notation', network)
        .option('--policy <ipp_…>', 'under this IP policy', identifier('ipPolicy'))
        .option('--tcp-edge <edgtcp_…>', 'through this TCP edge', identifier('tcpEdge'))
        .option(
          '--route <edghts_…/edghtsrt_…>',
          'on this route of an HTTPS edge',
          moduleId(httpsEdgeRouteUserAgentFilterModule),
        )
        .option('--user-agent <text>', 'the client, by its User-Agent header')
        .option('--without-user-agent', 'a client that sends no such header')
        .option(
          '--preview <file>',
          'before and after the change in this JSON from "pulumi preview --json --show-sames"',
        )
        .option('--blame', 'also name the commit that introduced the deciding line')
        .option('--live', 'by the rules on the service now, from all stacks'),
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (what: Cidr | undefined, options: ExplainOptions) => {
      context.end(await answerQuestion(questionOf(what, options), options, context));
    });

/** @throws UserError if the question is not one of the three. */
function questionOf(what: Cidr | undefined, options: ExplainOptions): Question {
  const { policy, tcpEdge, route, userAgent, withoutUserAgent } = options;
  if ([policy, tcpEdge, route].filter((subject) => subject !== undefined).length !== 1)
    throw new UserError('Name one of --policy, --tcp-edge and --route.');
  if (route !== undefined) {
    if (what !== undefined) throw new UserError('A route needs --user-agent, not an address.');
    if ((userAgent === undefined) === (withoutUserAgent === undefined))
      throw new UserError('Give --user-agent TEXT, or --without-user-agent for a client that sends none.');
    return { kind: 'route', subject: route, userAgent: userAgent ?? null };
  }
  if (what === undefined || userAgent !== undefined || withoutUserAgent)
    throw new UserError('Give an address or a network, such as 203.0.113.7.');
  const kind = policy === undefined ? 'tcp-edge' : 'policy';
  return { kind, subject: policy ?? tcpEdge ?? '', network: what };
}

async function answerQuestion(
  question: Question,
  options: ExplainOptions,
  context: CliContext,
): Promise<ExitCode> {
  const assumptions = { ...DEFAULT_ASSUMPTIONS, ...assumptionsOf(options) };
  const answers: DatedAnswer[] = [];
  for (const { when, snapshot } of await snapshotsFor(question, options, context)) {
    const answer = explain(snapshot, question, assumptions);
    const blame = options.blame && (await blameOf(answer, projectOf(options, context), context));
    answers.push({ when, answer, ...(blame && { blame }) });
  }
  context.print(options.json ? renderAnswersAsJson(question, answers) : renderAnswers(answers));
  if (options.live && answers.some(({ answer: { decision } }) => decision === 'not-there'))
    context.note('The service shows nothing of it to this key, which may be one of another account.\n');
  const isOpen = answers.some(({ answer: { decision } }) => ['undecided', 'not-there'].includes(decision));
  return isOpen ? EXIT.undecided : EXIT.done;
}

/** The folder to which places in a program are relative. */
function projectOf(options: ExplainOptions, { workingDirectory }: CliContext): string {
  const { cwd } = locationOf(options, workingDirectory);
  return findProjectFolder(cwd) ?? cwd;
}

type DatedSnapshot = Pick<DatedAnswer, 'when'> & { readonly snapshot: Parameters<typeof explain>[0] };

async function snapshotsFor(
  question: Question,
  options: ExplainOptions,
  context: CliContext,
): Promise<DatedSnapshot[]> {
  const where = locationOf(options, context.workingDirectory);
  if (options.live && options.preview !== undefined)
    throw new UserError('Give --preview or --live, not both.');
  if (options.preview !== undefined) {
    const { before, after } = snapshotsOfPreview(readText(path.resolve(where.cwd, options.preview)));
    return [
      { when: 'before', snapshot: before },
      { when: 'after', snapshot: after },
    ];
  }
  if (options.live) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- as late as possible: it loads the resources
    const { snapshotOfService } = require('./read-service') as typeof serviceModule;
    const settings = await settingsOfStack(context, where);
    const snapshot = await withClient(context, settings, (client) => snapshotOfService(client, question));
    return [{ when: 'now', snapshot }];
  }
  const state = parseDeployment(await requireStack(context, where).exportText());
  return [{ when: 'now', snapshot: snapshotOfState(state) }];
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`The preview cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}
