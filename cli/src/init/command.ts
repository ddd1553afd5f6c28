// What for: the command `init`: writes the workflows of the merge gate, the job that applies, and a first assertion file.
// Must not know: `review` and `drift`, which its workflows call; neither settings nor the service. It overwrites nothing.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, Option } from 'commander';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { DUPLICATE_NETWORKS, IP_MODELS, THRESHOLDS, USER_AGENT_MODELS } from 'pulumi-edge-policy-review';
import {
  checked,
  choice,
  type CommonOptions,
  each,
  identifier,
  locationOf,
  network,
} from '../command/arguments';
import { type Ask, type CommandContext, EXIT, type ExitCode, type CliContext } from '../command/context';
import { writeNew } from '../command/write-file';
import { requireProjectFolder } from '../pulumi/stack';
import { checklist, filesOf, type Values } from './templates';
import { type Answers, answered } from './questions';
import { repositoriesAround } from '../command/folders';
import { PulumiCli } from '../pulumi/pulumi-cli';

const HELP = `
Writes, for GitHub, the workflows that preview, judge, apply, end access and look for drift, and edge-policy.assertions.json. On a terminal,
it asks the questions on the gate that the options leave open. It overwrites nothing: of a file that exists, it names the lines that differ.
Then it lists the steps that only a person can take. See docs/review-pull-requests.md in the package pulumi-edge-policy. Exit codes: 0 all
is there, 1 a file differs, 3 nothing was done.

Example:
  $ ${COMMAND_LINE} init --stack acme/infra/prod --action acme/edge-policy@<commit> --ip-model deny-wins`;

interface InitOptions extends Pick<CommonOptions, 'cwd' | 'stack'>, Answers {
  readonly action?: string;
  readonly branch?: string;
  readonly gitlab?: true;
  readonly policy?: readonly string[];
  readonly mustAllow?: readonly Cidr[];
}

const ACTION = /^([\w.-]+\/[\w.-]+)@([0-9a-f]{40})$/;
const BRANCH = /^[\w./-]+$/;

export const initCommand = (context: CommandContext): Command =>
  new Command('init')
    .description('set up the merge gate of a repository: workflows, assertion file, and a list of the rest')
    .option('-C, --cwd <folder>', 'run as if started in this folder')
    .option(
      '-s, --stack <name>',
      'the stack, as ORGANIZATION/PROJECT/STACK (default: the only or the selected one)',
      checked((name) => (isFullName(name) ? undefined : 'give the full name, as ORGANIZATION/PROJECT/STACK')),
    )
    .option(
      '--action <name>',
      'the action, as OWNER/REPOSITORY@COMMIT with a full commit',
      checked((text) =>
        ACTION.test(text) ? undefined : 'give it as OWNER/REPOSITORY@COMMIT with 40 digits',
      ),
    )
    .option(
      '--branch <name>',
      'the branch that changes are for (default: that of origin)',
      checked((text) => (BRANCH.test(text) ? undefined : 'give the name of a branch')),
    )
    .option('--gitlab', 'write the file of GitLab')
    .addOption(choice('--fail-on <severity>', 'the threshold of the gate', THRESHOLDS))
    .addOption(choice('--ip-model <name>', 'how rules combine, if you know it', IP_MODELS))
    .addOption(choice('--user-agent-model <name>', 'how patterns combine, if you know it', USER_AGENT_MODELS))
    .addOption(
      choice('--duplicate-networks <answer>', 'what the service does with a second rule', DUPLICATE_NETWORKS),
    )
    .addOption(
      new Option('--policy <id>', 'an IP policy (repeatable)').argParser(each(identifier('ipPolicy'))),
    )
    .option(
      '--must-allow <network>',
      'a network that must always get in through these policies (repeatable)',
      each(network),
    )
    .addHelpText('after', HELP)
    .action(async (options: InitOptions) => {
      context.end(await init(options, context));
    });

