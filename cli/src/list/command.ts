// What for: the command `list`: what is live, and which resource of the stack manages it.
// Must not know: `import`, and how anything is changed: it only reads.
import { ipModelOption } from '../judge/assumption-options';
import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { type Assumptions, LEAST_SILENT_DAYS } from 'pulumi-edge-policy-review';
import { Command, InvalidArgumentError } from 'commander';
import { isRead, readRows, readRules, withClient } from '../pulumi/live-objects';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  type CommonOptions,
  each,
  identifier,
  locationOf,
  resourceName,
  withCommonOptions,
} from '../command/arguments';
import { type CliContext, type CommandContext, EXIT, type ExitCode } from '../command/context';
import { count, safeText, table } from '../command/text';
import { nameOfUrn, withoutSecretsOf } from '../pulumi/deployment';
import { findProvider, stackAccount, whyNotKnown } from '../pulumi/accounts';
import { readConfig } from '../pulumi/stack';
import { NO_SIBLINGS, siblingsNote, UNSEEN } from '../pulumi/siblings';
import { readLogs } from '../traffic/read-traffic';
import { trafficFieldsOption, trafficOption, type TrafficOptions } from '../traffic/traffic-options';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import {
  byPolicy,
  type ListedPolicy,
  type ListedRule,
  type Management,
  readManagement,
} from './listed-rules';
import {
  describeUse,
  isDecided,
  type UsedPolicy,
  usedPolicies,
  withRules,
  useOfPolicyToJson,
} from './rules-in-logs';

interface ListOptions
  extends Omit<CommonOptions, 'stack'>, TrafficOptions, Pick<Partial<Assumptions>, 'ipModel'> {
  readonly stack?: readonly string[];
  readonly policy?: readonly string[];
  readonly unmanaged?: true;
  readonly unused?: true;
  readonly unusedAfter: number;
  readonly siblings: boolean;
  readonly provider?: string;
}

const EXAMPLES = `
Examples:
  $ ${COMMAND_LINE} list
  $ ${COMMAND_LINE} list --policy ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa --unmanaged
  $ ${COMMAND_LINE} list --unmanaged --stack prod --stack organization/other/prod
  $ ${COMMAND_LINE} list --provider partner
  $ ${COMMAND_LINE} list --traffic policy:ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa=access.log.gz --unused
  $ ${COMMAND_LINE} list --json | jq '.policies[].rules[].cidr'

Prints the rules as the service lists them; for some seconds, its list may hold a deleted rule. A policy without rules is
missing, and so are modules: the service lists neither. The command reads the other stacks of the project, too. Rules that a
stack of another project or backend manages look unmanaged unless you name that stack; the settings come from the first stack.
Exit codes: 0 listed, 1 there are unmanaged rules (with
--unmanaged), 2 the logs do not decide, 3 nothing was done (with --unmanaged also if the state of a stack cannot be read, or the key
may belong to another account).`;

