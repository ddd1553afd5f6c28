// What for: the commands `grant`, `revoke` and `grants`: entries of named lists that end by themselves.
// Must not know: `feeds`, `import`, and who gets in: the review says that.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { ListEntry } from 'pulumi-edge-policy/internal/lists/list-file';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { endMs, hasEnded, untilAt } from 'pulumi-edge-policy/internal/values/until';
import { type CommonOptions, type Location, locationOf } from '../command/arguments';
import { type CommandContext, EXIT, type ExitCode } from '../command/context';
import { table } from '../command/text';
import { Git, GitProblem } from '../explain/git';
import type { Judge } from '../judge/judge-case';
import { requireStack, reviewablePreview } from '../pulumi/stack';
import { readFeeds } from '../review/feeds';
import { runReview } from '../review/run-review';
import { ListsAtWork } from './lists-at-work';
import { applyTo, namesOf, setsChanging } from './sets-of-change';
import { timeLeft } from './time-left';

/** The options of all these commands. */
export interface ListOptions extends CommonOptions {
  readonly file: string;
  readonly list?: string;
}

/** The options of the commands that change access. */
export interface ChangeOptions extends ListOptions {
  readonly apply?: true;
  readonly yes?: true;
}

/** The options of `grant`. */
export interface GrantOptions extends ChangeOptions {
  /** In milliseconds. */
  readonly for: number;
  readonly reason: string;
  readonly ticket?: string;
}

/** What a command was called with. */
interface Call<Options extends ListOptions> {
  readonly options: Options;
  readonly context: CommandContext;
  readonly judge: Judge;
}

const MINUTE_MS = 60_000;

/** `grant`: adds an entry, unless the review of the change stops it. */
export async function grant(network: Cidr, call: Call<GrantOptions>): Promise<ExitCode> {
  const { options, context } = call;
  const where = locationOf(options, context.workingDirectory);
  const lists = await ListsAtWork.open(where.cwd, options.file, context);
  const list = lists.nameOf(options.list);
  requireGrantable(lists, list, network.text);
  const endsAt = Math.ceil((context.clock.epochMs() + options.for) / MINUTE_MS) * MINUTE_MS;
  const entry = {
    until: untilAt(endsAt),
    reason: options.reason,
    owner: await identityIn(where.cwd, context),
    ...(options.ticket !== undefined && { ticket: options.ticket }),
  };
  lists.set(list, network.text, entry);
  const granted = await checked(network, { lists, list, where, call });
  if ('stopped' in granted) return granted.stopped;
  const { report, sets } = granted;
  context.print(
    `Let ${network.text} in until ${entry.until}: ${entry.reason}\n\n` +
      `- Network: \`${network.text}\`, in the list ${list} of \`${lists.name}\`; read by ${namesOf(sets)}\n` +
      `- Until: ${entry.until}, ${timeLeft(options.for)} from now\n` +
      `- Asked by: ${entry.owner}, according to the git identity, which is no proof\n` +
      (entry.ticket === undefined ? '' : `- Ticket: ${entry.ticket}\n`) +
      `\n${report}`,
  );
  return handOver(() => Promise.resolve(sets), { lists, where, call });
}

/** @throws UserError if the entry would not let anyone in, or would end what has no end. */
function requireGrantable({ lists, name }: ListsAtWork, list: string, network: string): void {
  const { action, entries } = lists.get(list) ?? {};
  if (action === 'deny')
    throw new UserError(
      `The list "${list}" of ${name} has "action": "deny", so an entry would keep ${network} out: name another one with --list.`,
    );
  const known = entries?.get(network);
  if (known && known.until === undefined)
    throw new UserError(
      `${network} is in the list "${list}" of ${name} without an end, so a grant would end its access: nothing was changed.`,
    );
}

interface Edit<Options extends ListOptions> {
  readonly lists: ListsAtWork;
  readonly where: Location;
  readonly call: Call<Options>;
}

/** Reviews a preview with the edited file, which becomes what it was if the review stops the change. */
async function checked(
  { text: network }: Cidr,
  { lists, list, where, call: { context, judge } }: Edit<GrantOptions> & { readonly list: string },
): Promise<{ readonly report: string; readonly sets: readonly string[] } | { readonly stopped: ExitCode }> {
  try {
    lists.write();
    const preview = await reviewablePreview(where, context);
    const { exitCode, output } = await runReview(
      { format: 'markdown', newAccess: true },
      {
        cwd: where.cwd,
        preview: () => Promise.resolve(preview),
        feeds: () => readFeeds({}, where.cwd, context),
        now: new Date(context.clock.epochMs()).toISOString(),
        judge,
        isTerminal: false,
      },
    );
    if (exitCode !== EXIT.done) {
      lists.restore();
      context.print(output);
      context.note(`The review stops this: nothing was granted, and ${lists.name} is unchanged.\n`);
      return { stopped: exitCode };
    }
    const sets = setsChanging(preview, network);
    if (sets.length > 0) return { report: output, sets };
    throw new UserError(
      `No set of the stack would change. Unless another entry already lets ${network} in for longer, let a set read the list ` +
        `with rulesFrom('${lists.name}', { list: '${list}' }). Nothing was granted.`,
    );
  } catch (error) {
    lists.restore();
    throw error;
  }
}

