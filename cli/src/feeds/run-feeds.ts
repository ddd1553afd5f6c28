// What for: the command `feeds`: fetches published networks and writes the lock. Nothing else in the provider fetches them.
// Must not know: `judge`; neither the service, its API key, nor the state of a stack.
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { DECLARATION_FILE } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { readDeclarations, requireFeedsFolder, textOf } from 'pulumi-edge-policy/internal/feeds/feed-files';
import { type Lock, LOCK_FILE, lockText, parseLock } from 'pulumi-edge-policy/internal/feeds/lock';
import { type CliContext, EXIT, type ExitCode } from '../command/context';
import { replaceFile } from '../command/write-file';
import { describeOutcome, type Outcome } from './describe-feed';
import { fetchFeeds } from './update';

/** The arguments of `feeds update`. */
export interface Call {
  readonly names: readonly string[];
  /** Why a step beyond the bounds is acceptable. */
  readonly accept?: string | undefined;
  /** Where the search for the files begins. */
  readonly folder: string;
  readonly context: CliContext;
}

/** `feeds update`: rewrites what has changed. */
export async function update(call: Call): Promise<ExitCode> {
  const { names, folder: from, context } = call;
  const folder = requireFeedsFolder(from);
  const declarations = readDeclarations(folder);
  const unknown = names.find((name) => !declarations.has(name));
  if (unknown !== undefined) throw new UserError(`There is no feed "${unknown}" in ${DECLARATION_FILE}.`);
  const accepted = acceptedReason(call);
  const lock = readLock(folder);
  const feeds = [...declarations.values()].filter(({ name }) => names.length === 0 || names.includes(name));
  const fetched = await fetchFeeds({ folder, feeds, accepted }, lock, context);
  const gone = [...lock.keys()].filter((name) => !declarations.has(name));
  const outcomes = [...fetched, ...gone.map((name): Outcome => ({ name, kind: 'dropped' }))];
  const isWritten = writeLock(folder, lockAfter(lock, outcomes, declarations.keys()));
  const isRefused = outcomes.some(({ kind }) => kind === 'refused');
  const remarks = [
    ...(isRefused ? ['Refused feeds stay unchanged.'] : []),
    ...(isWritten ? [`${LOCK_FILE} was written: commit it.`] : []),
  ].map((line) => `${line}\n`);
  const said = [outcomes.map(describeOutcome).join(''), remarks.join('')];
  context.print(said.filter(Boolean).join('\n'));
  return isRefused ? EXIT.undecided : EXIT.done;
}

function readLock(folder: string): Lock {
  const text = textOf(path.join(folder, LOCK_FILE));
  return text === undefined ? new Map() : parseLock(text);
}

/** The locked feeds of these names after an update, refused ones as they were. */
function lockAfter(lock: Lock, outcomes: readonly Outcome[], names: Iterable<string>): Lock {
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
