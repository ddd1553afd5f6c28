import { readFileSync } from 'node:fs';
import { UserError } from '../errors/user-error';
import type { SetRule } from '../rule/rule';
import { echo } from '../values/failure';
import { endMs } from '../values/until';
import { type ListEntry, type NamedLists, parseListFile, sorted } from './list-file';

/** One rule made from a list. */
export interface ListRule extends SetRule {
  /** The name of the list. It is not sent to the service. */
  readonly list: string;
}

/**
 * The rules for the networks of lists in a file. A network that several of them hold appears once, with the entry that lasts longest.
 *
 * @param names The lists; all of the file if there are none.
 * @param warn Prints a line about each network that is a whole address family.
 * @throws UserError that names file, list, entry and rule, if the file is missing or wrong.
 */
export function rulesOfLists(
  file: string,
  names: readonly string[],
  warn: (line: string) => void,
): ListRule[] {
  const text = textOf(file);
  if (text === undefined) {
    const empty = (names.length === 0 ? ['exceptions'] : names).map(
      (name) => `${echo(name)}: { "action": "allow" }`,
    );
    throw new UserError(
      `There is no file ${echo(file)}: name it relative to the working directory, or create it with this content: ` +
        `{ ${empty.join(', ')} }.`,
    );
  }
  const content = parseListFile(text, file);
  const rules = new Map<string, ListRule>();
  for (const name of names.length === 0 ? content.keys() : names)
    for (const rule of rulesOf(name, content, file)) {
      const earlier = rules.get(rule.cidr);
      if (earlier && earlier.action !== rule.action)
        throw new UserError(
          `${file}: ${rule.cidr} is in the list ${echo(earlier.list)}, which has "action": "${earlier.action}", and in ${echo(name)}, ` +
            `which has "${rule.action}": remove it from one of them.`,
        );
      if (!earlier || endOf(earlier) < endOf(rule)) rules.set(rule.cidr, rule);
    }
  for (const { cidr, list } of rules.values())
    if (cidr.endsWith('/0'))
      warn(
        `${file}: ${cidr} in the list ${echo(list)} is every address of ${cidr.includes(':') ? 'IPv6' : 'IPv4'}. Unless you mean ` +
          'that, correct its prefix length.',
      );
  return [...rules.values()];
}

/** The text of a file, without a byte order mark; undefined if there is no file. */
function textOf(file: string): string | undefined {
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

const endOf = ({ until }: ListEntry): number => (until === undefined ? Infinity : endMs(until));

function rulesOf(name: string, lists: NamedLists, file: string): ListRule[] {
  const list = lists.get(name);
  if (!list) {
    const known = [...lists.keys()].join(', ');
    throw new UserError(
      `${file}: there is no list ${echo(name)}; the file has ${known === '' ? 'none' : known}.`,
    );
  }
  return sorted(list.entries).map(([cidr, { until, reason, owner, ticket }]) => ({
    ...{ cidr, action: list.action },
    ...(reason !== undefined && { description: reason }),
    ...((owner ?? ticket) !== undefined && { metadata: JSON.stringify({ owner, ticket }) }),
    ...(until !== undefined && { until }),
    list: name,
  }));
}
