// What for: the command `list`: what is live, and which resource of the stack manages it.
// Must not know: `import`, and how anything is changed: it only reads.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { readRules, withClient } from '../pulumi/with-client';
import { detailsOf, type RuleDetails, type ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  type CommonOptions,
  each,
  identifier,
  type Location,
  locationOf,
  resourceName,
  withCommonOptions,
} from '../command/arguments';
import { type CliContext, type CommandContext, EXIT, type ExitCode } from '../command/context';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { count, safeText, table } from '../command/text';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { managedIds } from '../pulumi/managed';
import { findProvider, stackAccount, whyNotKnown } from '../pulumi/accounts';
import { readConfig, requireStack } from '../pulumi/stack';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';

interface ListOptions extends Omit<CommonOptions, 'stack'> {
  readonly stack?: readonly string[];
  readonly policy?: readonly string[];
  readonly unmanaged?: true;
  readonly provider?: string;
}

const EXAMPLES = `
Examples:
  $ ${COMMAND_LINE} list
  $ ${COMMAND_LINE} list --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa --unmanaged
  $ ${COMMAND_LINE} list --unmanaged --stack prod --stack organization/other/prod
  $ ${COMMAND_LINE} list --provider partner
  $ ${COMMAND_LINE} list --json | jq '.policies[].rules[].cidr'

The service lists only rules. Policies are found through their rules, so one without rules is missing. Modules are not listed:
they are read by the id of their edge or route. Rules that another stack manages look unmanaged unless you name that stack, too;
the settings come from the first stack. Exit codes: 0 listed, 3 nothing was done (with --unmanaged also if the state of a stack
cannot be read, or the key may belong to another account).`;

/** The command `list`. */
export const listCommand = (context: CommandContext): Command =>
  withCommonOptions(
    new Command('list')
      .description('list the rules of the account, and which of them a stack manages')
      .option('--policy <ipp_…>', 'only rules of this IP policy (repeatable)', each(identifier('ipPolicy')))
      .option('--unmanaged', 'only rules that none of the compared stacks manages')
      .option(
        '--provider <name>',
        'use the account of this Provider of the program (name or URN)',
        resourceName,
      ),
    { isStackRepeatable: true },
  )
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions) => {
      context.end(await list(options, context));
    });

async function list(options: ListOptions, context: CliContext): Promise<ExitCode> {
  const { stack: stacks = [undefined], ...rest } = options;
  const [first] = stacks;
  const where = { ...locationOf(rest, context.workingDirectory), stack: first };
  const inState = await readManagement(stacks, where, context);
  // If a stack or a Provider was named, it must be readable: without it the list would be about another account.
  if ((first ?? options.provider) !== undefined && inState.problem !== undefined)
    throw new UserError(inState.problem);
  const { first: deployment } = inState;
  const provider = options.provider === undefined ? '' : findProvider(options.provider, deployment).urn;
  const reading = await readConfig(context, where);
  const account = stackAccount(provider, { deployment, reading, context });
  const { problem, rules } = await withClient(context, account.settings, async (client) => ({
    // Rules of another account are in no state, and that says nothing.
    problem: inState.problem ?? (await whyNotKnown({ ...account, client })),
    rules: await readRules(client, options.policy && { policyIds: options.policy }),
  }));
  if (options.unmanaged && problem !== undefined)
    throw new UserError(`Cannot determine which rules are unmanaged: ${problem}`);
  const management = problem === undefined ? inState : { stacks: inState.stacks, problem };
  const shown = rules.filter(({ id }) => options.unmanaged !== true || !management.urns?.has(id));
  const policies = byPolicy(shown, management);
  const unknown = problem !== undefined && { managedUnknownBecause: problem };
  if (options.json) context.print(printableJson({ stacks: management.stacks, ...unknown, policies }));
  else context.print(describe(policies, management, options));
  return EXIT.done;
}

/** Which live objects the stacks manage, or why that is unknown. */
interface Management {
  readonly stacks: readonly string[];
  /** The state of the first of them, to which the settings belong. */
  readonly first?: Deployment;
  readonly urns?: ReadonlyMap<string, string>;
  readonly problem?: string;
}

async function readManagement(
  names: readonly (string | undefined)[],
  { cwd }: Location,
  context: CliContext,
): Promise<Management> {
  try {
    const stacks = names.map((stack) => requireStack(context, { cwd, stack }));
    const deployments: Deployment[] = [];
    for (const stack of stacks) deployments.push(await stack.deployment());
    const [first] = deployments;
    return {
      stacks: await Promise.all(stacks.map((stack) => stack.name())),
      ...(first && { first }),
      urns: new Map(deployments.flatMap((deployment) => [...managedIds(deployment)])),
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { stacks: [], problem: error.message };
  }
}

interface ListedRule extends RuleDetails {
  readonly id: string;
  readonly action: string;
  readonly cidr: string;
  readonly createdAt: string;
  /** The URN of the resource that manages the rule; null if none does, absent if that is not known. */
  readonly managedBy?: string | null;
}

interface ListedPolicy {
  readonly id: string;
  readonly rules: readonly ListedRule[];
}

function byPolicy(rules: readonly ServiceRule[], { urns }: Management): ListedPolicy[] {
  const listed = (rule: ServiceRule): ListedRule => ({
    ...{ id: rule.id, action: rule.action, cidr: rule.cidr },
    ...detailsOf(rule),
    createdAt: rule.createdAt,
    ...(urns && { managedBy: urns.get(rule.id) ?? null }),
  });
  return [...grouped(rules, ({ ipPolicyId }) => ipPolicyId)]
    .map(([id, own]) => ({ id, rules: own.map(listed) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The service has no list of modules, nor of the edges and routes that could have one. */
const ABOUT_MODULES = `
Modules are not listed: the service lists only rules. To see a module, pass the id of its edge or route to "explain" or "import".
`;

function describe(
  policies: readonly ListedPolicy[],
  { urns, stacks, problem }: Management,
  { unmanaged }: ListOptions,
): string {
  const unknown = problem === undefined ? '' : `Cannot determine which rules are managed: ${problem}\n\n`;
  const parts = policies.map(({ id, rules }) => {
    const managed = rules.filter(({ managedBy }) => managedBy).length;
    const howMany = urns ? `, ${managed} managed by stack ${safeText(stacks.join(', '))}` : '';
    return `${id}: ${count(rules.length, 'rule')}${howMany}\n${table(rules.map(rowOf), '  ')}`;
  });
  const none = unmanaged ? 'No unmanaged rules.\n' : 'No rules.\n';
  return `${unknown}${parts.length === 0 ? none : parts.join('\n')}${ABOUT_MODULES}`;
}

const rowOf = ({ id, action, cidr, description = '', managedBy }: ListedRule): string[] => [
  action,
  safeText(cidr),
  id,
  managedBy === undefined ? '' : managedBy === null ? '-' : safeText(nameOfUrn(managedBy)),
  safeText(description),
];
