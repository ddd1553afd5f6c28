import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { findSetting } from 'pulumi-edge-policy/internal/settings/settings';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type CommonOptions, locationOf, withCommonOptions, type Location } from '../command/arguments';
import { examineFeeds } from './examine-feeds';
import { examineHost, isNodeProgram } from './examine-host';
import { examineService } from './examine-service';
import { examineSettings } from './examine-settings';
import { examineSharedObjects } from './examine-shared-objects';
import { examineState } from './examine-state';
import { examineCli, examineNode, examinePackages } from './examine-tools';
import { type DoctorCheck, ok, red, skipped } from './doctor-check';
import { type CliContext, type CommandContext, EXIT } from '../command/context';
import { count, safeText, table } from '../command/text';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { explicitProviders } from '../pulumi/providers';
import { PulumiCli } from '../pulumi/pulumi-cli';
import { findProjectFolder, Stack } from '../pulumi/stack';
import { type StackAccount, stackAccount } from '../pulumi/accounts';
import { type ConfigReading, readConfig, settingsSources } from '../pulumi/stack-settings';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';

const HELP = `
Examples:
  $ ${COMMAND_LINE} doctor
  $ ${COMMAND_LINE} doctor --stack prod --json
  $ ${COMMAND_LINE} doctor --stack prod --stack acme/other-project/prod

Sends one request for each account: the first page of the list of rules. If the state was written with another key, it also asks
for what the state holds. Exit codes: 0 all well, 1 a line is red.`;

interface DoctorOptions extends Omit<CommonOptions, 'stack'> {
  /** The stack to examine, and further ones that may manage the same objects. */
  readonly stack?: readonly string[];
}

/** The command `doctor`. */
export const doctorCommand = (context: CommandContext): Command =>
  withCommonOptions(
    new Command('doctor').description(
      'check settings, service, state and tools, and say what to do about each red line',
    ),
    { isStackRepeatable: true },
  )
    .addHelpText('after', HELP)
    .action(async ({ stack: stacks = [], ...options }: DoctorOptions) => {
      const [stack, ...others] = stacks;
      const where = locationOf({ ...options, ...(stack && { stack }) }, context.workingDirectory);
      const checks = await examine(where, others, context);
      context.print(options.json ? printableJson(checks) : describe(checks));
      context.end(checks.some(({ status }) => status === 'red') ? EXIT.attention : EXIT.done);
    });

async function examine(
  where: Location,
  otherStacks: readonly string[],
  context: CliContext,
): Promise<DoctorCheck[]> {
  const projectFolder = findProjectFolder(where.cwd);
  const cli = await examineCli(new PulumiCli(context, projectFolder ?? where.cwd, where.stack));
  const tools = [examineNode(process.version), cli];
  const reading = await readConfig(context, where);
  const hasCli = cli.status !== 'red';
  const ofProject = await examineProject({ projectFolder, where, otherStacks, context, hasCli, reading });
  const isReadable = projectFolder !== undefined && hasCli;
  const deployment = isReadable ? await stateOf(new Stack(context, projectFolder, where.stack)) : undefined;
  return [
    ...tools,
    ...ofProject,
    ...(await examineAccounts({ reading, deployment, context }, projectFolder)),
  ];
}

interface Grounds {
  readonly reading: ConfigReading;
  readonly deployment: Deployment | undefined;
  readonly context: CliContext;
}

/** The settings and account of the stack, if it has any or needs them, and those of the Providers that its program makes. */
async function examineAccounts(from: Grounds, projectFolder: string | undefined): Promise<DoctorCheck[]> {
  const { reading, deployment, context } = from;
  const sources = settingsSources(context, reading);
  const providers = explicitProviders(deployment);
  const hasNone =
    findSetting('apiKey', sources) === undefined && findSetting('baseUrl', sources) === undefined;
  const found =
    'config' in reading && hasNone && providers.length > 0
      ? [ok('settings', 'none for the stack; its program has Providers of its own')]
      : [
          ...examineSettings(context, reading, projectFolder !== undefined),
          ...(await examineAccount('', from)),
        ];
  for (const { urn } of providers)
    for (const check of await examineAccount(urn, from))
      found.push({ ...check, what: `${check.what} (Provider ${nameOfUrn(urn)})` });
  return found;
}

