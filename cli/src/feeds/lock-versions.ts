import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { textOf } from 'pulumi-edge-policy/internal/feeds/feed-files';
import {
  CONFLICT_MARK,
  IN_CONFLICT,
  LOCK_FILE,
  type LockedFeed,
  lockText,
  parseLock,
} from 'pulumi-edge-policy/internal/feeds/lock';
import { replaceFile } from '../command/write-file';
import type { Outcome } from './describe-feed';

/** The locked feeds by name, each in one version, or in two if a merge has left a conflict. */
export type LockVersions = ReadonlyMap<string, readonly LockedFeed[]>;

/**
 * The lock of a folder; an empty one if there is no file.
 *
 * @throws UserError if it is not a lock, or not even two sides of one.
 */
export function readVersions(folder: string): LockVersions {
  const text = textOf(path.join(folder, LOCK_FILE));
  const versions = new Map<string, LockedFeed[]>();
  for (const [name, feed] of text === undefined
    ? []
    : sidesOf(text).flatMap((side) => [...parseLock(side)])) {
    const known = versions.get(name) ?? [];
    if (!known.some((other) => isDeepStrictEqual(other, feed))) versions.set(name, [...known, feed]);
  }
  return versions;
}

const SIDE_AFTER: Readonly<Record<string, readonly string[]>> = {
  '<<<<<<<': ['ours'],
  // What both sides began from, in the style diff3: it is in neither.
  '|||||||': [],
  '=======': ['theirs'],
  '>>>>>>>': ['ours', 'theirs'],
};

/** The text of each side of a merge, or the only text. */
function sidesOf(text: string): string[] {
  if (!CONFLICT_MARK.test(text)) return [text];
  const sides: Record<string, string> = { ours: '', theirs: '' };
  let into = ['ours', 'theirs'] as readonly string[];
  for (const line of text.split('\n')) {
    const [mark] = CONFLICT_MARK.exec(line) ?? [];
    if (mark !== undefined) into = SIDE_AFTER[mark] ?? into;
    else for (const side of into) sides[side] = `${sides[side] ?? ''}${line}\n`;
  }
  return Object.values(sides);
}

/** The locked feeds of these names after an update, refused ones as they were. */
export function lockAfter(
  versions: LockVersions,
  outcomes: readonly Outcome[],
  names: Iterable<string>,
): LockVersions {
  const fetched = new Map(
    outcomes.flatMap((outcome) =>
      outcome.kind === 'refused' || outcome.kind === 'dropped' ? [] : [[outcome.name, [outcome.step.locked]]],
    ),
  );
  return new Map(
    [...names].flatMap((name) => {
      const feed = fetched.get(name) ?? versions.get(name);
      return feed === undefined ? [] : [[name, feed]];
    }),
  );
}

/** The feeds of which two versions are left: as long as there are any, nothing can be written. */
export const unresolved = (versions: LockVersions): string[] =>
  [...versions].flatMap(([name, own]) => (own.length > 1 ? [name] : []));

/** Whether the lock of a folder is exactly this. */
export const isLocked = (folder: string, versions: LockVersions): boolean =>
  unresolved(versions).length === 0 && textOf(path.join(folder, LOCK_FILE)) === textWith(versions);

/** @throws UserError if a merge has left two versions of a feed. */
export function writeLock(folder: string, versions: LockVersions): void {
  if (unresolved(versions).length > 0) throw new UserError(IN_CONFLICT);
  replaceFile(path.join(folder, LOCK_FILE), textWith(versions));
}

const textWith = (versions: LockVersions): string =>
  lockText(new Map([...versions].flatMap(([name, [feed]]) => (feed ? [[name, feed]] : []))));
