// What for: the command `feeds`: fetches published networks and writes the lock. Nothing else in the provider fetches them.
// Must not know: `judge`; neither the service, its API key, nor the state of a stack.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { PUBLISHERS } from 'pulumi-edge-policy/internal/feeds/publishers';
import { type CommonOptions, locationOf } from '../command/arguments';
import { type CommandContext, type CliContext, EXIT, type ExitCode } from '../command/context';
import path from 'node:path';
import { isUserError, messageForUser, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { DECLARATION_FILE, type FeedDeclaration } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { readDeclarations, requireFeedsFolder, textOf } from 'pulumi-edge-policy/internal/feeds/feed-files';
import {
  type Lock,
  LOCK_FILE,
  type LockedFeed,
  lockText,
  parseLock,
} from 'pulumi-edge-policy/internal/feeds/lock';
import { replaceFile } from '../command/write-file';
import { collect, type Collected } from './collect-networks';
import { Documents, fetchSettings } from './documents';
import { resolveNames } from './resolve-names';
import { type StepOptions, stepOf, type FeedStep } from './step';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { count, safeText } from '../command/text';

const HELP = `
Examples:
  $ ${COMMAND_LINE} feeds update
  $ ${COMMAND_LINE} feeds update cloudflare --accept "announced on their status page"

Feeds are declared in edge-policy.feeds.json, such as { "feeds": { "cloudflare": { "publisher": "cloudflare" } } }. Publishers:
${Object.keys(PUBLISHERS).join(', ')}. "update" writes their networks into the lock, which "pulumi preview" and "up" read, and drops
feeds that are no longer declared. It fetches without credentials; EDGE_POLICY_PROXY names a proxy. For DNS names ({ "names":
["gw.example.net"], "mostAddresses": 2, "resolver": "9.9.9.9" }) it locks the addresses on which both resolvers agree. Exit
codes: 0 done, 2 a document was refused or could not be fetched, and its feed is unchanged, 3 nothing was done. See
docs/feeds.md in the package.`;

export function feedsCommand(context: CommandContext): Command {
  const feeds = new Command('feeds').description(
    'pin published networks in a lock file, and update them deliberately',
  );
  feeds
    .command('update')
    .description('fetch the declared feeds, check them, and rewrite those that have changed')
    .argument('[names...]', 'the feeds to update (default: all)')
    .option('--accept <reason>', 'accept a change of one feed beyond its bounds, this once, for this reason')
    .option('-C, --cwd <folder>', 'run as if started in this folder')
    .action(async (names: readonly string[], options: CommonOptions & { readonly accept?: string }) => {
      const { cwd: folder } = locationOf(options, context.workingDirectory);
      context.end(await update({ names, accept: options.accept, folder, context }));
    });
  return feeds.addHelpText('after', HELP);
}

interface Call {
  readonly names: readonly string[];
  /** Why a step beyond the bounds is acceptable. */
  readonly accept?: string | undefined;
  /** Where the search for the files begins. */
  readonly folder: string;
  readonly context: CliContext;
}

async function update(call: Call): Promise<ExitCode> {
  const { names, folder: from, context } = call;
  const folder = requireFeedsFolder(from);
  const declarations = readDeclarations(folder);
  const unknown = names.find((name) => !declarations.has(name));
  if (unknown !== undefined) throw new UserError(`There is no feed "${unknown}" in ${DECLARATION_FILE}.`);
  const accepted = acceptedReason(call);
  const locked = textOf(path.join(folder, LOCK_FILE));
  const lock: Lock = locked === undefined ? new Map() : parseLock(locked);
  const settings = fetchSettings(context);
  const documents = new Documents(context, settings);
  const asked = { system: context.nameServers, timeoutMs: settings.timeoutMs };
  const outcomes: FeedUpdate[] = [];
  for (const feed of declarations.values()) {
    if (names.length > 0 && !names.includes(feed.name)) continue;
    const fetched = async () =>
      feed.source.names ? resolveNames(feed, asked) : collect(feed, await documents.of(feed, folder));
    outcomes.push(
      await outcomeOf(feed, fetched, { old: lock.get(feed.name), now: context.clock.epochMs(), accepted }),
    );
  }
  const gone = [...lock.keys()].filter((name) => !declarations.has(name));
  outcomes.push(...gone.map((name): FeedUpdate => ({ name, kind: 'dropped' })));
  const isWritten = writeLock(folder, lockAfter(lock, outcomes, declarations.keys()));
  const isRefused = outcomes.some(({ kind }) => kind === 'refused');
  const remarks = [
    ...(isRefused ? ['Refused feeds stay unchanged.'] : []),
    ...(isWritten ? [`${LOCK_FILE} was written: commit it.`] : []),
  ].map((line) => `${line}\n`);
  const said = [outcomes.map(describeOutcome).join(''), remarks.join('')];
  context.print(said.filter(Boolean).join('\n'));
  return isRefused ? EXIT.notDecidable : EXIT.done;
}

async function outcomeOf(
  feed: FeedDeclaration,
  fetched: () => Promise<Collected>,
  { old, now, accepted }: StepOptions & { readonly old: LockedFeed | undefined },
): Promise<FeedUpdate> {
  const { name } = feed;
  try {
    const step = stepOf(feed, old, { ...(await fetched()), now, accepted });
    return step.problems.length > 0 && accepted === undefined
      ? { name, kind: 'refused', reason: step.problems.join(', and '), step }
      : { name, kind: 'passed', step };
  } catch (error) {
    if (!isUserError(error)) throw error;
    return { name, kind: 'refused', reason: messageForUser(error) };
  }
}

/** The locked feeds of these names after an update, refused ones as they were. */
function lockAfter(lock: Lock, outcomes: readonly FeedUpdate[], names: Iterable<string>): Lock {
  const fetched = new Map(
    outcomes.flatMap((outcome) => (outcome.kind === 'passed' ? [[outcome.name, outcome.step.locked]] : [])),
  );
  return new Map(
    [...names].flatMap((name) => {
      const feed = fetched.get(name) ?? lock.get(name);
      return feed === undefined ? [] : [[name, feed]];
    }),
  );
}

/** Returns whether there was another text before; a lock without feeds is not begun. */
function writeLock(folder: string, lock: Lock): boolean {
  const [file, text] = [path.join(folder, LOCK_FILE), lockText(lock)];
  const before = textOf(file);
  if (before === text || (before === undefined && lock.size === 0)) return false;
  replaceFile(file, text);
  return true;
}

const LONGEST_REASON = 300;

function acceptedReason({ names, accept }: Call): string | undefined {
  if (accept === undefined) return undefined;
  if (names.length !== 1) throw new UserError('--accept needs the name of exactly one feed.');
  const reason = accept.trim();
  if (!/^\P{C}+$/u.test(reason) || reason.length > LONGEST_REASON)
    throw new UserError(
      `--accept needs a reason of one line, at most ${LONGEST_REASON} characters: it goes into the lock.`,
    );
  return reason;
}

type FeedUpdate =
  | {
      readonly name: string;
      readonly kind: 'refused';
      readonly reason: string;
      /** What it would have changed, if only the bounds refuse it. */
      readonly step?: FeedStep;
    }
  /** It is locked and no longer declared. */
  | { readonly name: string; readonly kind: 'dropped' }
  | { readonly name: string; readonly kind: 'passed'; readonly step: FeedStep };

const MOST_SHOWN = 20;

function describeOutcome(outcome: FeedUpdate): string {
  const { name } = outcome;
  if (outcome.kind === 'dropped') return `${name}: no longer declared, and dropped from the lock\n`;
  if (outcome.kind === 'refused') {
    const { reason, step } = outcome;
    const said = `${name}: refused: ${safeText(reason, 400)}\n`;
    if (step === undefined) return said;
    return `${said}  ${describeChange(step)}  If intended: ${COMMAND_LINE} feeds update ${name} --accept "REASON"\n`;
  }
  const { before, after, locked } = outcome.step;
  if (before.length > 0) return `${name}: ${describeChange(outcome.step)}`;
  const notice = locked.notice === undefined ? '' : `  ${safeText(locked.notice, 200)}\n`;
  return `${name}: new, ${count(after.length, 'network')}\n${notice}`;
}

function describeChange({ before, after }: FeedStep): string {
  const [added, removed] = [missingIn(before, after), missingIn(after, before)];
  if (added.length + removed.length === 0) return `unchanged, ${count(after.length, 'network')}\n`;
  const lines = [...shown(added, '+'), ...shown(removed, '-')];
  return `${count(added.length, 'network')} more, ${removed.length} fewer\n${lines.join('')}`;
}

/** The networks that only the second list has, the largest first. */
function missingIn(others: readonly Cidr[], networks: readonly Cidr[]): string[] {
  const known = new Set(others.map(({ text }) => text));
  return networks
    .filter(({ text }) => !known.has(text))
    .sort((a, b) => hostBits(b) - hostBits(a))
    .map(({ text }) => text);
}

/** A /64 of IPv6 is one site, as an address of IPv4 is. */
const hostBits = ({ family, prefixLength }: Cidr): number => (family === 4 ? 32 : 64) - prefixLength;

function shown(networks: readonly string[], mark: string): string[] {
  const lines = networks.slice(0, MOST_SHOWN).map((network) => `  ${mark} ${network}\n`);
  const rest = networks.length - lines.length;
  return rest > 0 ? [...lines, `  ${mark} and ${rest} smaller ones\n`] : lines;
}
