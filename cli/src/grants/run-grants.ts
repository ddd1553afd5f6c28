import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { ListEntry, ListFile } from 'pulumi-edge-policy/internal/lists/list-file';
import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { type Cidr, overlaps, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { firstOf } from 'pulumi-edge-policy/internal/values/failure';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { endMs, hasEnded, untilAt } from 'pulumi-edge-policy/internal/values/until';
import { locationOf } from '../command/arguments';
import type { CommandContext } from '../command/context';
import { safeText, table } from '../command/text';
import { Git, GitProblem } from '../explain/git';
import { editLists, type ListsPlace, readLists } from './edit-lists';
import type { Edit } from './merge-lists';

/** The options of all these commands. */
export interface ListOptions {
  readonly cwd?: string;
  readonly file: string;
  readonly list?: string;
}

/** The options of `grant`. */
export interface GrantOptions extends ListOptions {
  /** In milliseconds. */
  readonly for: number;
  readonly reason: string;
  readonly ticket?: string;
}

/** The options of `grants`. */
export interface GrantsOptions extends ListOptions {
  readonly json?: true;
  readonly prune?: true;
}

const MINUTE_MS = 60_000;

const placeOf = (options: ListOptions, { workingDirectory, environment }: CommandContext): ListsPlace => ({
  cwd: locationOf(options, workingDirectory).cwd,
  name: options.file,
  environment,
});

/** `grant`: adds an entry. */
export async function grant(network: Cidr, options: GrantOptions, context: CommandContext): Promise<void> {
  const place = placeOf(options, context);
  const nowMs = context.clock.epochMs();
  const entry = {
    until: untilAt(Math.ceil((nowMs + options.for) / MINUTE_MS) * MINUTE_MS),
    reason: options.reason,
    owner: await identityIn(place.cwd, context),
    ...(options.ticket !== undefined && { ticket: options.ticket }),
  };
  const { edits, lists, isWritten } = await editLists(place, (before) => {
    const list = before ? nameOf(before, place, options.list) : (options.list ?? 'exceptions');
    const { action, entries } = before?.lists.get(list) ?? {};
    const known = entries?.get(network.text);
    const problem =
      action === 'deny'
        ? `has "action": "deny", so an entry would keep ${network.text} out: name another one with --list`
        : known && known.until === undefined
          ? `holds ${network.text} without an end, so a grant would end its access`
          : undefined;
    if (problem === undefined) return [{ list, network: network.text, entry }];
    throw new UserError(`The list "${list}" of ${place.name} ${problem}. Nothing was changed.`);
  });
  const denied = about(lists, { action: 'deny', network, nowMs });
  const facts = [
    ...edits.map(({ list }) => `Network: \`${network.text}\`, in the list ${list} of \`${place.name}\``),
    `Until: ${entry.until}, ${timeLeft(options.for)} from now`,
    `Asked by: ${entry.owner}, according to the git identity, which is no proof`,
    ...(entry.ticket === undefined ? [] : [`Ticket: ${entry.ticket}`]),
    ...(denied === '' ? [] : [`Kept out all the same, where a deny wins, by: ${denied}`]),
  ];
  context.print(`Let ${network.text} in until ${entry.until}: ${entry.reason}\n\n${listed(facts)}`);
  // The text goes into a file, mostly.
  if (denied !== '') context.note(`${facts.at(-1)}\n`);
  sayNext(isWritten, options, context);
}

/** `revoke`: removes the entries of a network; of a list that denies only if that is named, as it would let the address in. */
export async function revoke(network: Cidr, options: ListOptions, context: CommandContext): Promise<void> {
  const place = placeOf(options, context);
  const { text } = network;
  const { edits, lists, isWritten } = await editLists(place, (before) => {
    const file = required(before, place);
    const only = options.list !== undefined && nameOf(file, place, options.list);
    const holding = [...file.lists].filter(([, { entries }]) => entries.has(text));
    const meant = holding.filter(([list, { action }]) => (only ? list === only : action === 'allow'));
    if (meant.length > 0) return meant.map(([list]) => ({ list, network: text }));
    const others = holding.map(([list, { action }]) => `"${list}", which has "action": "${action}"`);
    const where = only
      ? `not in the list "${only}" of ${place.name}`
      : `in no list of ${place.name} that allows`;
    const hint = others.length === 0 ? '' : `, but in ${others.join(', ')}: name it with --list`;
    throw new UserError(`${text} is ${where}${hint}. Nothing was changed.`);
  });
  const names = edits.map(({ list }) => list);
  const still = about(lists, { action: 'allow', network, nowMs: context.clock.epochMs() });
  const facts = [
    `Network: \`${text}\`, no longer in the list ${names.join(', ')} of \`${place.name}\``,
    ...(names.some((list) => lists.lists.get(list)?.action === 'deny')
      ? ['The list denies: the address is let in again as far as rules allow']
      : []),
    ...(still === '' ? [] : [`Still let in by: ${still}`]),
  ];
  context.print(`Revoke ${text}\n\n${listed(facts)}`);
  sayNext(isWritten, options, context);
}

const listed = (facts: readonly string[]): string => facts.map((fact) => `- ${fact}\n`).join('');

function sayNext(isWritten: boolean, { file }: ListOptions, { note }: CommandContext): void {
  if (!isWritten) note(`${file} says so already.\n`);
  else
    note(
      `${file} was written: commit it, and open a pull request with the text above. No access has changed. To review the change:\n` +
        `pulumi preview --json --show-sames --show-replacement-steps | ${COMMAND_LINE} review -\n`,
    );
}

/** `grants`: lists the entries that end, the next first; or removes those that have ended. */
export async function grants(options: GrantsOptions, context: CommandContext): Promise<void> {
  const place = placeOf(options, context);
  const nowMs = context.clock.epochMs();
  const ending = (lists: ListFile | undefined): Grant[] =>
    grantsIn(required(lists, place), place, options.list);
  if (!options.prune) {
    const all = ending(await readLists(place));
    context.print(options.json ? printableJson({ grants: all }) : tableOf(all, nowMs));
    return;
  }
  let ended: readonly Grant[] = [];
  const { isWritten } = await editLists(place, (lists) => {
    ended = ending(lists).filter(({ until }) => hasEnded(until, nowMs));
    return ended.map(({ list, network }) => ({ list, network }));
  });
  if (options.json) context.print(printableJson({ pruned: ended }));
  else context.print(ended.length === 0 ? 'No entry has ended.\n' : `Removed:\n${tableOf(ended, nowMs)}`);
  if (isWritten) context.note(`${place.name} was written: commit it.\n`);
}

/** @throws UserError if there is no file. */
function required(lists: ListFile | undefined, { cwd, name }: ListsPlace): ListFile {
  if (lists) return lists;
  throw new UserError(
    `There is no file ${name} in ${cwd}: name it with --file, or its folder with --cwd; the first "grant" creates it.`,
  );
}

/** The name of the list that is meant: the only one, if none is named. @throws UserError if there is no such list. */
function nameOf({ lists }: ListFile, { name }: ListsPlace, given: string | undefined): string {
  const known = [...lists.keys()];
  const meant = given ?? (known.length === 1 ? known[0] : undefined);
  if (meant !== undefined && lists.has(meant)) return meant;
  throw new UserError(
    `The lists of ${name} are ${known.join(', ') || 'none'}: name one with --list, or add "${given ?? 'NAME'}": { "action": "allow" } to the file.`,
  );
}

/** The entries about addresses of a network that have not ended, in words; of very many, the first. */
function about(
  { lists }: ListFile,
  { action, network, nowMs }: { readonly action: RuleAction; readonly network: Cidr; readonly nowMs: number },
): string {
  const isAbout = ([text, { until }]: readonly [string, ListEntry]): boolean => {
    const parsed = parseCidr(text);
    return parsed.ok && overlaps(parsed.cidr, network) && !hasEnded(until, nowMs);
  };
  const found = [...lists].flatMap(([list, { action: does, entries }]) =>
    does === action ? [...entries].filter(isAbout).map(([text]) => `\`${text}\` in the list ${list}`) : [],
  );
  return firstOf(found, 10);
}

interface Grant extends ListEntry, Pick<Edit, 'list' | 'network'> {
  readonly until: string;
}

const grantsIn = (file: ListFile, place: ListsPlace, given: string | undefined): Grant[] =>
  [...file.lists]
    .filter(([list]) => given === undefined || list === nameOf(file, place, given))
    .flatMap(([list, { entries }]) => [...entries].map(([network, entry]) => ({ list, network, ...entry })))
    .filter((entry): entry is Grant => entry.until !== undefined)
    .sort((left, right) => endMs(left.until) - endMs(right.until));

function tableOf(all: readonly Grant[], nowMs: number): string {
  if (all.length === 0) return 'No entry ends by itself.\n';
  return table(
    all.map(({ list, network, until, reason = '', owner = '', ticket = '' }) => [
      ...[network, list, hasEnded(until, nowMs) ? 'ended' : `${timeLeft(endMs(until) - nowMs)} left`, until],
      ...[owner, reason, ticket].map((text) => safeText(text, Infinity)),
    ]),
  );
}

/** A time in its two largest units, rounded up to minutes: `3 h 12 min`. */
function timeLeft(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS);
  const parts = { d: Math.floor(minutes / 1440), h: Math.floor(minutes / 60) % 24, min: minutes % 60 };
  const counted = Object.entries(parts).filter(([, amount]) => amount > 0);
  return counted
    .map(([unit, amount]) => `${amount} ${unit}`)
    .slice(0, 2)
    .join(' ');
}

/** The name and the address that git would write into a commit. */
async function identityIn(folder: string, context: CommandContext): Promise<string> {
  const git = new Git(folder, context);
  try {
    const [name, email] = [await git.ask(['config', 'user.name']), await git.ask(['config', 'user.email'])];
    return safeText(`${name.trim()} <${email.trim()}>`, Infinity);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    throw new UserError(
      `git does not know who you are (${error.message}): run git config user.name "NAME" and git config user.email ADDRESS. Nothing was changed.`,
    );
  }
}