/** Says what is left to do, or applies the change. */
async function handOver(
  setsOf: () => Promise<readonly string[]>,
  { lists, where, call: { options, context } }: Edit<ChangeOptions>,
): Promise<ExitCode> {
  context.note(`${lists.name} was written: commit it, and open a pull request with the text above.\n`);
  if (!options.apply) return EXIT.done;
  const sets = await setsOf();
  if (sets.length === 0) {
    context.note('No set of the stack has it any more.\n');
    return EXIT.done;
  }
  context.note('The next "up" without this commit undoes what is applied now.\n');
  return applyTo(sets, { stack: requireStack(context, where), isConfirmed: options.yes === true, context });
}

/** `revoke`: removes the entries of a network, without a review, so that nothing stops it. */
export async function revoke({ text: network }: Cidr, call: Call<ChangeOptions>): Promise<ExitCode> {
  const { options, context } = call;
  const where = locationOf(options, context.workingDirectory);
  const lists = await ListsAtWork.open(where.cwd, options.file, context);
  const named = options.list === undefined ? [...lists.lists.keys()] : [lists.nameOf(options.list)];
  const holding = named.filter((list) => lists.lists.get(list)?.entries.has(network));
  if (holding.length === 0)
    throw new UserError(
      `${network} is in no list of ${lists.name}: see "${COMMAND_LINE} grants". Nothing was changed.`,
    );
  for (const list of holding) lists.set(list, network, undefined);
  lists.write();
  context.print(
    `Revoke ${network}\n\n- Network: \`${network}\`, no longer in the list ${holding.join(', ')} of \`${lists.name}\`\n`,
  );
  const setsOf = async () => setsChanging(await reviewablePreview(where, context), network);
  return handOver(setsOf, { lists, where, call });
}

/** `grants`: lists the entries that end, the next first; or removes those that have ended. */
export async function grants({
  options,
  context,
}: Call<ListOptions & { readonly prune?: true }>): Promise<ExitCode> {
  const { cwd } = locationOf(options, context.workingDirectory);
  const lists = await ListsAtWork.open(cwd, options.file, context);
  if (!lists.exists)
    throw new UserError(`There is no file ${lists.name} in ${cwd}: the first grant creates it.`);
  const nowMs = context.clock.epochMs();
  const all = grantsIn(lists, options.list === undefined ? undefined : lists.nameOf(options.list));
  if (!options.prune) {
    context.print(options.json ? printableJson({ grants: all }) : tableOf(all, nowMs));
    return EXIT.done;
  }
  const ended = all.filter(({ until }) => hasEnded(until, nowMs));
  for (const { list, network } of ended) lists.set(list, network, undefined);
  const isWritten = lists.write();
  if (options.json) context.print(printableJson({ pruned: ended }));
  else context.print(ended.length === 0 ? 'No entry has ended.\n' : `Removed:\n${tableOf(ended, nowMs)}`);
  if (isWritten) context.note(`${lists.name} was written: commit it.\n`);
  return EXIT.done;
}

interface Grant extends ListEntry {
  readonly list: string;
  readonly network: string;
  readonly until: string;
}

const grantsIn = ({ lists }: ListsAtWork, only?: string): Grant[] =>
  [...lists]
    .filter(([list]) => only === undefined || list === only)
    .flatMap(([list, { entries }]) =>
      [...entries].flatMap(([network, { until, ...entry }]) =>
        until === undefined ? [] : [{ list, network, until, ...entry }],
      ),
    )
    .sort((left, right) => endMs(left.until) - endMs(right.until));

function tableOf(all: readonly Grant[], nowMs: number): string {
  if (all.length === 0) return 'No entry ends by itself.\n';
  return table(
    all.map(({ list, network, until, reason = '', owner = '', ticket = '' }) => [
      ...[network, list, hasEnded(until, nowMs) ? 'ended' : `${timeLeft(endMs(until) - nowMs)} left`, until],
      ...[owner, reason, ticket],
    ]),
  );
}

/** The exit code of `git config` for a name that has no value. */
const UNSET = 1;

/** The name and the address that git would write into a commit. */
async function identityIn(folder: string, context: CommandContext): Promise<string> {
  const git = new Git(folder, context);
  try {
    const [name, email] = [await git.ask(['config', 'user.name']), await git.ask(['config', 'user.email'])];
    return `${name.trim()} <${email.trim()}>`;
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    if (error.exitCode !== UNSET)
      throw new UserError(`git cannot say who you are: ${error.message}. Nothing was changed.`);
    throw new UserError(
      'git does not know who you are: run git config user.name "NAME" and git config user.email ADDRESS. Nothing was changed.',
    );
  }
}
