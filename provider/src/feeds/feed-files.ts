import path from 'node:path';
import { COMMAND_LINE } from '../errors/words';
import { existsSync, readFileSync } from 'node:fs';
import { UserError } from '../errors/user-error';
import { DECLARATION_FILE, type Declarations, parseDeclarations } from './feed-declaration';
import { intactFeed, LOCK_FILE, parseLock } from './lock';
import { compareCidrs } from '../values/cidr';
import { byteLength } from '../values/text-limits';

/** The nearest folder with declarations, from a folder upwards. The packages of a workspace may share those at its root. */
export function findFeedsFolder(from: string): string | undefined {
  let folder = path.resolve(from);
  for (;;) {
    const current = folder;
    if (existsSync(path.join(current, DECLARATION_FILE))) return current;
    folder = path.dirname(current);
    if (folder === current) return undefined;
  }
}

/** @throws UserError if no folder has declarations. */
export function requireFeedsFolder(from: string): string {
  const folder = findFeedsFolder(from);
  if (folder !== undefined) return folder;
  throw new UserError(
    `There is no ${DECLARATION_FILE} in ${path.resolve(from)} or above it. Create it next to Pulumi.yaml, for example with ` +
      `{"feeds":{"cloudflare":{"publisher":"cloudflare"}}}, and run "${COMMAND_LINE} feeds update".`,
  );
}

/** @throws UserError if the declarations of a folder cannot be used. */
export const readDeclarations = (folder: string): Declarations =>
  parseDeclarations(textOf(path.join(folder, DECLARATION_FILE)) ?? '{}');

/** The text of a file, without a byte order mark; undefined if there is no file. */
export function textOf(file: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UserError(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? `${file} is not UTF-8: save it as UTF-8.`
        : `${file} cannot be read (${code ?? 'no reason given'}).`,
      { cause: error },
    );
  }
}

/** One rule made from feeds. */
export interface FeedRule {
  /** A network of a feed, in canonical form. */
  readonly cidr: string;
  readonly action: 'allow' | 'deny';
  /** The feeds that contain the network: `feed cloudflare`, or `feeds ci-hooks, ci-web`. */
  readonly description: string;
}

/**
 * From the lock, in canonical order, with one rule for a network that several feeds contain.
 * @throws UserError with the remedy, if a file is missing or wrong, or the lock does not match the declaration.
 */
export function rulesOfFeeds(names: readonly string[], action: 'allow' | 'deny', from: string): FeedRule[] {
  if (names.length === 0) throw new UserError('No feed is named.');
  const folder = requireFeedsFolder(from);
  const declarations = readDeclarations(folder);
  const text = textOf(path.join(folder, LOCK_FILE));
  if (text === undefined) {
    throw new UserError(
      `There is no ${LOCK_FILE} next to ${DECLARATION_FILE} in ${folder}: run "${COMMAND_LINE} feeds update" and commit the file.`,
    );
  }
  const lock = parseLock(text);
  const feeds = [...new Set(names)].sort().map((name) => intactFeed(name, declarations, lock));
  return united(feeds).map(({ text, owners }) => ({ cidr: text, action, description: describe(owners) }));
}

function united(feeds: readonly ReturnType<typeof intactFeed>[]) {
  const owners = new Map<string, string[]>();
  const networks = feeds.flatMap(({ declaration, networks: networksOfFeed }) =>
    networksOfFeed.filter(({ text }) => {
      const known = owners.get(text);
      if (known === undefined) owners.set(text, [declaration.name]);
      else known.push(declaration.name);
      return known === undefined;
    }),
  );
  return networks.sort(compareCidrs).map(({ text }) => ({ text, owners: owners.get(text) ?? [] }));
}

/** The service's limit of a description. */
const LONGEST_DESCRIPTION = 255;

/** The feeds in words: their names, or how many there are if these are too long for a description. */
function describe(names: readonly string[]): string {
  const description = `${names.length === 1 ? 'feed' : 'feeds'} ${names.join(', ')}`;
  return byteLength(description) <= LONGEST_DESCRIPTION ? description : `feeds (${names.length} of them)`;
}
