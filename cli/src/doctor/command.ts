// What for: the command `doctor`: checks of tools, settings, service, state and lock files, one line each.
// Must not know: `recover`, and how to repair: it changes nothing and only names the fix.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { type CommonOptions, locationOf, withCommonOptions, type Location } from '../command/arguments';
import { type CommandContext, EXIT, type CliContext } from '../command/context';
import { safeText, table, count } from '../command/text';
import { type DoctorCheck, ok, red, skipped, warning } from './doctor-check';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { findSetting } from 'pulumi-edge-policy/internal/settings/settings';
import { explicitProviders, type AccountSources, type StackAccount, stackAccount } from '../pulumi/accounts';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { isTestedCli, isVersionAtLeast, TESTED_CLIS } from 'pulumi-edge-policy-review';
import { cliVersion, PulumiCli } from '../pulumi/pulumi-cli';
import { findProjectFolder, readConfig, settingsSources, Stack, stackNameOf } from '../pulumi/stack';
import { examinePlugin } from './examine-plugin';
import { examineService } from './examine-service';
import { examineSettings } from './examine-settings';
import { examineSharedObjects, examineState } from './examine-state';
import {
  assertionFileOf,
  COMMON_ASSERTION_FILE,
  defaultAssertionFiles,
  readAssertionFiles,
} from '../judge/review-files';

const HELP = `
Examples:
  $ ${COMMAND_LINE} doctor
  $ ${COMMAND_LINE} doctor --stack prod --json
  $ ${COMMAND_LINE} doctor --stack prod --stack acme/other-project/prod

Reads the list of rules of each account. If the state was written with a different key, it also looks up the objects in the
state. Exit codes: 0 all is well, 1 a line is red.`;

interface DoctorOptions extends Omit<CommonOptions, 'stack'> {
  /** The stack to examine, and further ones that may manage the same objects. */
  readonly stack?: readonly string[];
}

export const doctorCommand = (context: CommandContext): Command =>
  withCommonOptions(
    new Command('doctor').description(
      'check settings, keys, accounts, state and locks, with a remedy for each red line',
    ),
    { isStackRepeatable: true },
  )
    .addHelpText('after', HELP)
    .action(async ({ stack: [stack, ...others] = [], ...options }: DoctorOptions) => {
      const where = { ...locationOf(options, context.workingDirectory), stack };
      const checks = await examine(where, others, context);
      context.print(options.json ? printableJson(checks) : describe(checks));
      context.end(checks.some(({ status }) => status === 'red') ? EXIT.attention : EXIT.done);
    });

const MARKS = { ok: 'ok  ', warning: 'WARN', red: 'RED ', skipped: '-   ' } as const;

function describe(checks: readonly DoctorCheck[]): string {
  const rows = checks.flatMap(({ status, what, detail, fix }) => [
    [MARKS[status], what, oneLine(detail)],
    ...(fix === undefined ? [] : [['', '', `-> ${fix}`]]),
  ]);
  return `${table(rows)}\n${summary(checks)}\n`;
}

function summary(checks: readonly DoctorCheck[]): string {
  if (checks.some(({ status }) => status === 'red')) return 'Follow the advice below each line marked RED.';
  return checks.some(({ status }) => status === 'warning') ? 'Nothing is red.' : 'All well.';
}

/** Longer than any message of ours. */
const LONGEST_DETAIL = 2000;
const oneLine = (text: string): string => safeText(text.replace(/\s+/g, ' '), LONGEST_DETAIL);