async function examineAccount(name: string, from: Grounds): Promise<DoctorCheck[]> {
  const account = accountOrProblem(() => stackAccount(name, from));
  if (!('problem' in account)) return examineService(from.context, account);
  return name === ''
    ? [skipped('service reachable', 'settings are missing or wrong')]
    : [red('settings', account.problem, 'correct it in the program, then run "pulumi up"')];
}

async function examineProject(of: {
  readonly projectFolder: string | undefined;
  readonly where: Location;
  readonly otherStacks: readonly string[];
  readonly context: CliContext;
  readonly hasCli: boolean;
  readonly reading: ConfigReading;
}): Promise<DoctorCheck[]> {
  const { projectFolder, where, otherStacks, context, hasCli, reading } = of;
  if (projectFolder === undefined) {
    return [
      red(
        'project',
        `${where.cwd} is not in a Pulumi project`,
        'go to the folder with Pulumi.yaml, or pass --cwd',
      ),
    ];
  }
  const packages = isNodeProgram(projectFolder) ? examinePackages(projectFolder) : [];
  const cli = new PulumiCli(context, projectFolder, where.stack);
  const host = hasCli ? await examineHost(cli, reading, context.environment) : [];
  const feeds = examineFeeds(projectFolder, context.clock.epochMs());
  const tools = [ok('project', projectFolder), ...packages, ...host, ...feeds];
  if (!hasCli) return [...tools, skipped('state readable', 'there is no Pulumi CLI')];
  const stackNamed = (name: string | undefined): Stack => new Stack(context, projectFolder, name);
  const ofState = await examineState(stackNamed(where.stack), settingsSources(context, reading));
  const isReadable = ofState.some(({ status, what }) => what === 'state readable' && status === 'ok');
  const stacks = [where.stack, ...otherStacks].map(stackNamed);
  return [...tools, ...ofState, ...(isReadable ? await examineSharedObjects(stacks) : [])];
}

/** The state, if it can be read; another check reports that it cannot. */
async function stateOf(stack: Stack): Promise<Deployment | undefined> {
  try {
    return await stack.deployment();
  } catch (error) {
    if (!isUserError(error)) throw error;
    return undefined;
  }
}

function accountOrProblem(resolve: () => StackAccount): StackAccount | { readonly problem: string } {
  try {
    return resolve();
  } catch (error) {
    if (!isUserError(error)) throw error;
    return { problem: error.message };
  }
}

const MARKS = { ok: 'ok  ', warning: 'WARN', red: 'RED ', skipped: '-   ' } as const;

function describe(checks: readonly DoctorCheck[]): string {
  const rows = checks.flatMap(({ status, what, detail, fix }) => [
    [MARKS[status], what, oneLine(detail)],
    ...(fix === undefined ? [] : [['', '', `-> ${fix}`]]),
  ]);
  return `${table(rows)}\n${summary(checks)}\n`;
}

function summary(checks: readonly DoctorCheck[]): string {
  const numberOf = (wanted: DoctorCheck['status']): number =>
    checks.filter(({ status }) => status === wanted).length;
  const [reds, warnings] = [numberOf('red'), numberOf('warning')];
  const more = warnings === 0 ? '' : `${count(warnings, 'warning')}.`;
  if (reds > 0) return `${count(reds, 'check')} failed: do what the lines marked RED say. ${more}`.trimEnd();
  return warnings === 0 ? 'All well.' : more;
}

const oneLine = (text: string): string => safeText(text.replace(/\s+/g, ' '), 200);