async function init(options: InitOptions, context: CommandContext): Promise<ExitCode> {
  const project = requireProjectFolder(locationOf(options, context.workingDirectory).cwd);
  const [repository] = repositoriesAround(project);
  if (repository === undefined)
    throw new UserError(`${project} is in no git repository: run "git init" at its root.`);
  const values = await valuesOf(options, { project, repository, context });
  const forge = options.gitlab ? 'gitlab' : 'github';
  const files = filesOf(forge, values);
  const gate = path.join(values.folder, GATE);
  files.set(gate, await assertionsOf(options, textAt(path.join(repository, gate)), context.ask));
  let exitCode: ExitCode = EXIT.done;
  for (const [name, text] of files) {
    const file = path.join(repository, name);
    const there = textAt(file);
    const differences = there === undefined ? undefined : differencesOf(there, text);
    if (differences === undefined) writeNew(file, text, 0o644);
    else if (differences.length > 0) exitCode = EXIT.attention;
    context.print(
      `${differences === undefined ? 'written' : differences.length > 0 ? 'differs' : 'there  '}  ${name}\n`,
    );
    for (const line of differences ?? []) context.print(`         ${line}\n`);
  }
  context.print(checklist(forge, values));
  return exitCode;
}

async function valuesOf(
  { stack, action = '', branch, gitlab }: InitOptions,
  from: { readonly project: string; readonly repository: string; readonly context: CommandContext },
): Promise<Values> {
  const [, repository = '', commit = ''] = ACTION.exec(action) ?? [];
  if (commit === '' && !gitlab)
    throw new UserError(
      'Name the action: pass --action OWNER/REPOSITORY@COMMIT, as "npm run bundle:action" prints it in a clone of pulumi-edge-policy.',
    );
  return {
    stack: stack ?? (await fullStackName(from.context, from.project)),
    folder: path.relative(from.repository, from.project).split(path.sep).join('/') || '.',
    branch: branch ?? (gitlab ? '' : defaultBranch(from.repository)),
    action: { repository, commit },
  };
}

const GATE = 'edge-policy.assertions.json';

const textAt = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined;

/** The first assertion file. What an existing one answers is not asked again. */
async function assertionsOf(options: InitOptions, there: string | undefined, ask?: Ask): Promise<string> {
  const { policy = [], mustAllow = [] } = options;
  if (mustAllow.length > 0 && policy.length === 0)
    throw new UserError('Name the policy through which these networks must get in: pass --policy ID.');
  const networks = mustAllow.map(({ text }) => text);
  const policies = policy.map((ipPolicyId) => ({ ipPolicyId, mustAllow: networks }));
  const gate = await answered({ ...gateIn(there), ...options }, there === undefined ? ask : undefined);
  return printableJson({ gate, ...(networks.length > 0 && { policies }) });
}

function gateIn(text = '{}'): Answers {
  try {
    return (JSON.parse(text) as { gate?: Answers }).gate ?? {};
  } catch {
    return {};
  }
}

const MOST_LINES = 10;

/** The first lines that a file has in addition to what would be written, and those that it lacks. */
function differencesOf(there: string, written: string): string[] {
  if (there === written) return [];
  const [own, other] = [there.split('\n'), written.split('\n')];
  const differences = [
    ...own.flatMap((line, at) => (other.includes(line) ? [] : [`has    ${line.trim()}   (line ${at + 1})`])),
    ...other.flatMap((line) => (own.includes(line) ? [] : [`lacks  ${line.trim()}`])),
  ];
  return differences.length === 0
    ? ['its lines repeat, or have another order']
    : differences.slice(0, MOST_LINES);
}

/** The default branch, as a clone records it; a repository may contain programs that git would run, so git is not asked. */
function defaultBranch(repository: string): string {
  const head = path.join(repository, '.git/refs/remotes/origin/HEAD');
  const text = existsSync(head) ? readFileSync(head, 'utf8') : '';
  const [, branch] = /^ref: refs\/remotes\/origin\/(\S+)\n?$/.exec(text) ?? [];
  if (branch !== undefined) return branch;
  throw new UserError('git does not name the default branch: pass --branch NAME.');
}

/** The full name of the only stack of the project, or of the selected one. @throws UserError if there is no such stack. */
async function fullStackName(context: CliContext, projectFolder: string): Promise<string> {
  const stacks = (await new PulumiCli(context, projectFolder).stacks()) ?? [];
  const stack = stacks.length === 1 ? stacks[0] : stacks.find(({ current }) => current);
  const named = [stack?.name, stack?.url?.replace(/^https?:\/\/[^/]+\//, '')];
  const fullName = named.find((name) => name !== undefined && isFullName(name));
  if (fullName !== undefined) return fullName;
  throw new UserError('Name the stack in full: pass --stack ORGANIZATION/PROJECT/STACK.');
}

/** A short name could be that of a stack of any project. */
const isFullName = (name: string): boolean => /^[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(name);
