import { createHash } from 'node:crypto';
import { COMMAND_LINE } from '../errors/words';
import { UserError } from '../errors/user-error';
import { type Cidr, compareCidrs, parseCidr } from '../values/cidr';
import {
  DocumentError,
  isObject,
  listOf,
  name,
  objectOf,
  optional,
  recordOf,
  text,
  wholeNumberFrom,
} from '../values/decoding';
import { echo } from '../values/failure';
import { printableJson } from '../values/printable';
import { refuseOddNetworks } from './feed-bounds';
import {
  DECLARATION_FILE,
  type Declarations,
  type FeedDeclaration,
  type FeedSource,
  isSameSource,
  source,
} from './feed-declaration';

/** The file with the networks, next to the declarations. */
export const LOCK_FILE = 'edge-policy.feeds.lock.json';

/** The versions of the file's format: 2 has names, which older packages refuse. */
const [DOCUMENTS_VERSION, NAMES_VERSION] = [1, 2];

export interface LockedFeed {
  /** The source that was asked. If the declaration now asks another one, the networks are not its own. */
  readonly source: FeedSource;
  /** A notice that the publisher asks to keep with the data. */
  readonly notice?: string | undefined;
  /** The day on which the networks were last confirmed by the publisher, `YYYY-MM-DD`; it may lag by half of `maxAgeDays`.
   * Of names: on which they changed. */
  readonly checked: string;
  /** Why a step beyond the bounds was accepted. */
  readonly accepted?: string | undefined;
  /** The digest of the networks below. */
  readonly digest: string;
  /** In canonical order, without duplicates. */
  readonly networks: readonly string[];
}

export type Lock = ReadonlyMap<string, LockedFeed>;

/** The text of a lock, with one network per line; equal locks have equal texts. */
export function lockText(lock: Lock): string {
  const names = [...lock.keys()].sort();
  const feeds = names.flatMap((name) => {
    const feed = lock.get(name);
    if (feed === undefined) return [];
    const { source, notice, checked, accepted, digest, networks } = feed;
    return [[name, { source, notice, checked, accepted, digest, networks }]];
  });
  const hasNames = [...lock.values()].some(({ source: { names: dnsNames } }) => dnsNames !== undefined);
  const version = hasNames ? NAMES_VERSION : DOCUMENTS_VERSION;
  return printableJson({ version, feeds: Object.fromEntries(feeds) as object });
}

/** Whether the networks are those that were locked, {@link intactFeed} checks. @throws UserError if it is not a lock. */
export function parseLock(text: string): Lock {
  try {
    const document = jsonOf(text);
    if (isObject(document) && Number(document['version']) > NAMES_VERSION)
      throw new UserError(`${LOCK_FILE} was written by a newer version of this package: install that one.`);
    return lock(document, LOCK_FILE).feeds;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new UserError(`${LOCK_FILE} is not a lock (${error.message.replace(/\.$/, '')}): ${REMEDY}.`);
  }
}

const REMEDY = 'take it from the last good commit';

/** What to do about a lock in which a merge has left a conflict. Without a lock, no bounds would hold. */
const IN_CONFLICT = `${LOCK_FILE} has the conflict markers of a merge: take one side, with "git checkout --ours ${LOCK_FILE}", and run "${COMMAND_LINE} feeds update".`;

/** The lines that a merge leaves around a conflict. */
export const CONFLICT_MARK = /^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)/m;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UserError(CONFLICT_MARK.test(text) ? IN_CONFLICT : `${LOCK_FILE} is not JSON: ${REMEDY}.`);
  }
}

const lock = objectOf<{ version: number; feeds: Lock }>({
  version: wholeNumberFrom(DOCUMENTS_VERSION, NAMES_VERSION),
  feeds: recordOf(
    objectOf<LockedFeed>({
      source,
      notice: optional(name),
      checked: name,
      accepted: optional(name),
      digest: name,
      networks: listOf(text),
    }),
  ),
});

/** A feed whose networks are proved to be the locked ones. */
export interface IntactFeed {
  readonly declaration: FeedDeclaration;
  readonly locked: LockedFeed;
  readonly networks: readonly Cidr[];
}

/** @throws UserError with the remedy, if the lock lacks the feed or holds other networks than were locked for this declaration. */
export function intactFeed(name: string, declarations: Declarations, lock: Lock): IntactFeed {
  const declaration = declarations.get(name);
  if (declaration === undefined) throw new UserError(undeclared(name, declarations));
  const locked = lock.get(name);
  const update = `run "${COMMAND_LINE} feeds update ${name}"`;
  if (locked === undefined) throw new UserError(`${LOCK_FILE} lacks the feed ${echo(name)}: ${update}.`);
  if (!isSameSource(locked.source, declaration.source)) {
    throw new UserError(`The declaration of the feed ${echo(name)} does not match ${LOCK_FILE}: ${update}.`);
  }
  if (digestOf(locked.networks) !== locked.digest) {
    throw new UserError(
      `The networks of the feed ${echo(name)} in ${LOCK_FILE} do not match their digest: they were edited by hand, or by a merge of two versions. Take the file from the last good commit, or ${update}.`,
    );
  }
  return { declaration, locked, networks: canonicalNetworks(declaration, locked) };
}

/** Detects accidents. A person who edits both can write a correct one. */
export const digestOf = (networks: readonly string[]): string =>
  `sha256:${createHash('sha256').update(networks.join('\n')).digest('hex')}`;

function undeclared(name: string, declarations: Declarations): string {
  const known = [...declarations.keys()].join(', ');
  return `There is no feed ${echo(name)}; declared feeds: ${known === '' ? 'none' : known}. Declare it in ${DECLARATION_FILE}, and run "${COMMAND_LINE} feeds update".`;
}

function canonicalNetworks({ name, bounds }: FeedDeclaration, { networks }: LockedFeed): readonly Cidr[] {
  const parsed: Cidr[] = [];
  for (const text of networks) {
    const result = parseCidr(text);
    const before = parsed.at(-1);
    const isInOrder = result.ok && (before === undefined || compareCidrs(before, result.cidr) < 0);
    if (!isInOrder || result.cidr.text !== text) {
      throw new UserError(
        `${LOCK_FILE} holds ${echo(text)} in the feed ${echo(name)}, which is not in canonical form or order: only "${COMMAND_LINE} feeds" writes this file. Run "${COMMAND_LINE} feeds update ${name}".`,
      );
    }
    parsed.push(result.cidr);
  }
  try {
    refuseOddNetworks(parsed, bounds);
  } catch (error) {
    throw new UserError(
      `The feed ${echo(name)} in ${LOCK_FILE} cannot be used: ${(error as Error).message}.`,
      { cause: error },
    );
  }
  return parsed;
}

const DAY_MS = 86_400_000;

/** Infinity if the text is not a date. */
export function ageInDays({ checked }: LockedFeed, now: number): number {
  const day = /^\d{4}-\d\d-\d\d$/.test(checked) ? Date.parse(checked) : NaN;
  return Number.isNaN(day) || day > now + DAY_MS ? Infinity : Math.max(0, Math.floor((now - day) / DAY_MS));
}

/** Whether a feed has not been checked for too long. The lock of names changes with their addresses only. */
export const isStale = (
  { declaration, locked }: Pick<IntactFeed, 'declaration' | 'locked'>,
  now: number,
): boolean => declaration.source.names === undefined && ageInDays(locked, now) > declaration.maxAgeDays;