export const listCommand = (context: CommandContext): Command =>
  withCommonOptions(
    new Command('list')
      .description('list the rules of the account, and which of them a stack manages')
      .option('--policy <ipp_…>', 'only rules of this IP policy (repeatable)', each(identifier('ipPolicy')))
      .option('--unmanaged', 'only rules that none of the compared stacks manages')
      .option('--no-siblings', 'do not look at the other stacks of the project')
      .option('--unused', 'only rules that matched nobody in the logs of --traffic, the widest first')
      .option(
        '--unused-after <days>',
        'with --unused: also a rule younger than the log, if it has matched nobody for so many days',
        days,
        LEAST_SILENT_DAYS,
      )
      .addOption(trafficOption())
      .addOption(trafficFieldsOption())
      .addOption(ipModelOption())
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

function days(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a number of days, 0 to 9999');
}

async function list(options: ListOptions, context: CliContext): Promise<ExitCode> {
  const { stack: stacks = [undefined], ...rest } = options;
  const [first] = stacks;
  const where = { ...locationOf(rest, context.workingDirectory), stack: first };
  if (options.unused && options.traffic === undefined)
    throw new UserError('--unused needs access logs: pass --traffic FILE.');
  const logs = options.traffic && (await readLogs({ ...options, cwd: where.cwd, context }));
  const inState = await readManagement(stacks, { ...where, withSiblings: options.siblings }, context);
  // If a stack or a Provider was named, it must be readable: without it the list would be about another account.
  if ((first ?? options.provider) !== undefined && inState.problem !== undefined)
    throw new UserError(inState.problem);
  const { first: deployment } = inState;
  const provider = options.provider === undefined ? '' : findProvider(options.provider, deployment).urn;
  const reading = await readConfig(context, where);
  const account = stackAccount(provider, { deployment, reading, context });
  const { problem, rules, unread } = await withClient(context, account.settings, async (client) => ({
    // Rules of another account are in no state, and that says nothing.
    problem: inState.problem ?? (await whyNotKnown({ ...account, client })),
    // A log holds clients of all policies.
    ...(logs || options.unmanaged
      ? { rules: await readRules(client, !logs && options.policy ? { policyIds: options.policy } : {}) }
      : await readableRules(client)),
  }));
  if (options.unmanaged && problem !== undefined)
    throw new UserError(`Cannot determine which rules are unmanaged: ${problem}`);
  const management = problem === undefined ? inState : { stacks: inState.stacks, problem };
  const unseen = siblingsNote(management.siblings ?? NO_SIBLINGS);
  if (options.unmanaged && unseen !== '')
    throw new UserError(`${unseen}Make them readable, or pass --no-siblings.`);
  context.note(unseen);
  const shown = (rule: ListedRule): ListedRule[] => {
    if (options.unmanaged && rule.managedBy !== null) return [];
    const manager = management.managers?.get(rule.id);
    return [manager ? withoutSecretsOf(manager, rule) : rule];
  };
  const all = byPolicy(rules, management);
  const foreign = logs?.find(({ subject: of }) => of && all.every(({ id }) => id !== of.subject))?.subject;
  if (foreign)
    throw new UserError(`A log is of ${foreign.subject}, but the account has no rules of such a policy.`);
  const isAsked = ({ id }: ListedPolicy): boolean => options.policy?.includes(id) !== false;
  const policies = all
    .filter(isAsked)
    .map(({ id, rules: own }) => ({ id, rules: own.flatMap(shown) }))
    .filter(({ rules: own }) => own.length > 0);
  // Which single rule decides depends on all of its policy, and whose clients a log holds on all policies.
  const used = (logs && usedPolicies(all, logs, options))
    ?.filter(({ policy }) => isAsked(policy))
    .map((each) => withRules(each, shown));
  const unknown = {
    ...(problem !== undefined && { managedUnknownBecause: problem }),
    ...(unread && { unread }),
  };
  if (unread) context.note(`Not shown: ${unread.join(', ')} of the service's list.\n`);
  const listed = used?.map((each) => useOfPolicyToJson(each, options.unused === true)) ?? policies;
  if (options.json) context.print(printableJson({ stacks: management.stacks, ...unknown, policies: listed }));
  else context.print(describe(used ?? policies.map((policy) => ({ policy })), management, options));
  if (used && !isDecided(used)) return EXIT.notDecidable;
  return options.unmanaged && policies.length > 0 ? EXIT.attention : EXIT.done;
}

/** Nothing depends on a row that cannot be read: it is only not shown. */
async function readableRules(client: ApiClient) {
  const rows = await readRows(client);
  const [rules, unread] = [rows.filter(isRead), rows.filter((row) => !isRead(row)).map(({ id }) => id)];
  return { rules, ...(unread.length > 0 && { unread }) };
}

/** The service has no list of modules, nor of the edges and routes that could have one. */
const ABOUT_MODULES = `
Modules are not listed: the service lists only rules. To see a module, pass the id of its edge or route to "explain" or "import".
${UNSEEN}
`;

function describe(
  listed: readonly (Pick<UsedPolicy, 'policy'> | UsedPolicy)[],
  { managers, stacks, problem }: Management,
  { unmanaged, unused }: ListOptions,
): string {
  const unknown = problem === undefined ? '' : `Cannot determine which rules are managed: ${problem}\n\n`;
  const parts = listed.map((each) => {
    const { id, rules } = each.policy;
    const managed = rules.filter(({ managedBy }) => managedBy).length;
    const howMany = managers ? `, ${managed} managed by stack ${safeText(stacks.join(', '))}` : '';
    const lines = 'rules' in each ? describeUse(each, unused === true) : table(rules.map(rowOf), '  ');
    return `${id}: ${count(rules.length, 'rule')}${howMany}\n${lines}`;
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
