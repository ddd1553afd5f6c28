import { Command } from 'commander';
import { resolveSettings, type SettingsSources } from '../../settings/settings';
import { isUserError } from '../../errors/user-error';
import type { ClientSettings } from '../../api/client';
import { type CommonOptions, locationOf, withCommonOptions } from '../arguments';
import { examineService } from './examine-service';
import { examineSettings } from './examine-settings';
import { examineSharedObjects } from './examine-shared-objects';
import { examineState } from './examine-state';
import { examineCli, examineNode, examinePackages } from './examine-tools';
import { type Finding, ok, red, skipped } from './finding';
import { type CliContext, type CommandContext, EXIT } from '../context';
import { count, safeText, table } from '../text';
import { PulumiCli } from '../pulumi/pulumi-cli';
import { findProjectFolder, Stack } from '../pulumi/stack';
import { type ConfigReading, type Location, readConfig, settingsSources } from '../settings';
import { printableJson } from '../../values/printable';

const HELP = `
Examples:
  $ edge-policy doctor
  $ edge-policy doctor --stack prod --json
  $ edge-policy doctor --stack prod --stack acme/other-project/prod

Sends one request: the first page of the list of rules. Exit codes: 0 all well, 1 a line is red.`;

interface DoctorOptions extends Omit<CommonOptions, 'stack'> {
  /** The stack to examine, and further ones that may manage the same objects. */
  readonly stack?: readonly string[];
}

/** `edge-policy doctor`. */
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
      const findings = await examine(where, others, context);
      context.print(options.json ? printableJson(findings) : describe(findings));
      context.end(findings.some(({ status }) => status === 'red') ? EXIT.attention : EXIT.done);
    });

async function examine(
  where: Location,
  otherStacks: readonly string[],
  context: CliContext,
): Promise<Finding[]> {
  const projectFolder = findProjectFolder(where.cwd);
  const cli = await examineCli(new PulumiCli(context, projectFolder ?? where.cwd, where.stack));
  const tools = [examineNode(process.version), cli];
  const reading = await readConfig(context, where);
  const ofProject = await examineProject({
    projectFolder,
    where,
    otherStacks,
    context,
    hasCli: cli.status !== 'red',
    sources: settingsSources(context, reading),
  });
  const settings = settingsOrUndefined(context, reading);
  return [
    ...tools,
    ...ofProject,
    ...examineSettings(context, reading, projectFolder !== undefined),
    ...(settings === undefined
      ? [skipped('service reachable', 'settings are missing or wrong')]
      : await examineService(context, settings)),
  ];
}

async function examineProject(of: {
  readonly projectFolder: string | undefined;
  readonly where: Location;
  readonly otherStacks: readonly string[];
  readonly context: CliContext;
  readonly hasCli: boolean;
  readonly sources: SettingsSources;
}): Promise<Finding[]> {
  const { projectFolder, where, otherStacks, context, hasCli, sources } = of;
  if (projectFolder === undefined) {
    return [
      red(
        'project',
        `${where.cwd} is not in a Pulumi project`,
        'go to the folder with Pulumi.yaml, or pass --cwd',
      ),
    ];
  }
  const tools = [ok('project', projectFolder), ...examinePackages(projectFolder)];
  if (!hasCli) return [...tools, skipped('state readable', 'there is no Pulumi CLI')];
  const stackNamed = (name: string | undefined): Stack => new Stack(context, projectFolder, name);
  const ofState = await examineState(stackNamed(where.stack), sources);
  const isReadable = ofState.every(({ status, what }) => what !== 'stack' || status === 'ok');
  const stacks = [where.stack, ...otherStacks].map(stackNamed);
  return [...tools, ...ofState, ...(isReadable ? await examineSharedObjects(stacks) : [])];
}

function settingsOrUndefined(context: CliContext, reading: ConfigReading): ClientSettings | undefined {
  try {
    return resolveSettings(settingsSources(context, reading));
  } catch (error) {
    if (!isUserError(error)) throw error;
    return undefined;
  }
}

const MARKS = { ok: 'ok  ', warning: 'WARN', red: 'RED ', skipped: '-   ' } as const;

function describe(findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ status, what, detail, fix }) => [
    [MARKS[status], what, oneLine(detail)],
    ...(fix === undefined ? [] : [['', '', `-> ${fix}`]]),
  ]);
  return `${table(rows)}\n${summary(findings)}\n`;
}

function summary(findings: readonly Finding[]): string {
  const numberOf = (wanted: Finding['status']): number =>
    findings.filter(({ status }) => status === wanted).length;
  const [reds, warnings] = [numberOf('red'), numberOf('warning')];
  const more = warnings === 0 ? '' : `${count(warnings, 'warning')}.`;
  if (reds > 0) return `${count(reds, 'line')} red. ${more}`.trimEnd();
  return warnings === 0 ? 'All well.' : more;
}

const oneLine = (text: string): string => safeText(text.replace(/\s+/g, ' '), 200);
