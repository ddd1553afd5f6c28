// What for: named lists of networks in a file of the repository: its form, and the rules that a program makes of it.
// Must not know: `rule-set` and `api`.
import { UserError } from '../errors/user-error';
import { type SetRule, textProblem } from '../rule/rule';
import { echo } from '../values/failure';
import { endMs, parseUntil } from '../values/until';
import { textOf } from '../feeds/feed-files';
import { CONFLICT_MARK } from '../feeds/lock';
import { checkAction, type RuleAction } from '../values/action';
import { type Cidr, compareCidrs, parseCidr } from '../values/cidr';
import {
  checked,
  DocumentError,
  name as nonEmpty,
  object,
  objectOf,
  optional,
  type Reader,
  recordOf,
  text as anyText,
} from '../values/decoding';
import { parseJson } from '../values/json';
import { nameProblem } from '../values/text-limits';

type ListEntry = Readonly<Partial<Record<'until' | 'reason' | 'owner' | 'ticket', string>>>;

/** A list: what its rules do, and its entries by their networks in canonical text. */
interface NamedList {
  readonly action: RuleAction;
  readonly entries: ReadonlyMap<string, ListEntry>;
}

type NamedLists = ReadonlyMap<string, NamedList>;

const sorted = (entries: NamedList['entries']): [string, ListEntry][] =>
  [...entries]
    .map(([text, entry]) => ({ network: networkOf(text), line: [text, entry] as [string, ListEntry] }))
    .sort((left, right) => compareCidrs(left.network, right.network))
    .map(({ line }) => line);

function networkOf(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed.ok) return parsed.cidr;
  throw new UserError(parsed.reason);
}

/** Values must be canonical, so that no network has two names. @throws UserError if the file cannot be used. */
function parseListFile(text: string, name: string): NamedLists {
  if (CONFLICT_MARK.test(text))
    throw new UserError(
      `${name} has the conflict markers of a merge: edit the file so that it has each entry that shall stay, once.`,
    );
  const parsed = parseJson(text);
  if (!parsed.ok) throw new UserError(`${name}: ${parsed.problem}.`);
  try {
    const { $schema, ...lists } = object(parsed.value, 'the file');
    optional(anyText)($schema, '$schema');
    return listsOf(lists, 'lists');
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new UserError(`${name}, line ${lineOf(error.message, text)}: ${error.message}`);
  }
}

/** The line of the member that a message begins with, or of the nearest one around it that the file has literally. */
function lineOf(message: string, text: string): number {
  const place = /^lists((?:\.[\w-]+|\["[^"]*"\])*)/.exec(message)?.[1] ?? '';
  let at = 0;
  for (const [, name, quoted = name] of place.matchAll(/\.([\w-]+)|\["([^"]*)"\]/g))
    at = Math.max(at, text.indexOf(`"${quoted}"`, at));
  return text.slice(0, at).split('\n').length;
}

const note = checked(nonEmpty, (given) => textProblem('description', given));

/** Only these members are accepted: an entry with a misspelt end would never end. */
const entry = objectOf<ListEntry>({
  until: optional(checked(nonEmpty, untilProblem)),
  reason: optional(note),
  owner: optional(note),
  ticket: optional(note),
});

function untilProblem(given: string): string | undefined {
  const end = parseUntil(given);
  if (!end.ok) return `cannot be used: ${end.reason}`;
  return end.until === given ? undefined : `must be written ${echo(end.until)}`;
}

function networkProblem(network: string): string | undefined {
  const parsed = parseCidr(network);
  if (!parsed.ok) return `is no network: ${parsed.reason}`;
  return parsed.cidr.text === network ? undefined : `must be written ${echo(parsed.cidr.text)}`;
}

const entries = recordOf(entry, networkProblem);
const action = checked(anyText, checkAction) as Reader<RuleAction>;

const listsOf = recordOf(
  (value, place): NamedList => {
    const { action: does, ...networks } = object(value, place);
    return { action: action(does, `${place}.action`), entries: entries(networks, place) };
  },
  (list) => nameProblem(list, 'list'),
);

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
