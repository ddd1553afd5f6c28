// What for: the command `explain`: answers for one connection, and when the answer changed.
// Must not know: `drift`, and how access is computed: the review does that.
import { Command } from 'commander';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import {
  type Assumptions,
  type Client,
  type DatedAnswer,
  DEFAULT_ASSUMPTIONS,
  explainerOf,
  looksAtUserAgents,
  renderAnswers,
  renderAnswersAsJson,
  type Subject,
  explainClients,
  withEnd,
  type Explainer,
  isAllDecided,
  renderClients,
  renderClientsAsJson,
} from 'pulumi-edge-policy-review';
import { type CommonOptions, locationOf, network, withCommonOptions } from '../command/arguments';
import { type CliContext, type CommandContext, EXIT, type ExitCode } from '../command/context';
import { assumptionsOf, withAssumptionOptions } from '../judge/assumption-options';
import { trafficFieldsOption, trafficOption, type TrafficOptions } from '../traffic/traffic-options';
import { namedSubject, namesOf, placesFor, subjectsOf, withSubjectOptions } from './named-subject';
import { AT_HELP, STATE_HELP } from '../pulumi/recorded-state';
import { readSnapshots, type SourceOptions } from './sources';
import { readLogs } from '../traffic/read-traffic';

interface ExplainOptions extends CommonOptions, SourceOptions, TrafficOptions, Partial<Assumptions> {
  readonly userAgent?: string;
}

const EXAMPLES = `
Examples:
  $ ${COMMAND_LINE} explain 203.0.113.7
  $ ${COMMAND_LINE} explain 203.0.113.7 --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa
  $ ${COMMAND_LINE} explain 203.0.113.0/24 --tcp-edge edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa --live
  $ ${COMMAND_LINE} explain --traffic /var/log/nginx/access.log --preview preview.json
  $ ${COMMAND_LINE} explain --route edghts_…/edghtsrt_… --user-agent 'curl/8.11.0' --preview preview.json

Without --policy, --tcp-edge or --route, it answers for every policy, edge and route, each with its id.
It reads the state of the stack; a preview, before and after, with --preview; the service with --live; a state of the past with --state
or --at.
Exit codes: 0 decided, 2 not decided, 3 nothing was asked (wrong usage or input).`;

export const explainCommand = (context: CommandContext): Command =>
  withAssumptionOptions(
    withCommonOptions(
      withSubjectOptions(
        new Command('explain')
          .description(
            'explain whether an address, a network or a client gets in, and which rule or pattern decides',
          )
          .argument('[network]', 'an address, or a network in CIDR notation', network),
      )
        .option('--user-agent <text>', 'the client, by its User-Agent header')
        .option(
          '--preview <file>',
          'before and after the change in this JSON from "pulumi preview --json --show-sames --show-replacement-steps"',
        )
        .addOption(trafficOption())
        .addOption(trafficFieldsOption())
        .option('--live', 'judge by the rules on the service now, from all stacks')
        .option('--state <file>', STATE_HELP)
        .option('--at <time>', AT_HELP),
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (what: Cidr | undefined, options: ExplainOptions) => {
      context.end(await answer(what, options, context));
    });

async function answer(
  network: Cidr | undefined,
  options: ExplainOptions,
  context: CliContext,
): Promise<ExitCode> {
  const named = namedSubject(options);
  const client = clientOf(network, named, options);
  const where = locationOf(options, context.workingDirectory);
  const places = named && options.live ? placesFor(named) : undefined;
  const snapshots = await readSnapshots({ ...options, ...where }, context, places);
  const assumptions = { ...DEFAULT_ASSUMPTIONS, ...assumptionsOf(options) };
  const sides = snapshots.map(({ when, snapshot, declared }) => ({
    when,
    declared: declared && explainerOf(declared, assumptions).subjects,
    explainer: explainerOf(snapshot, assumptions),
  }));
  const subjects = named ? [named] : subjectsOf(sides, client, options.traffic !== undefined);
  const asked = subjects.map((subject) => ({ ...subject, names: namesOf(subject, sides) }));
  if (asked.length === 0) context.note('No policy, edge or route declared here applies to this client.\n');
  if (options.traffic) return answerForLogs({ sides, asked }, options, context);
  const recorded = snapshots[0]?.recorded;
  const nowMs = context.clock.epochMs();
  const account = asked.map((subject) => ({
    ...subject,
    answers: sides.map(({ when, explainer }): DatedAnswer => ({
      when,
      answer: withEnd(explainer.answer({ ...subject, ...client }), recorded ? -Infinity : nowMs),
    })),
  }));
  context.print(options.json ? renderAnswersAsJson(client, account, recorded?.time) : renderAnswers(account));
  // Without a user agent a route has a line that says so, and decides nothing about an address.
  const answered = account.filter(({ kind }) => !looksAtUserAgents(kind) || client.userAgent !== undefined);
  const decisions = answered.flatMap(({ answers }) => answers.map(({ answer: { decision } }) => decision));
  if (options.live && decisions.includes('not-there'))
    context.note('This key cannot see it on the service: the key may belong to another account.\n');
  const isDecided = decisions.every((decision) => decision !== 'undecided' && decision !== 'not-there');
  const isCertain = recorded?.isCertain ?? true;
  return isDecided && isCertain && decisions.length > 0 ? EXIT.done : EXIT.notDecidable;
}

function clientOf(
  network: Cidr | undefined,
  named: Subject | undefined,
  { userAgent, traffic }: ExplainOptions,
): Client {
  if (traffic) {
    if (network || userAgent !== undefined)
      throw new UserError('A log names its clients: give --traffic without a network or a user agent.');
    return {};
  }
  const isOfAgents = named !== undefined && looksAtUserAgents(named.kind);
  if (isOfAgents && network !== undefined) throw new UserError('A route needs --user-agent, not an address.');
  if (isOfAgents && userAgent === undefined) throw new UserError('A route needs --user-agent TEXT.');
  const isOfAddresses = named !== undefined && !isOfAgents;
  if ((isOfAddresses || userAgent === undefined) && network === undefined)
    throw new UserError('Give an address or a network, such as 203.0.113.7.');
  if (isOfAddresses && userAgent !== undefined)
    throw new UserError('Only a route looks at the user agent: give --route, or name nothing.');
  return { ...(network && { network }), ...(userAgent !== undefined && { userAgent }) };
}

interface AskedSubjects {
  readonly asked: readonly (Subject & { readonly names: readonly string[] })[];
  readonly sides: readonly { readonly when: DatedAnswer['when']; readonly explainer: Explainer }[];
}

async function answerForLogs(
  { sides, asked }: AskedSubjects,
  options: CommonOptions & TrafficOptions,
  context: CliContext,
): Promise<ExitCode> {
  const { cwd } = locationOf(options, context.workingDirectory);
  const logs = await readLogs({ ...options, cwd, context });
  const explained = asked.flatMap((subject) =>
    sides.flatMap((side) => {
      const clients = explainClients(side, subject, logs);
      return clients ? { ...clients, names: subject.names } : [];
    }),
  );
  if (explained.length === 0) context.note('None of the logs concerns anything declared here.\n');
  context.print(options.json ? renderClientsAsJson(explained) : renderClients(explained));
  return explained.length > 0 && explained.every(isAllDecided) ? EXIT.done : EXIT.notDecidable;
}