async function examine(
  where: Location,
  otherStacks: readonly string[],
  context: CliContext,
): Promise<DoctorCheck[]> {
  const projectFolder = findProjectFolder(where.cwd);
  const cli = new PulumiCli(context, projectFolder ?? where.cwd, where.stack);
  const engine = await examineCli(cli);
  const reading = await readConfig(context, where);
  if (projectFolder === undefined) {
    const fix = 'go to the folder with Pulumi.yaml, or pass --cwd';
    const project = red('project', `${where.cwd} is not in a Pulumi project`, fix);
    return [engine, project, ...(await examineAccounts({ reading, deployment: undefined, context }, false))];
  }
  const checks = [engine, ok('project', projectFolder)];
  let deployment: Deployment | undefined;
  if (engine.status !== 'red') {
    const stack = new Stack(context, projectFolder, where.stack);
    const state = await examineState(stack, settingsSources(context, reading));
    deployment = state.deployment;
    checks.push(...state.checks);
    const stacks = [stack, ...otherStacks.map((name) => stack.named(name))];
    if (deployment !== undefined) checks.push(await examineSharedObjects(stacks));
    checks.push(await examineAssertions(where, context));
    checks.push(...(await examinePlugin({ reading, projectFolder, cli, context })));
  }
  return [...checks, ...(await examineAccounts({ reading, deployment, context }, true))];
}

async function examineCli(cli: PulumiCli): Promise<DoctorCheck> {
  const what = 'Pulumi CLI';
  try {
    const version = await cliVersion(cli);
    if (isTestedCli(version)) return ok(what, version);
    if (isVersionAtLeast(version, TESTED_CLIS.newest))
      return ok(
        what,
        `${version}, later than ${TESTED_CLIS.newest}, the latest that this version was tested on`,
      );
    const detail = `${version} runs programs, but cannot import these resources`;
    return warning(what, detail, `update it to ${TESTED_CLIS.oldest} or newer for "import" and "recover"`);
  } catch (error) {
    if (!isUserError(error)) throw error;
    const fix = 'install it and put it on PATH: https://www.pulumi.com/docs/install/';
    return red(what, error.message, fix);
  }
}

/** The settings and account of the stack, if it has any or needs them, and those of the Providers that its program makes. */
async function examineAccounts(from: AccountSources, hasProject: boolean): Promise<DoctorCheck[]> {
  const { reading, deployment, context } = from;
  const sources = settingsSources(context, reading);
  const providers = explicitProviders(deployment);
  const hasNone =
    findSetting('apiKey', sources) === undefined && findSetting('baseUrl', sources) === undefined;
  const checks =
    'config' in reading && hasNone && providers.length > 0
      ? [ok('settings', 'none for the stack: its program uses explicit Providers')]
      : [...examineSettings(context, reading, hasProject), ...(await examineAccount('', from))];
  for (const { urn } of providers)
    for (const check of await examineAccount(urn, from))
      checks.push({ ...check, what: `${check.what} (Provider ${nameOfUrn(urn)})` });
  return checks;
}

async function examineAccount(name: string, from: AccountSources): Promise<DoctorCheck[]> {
  let account: StackAccount;
  try {
    account = stackAccount(name, from);
  } catch (error) {
    if (!isUserError(error)) throw error;
    return name === ''
      ? [skipped('service reachable', 'settings are missing or wrong')]
      : [red('settings', error.message, 'correct it in the program, then run "pulumi up"')];
  }
  return examineService(from.context, account);
}

const WHAT = 'assertion files';

/** Checks the files next to the program that a review of this stack reads, and whether they name who must never be locked out. */
async function examineAssertions(where: Location, context: CliContext): Promise<DoctorCheck> {
  try {
    const files = await defaultAssertionFiles(where.cwd, () => stackNameOf(where, context));
    const { assertions, waivers } = readAssertionFiles(files, where.cwd);
    const read =
      files.length === 0
        ? 'none'
        : `${files.join(', ')}: ${count(assertions.length, 'assertion')}, ${count(waivers.length, 'waiver')}`;
    const isNamed = assertions.some(({ expectation }) => expectation === 'allow');
    const advice = `; "mustAllow" in ${COMMON_ASSERTION_FILE}, or in ${assertionFileOf('STACK')}, names who must never be locked out`;
    return ok(WHAT, isNamed ? read : read + advice);
  } catch (error) {
    if (!isUserError(error)) throw error;
    return red(WHAT, error.message, 'correct the file: docs/review-assertions.md');
  }
}
