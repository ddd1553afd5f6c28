// What for: named lists of networks in a file of the repository: its form, and the rules that a program makes of it.
// Must not know: `rule-set` and `api`.
import { CONFLICT_MARK } from '../feeds/lock';
import { UserError } from '../errors/user-error';
import { textProblem } from '../rule/rule';
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
  text as textOf,
} from '../values/decoding';
import { echo } from '../values/failure';
import { parseJson } from '../values/json';
import { nameProblem } from '../values/text-limits';
import { parseUntil } from '../values/until';

/** One network of a list. */
export type ListEntry = Readonly<Partial<Record<'until' | 'reason' | 'owner' | 'ticket', string>>>;

/** A list: what its rules do, and its entries by their networks in canonical text. */
export interface NamedList {
  readonly action: RuleAction;
  readonly entries: ReadonlyMap<string, ListEntry>;
}

/** The lists of a file by their names. */
export type NamedLists = ReadonlyMap<string, NamedList>;

export const sorted = (entries: NamedList['entries']): [string, ListEntry][] =>
  [...entries]
    .map(([text, entry]) => ({ network: networkOf(text), line: [text, entry] as [string, ListEntry] }))
    .sort((left, right) => compareCidrs(left.network, right.network))
    .map(({ line }) => line);

function networkOf(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed.ok) return parsed.cidr;
  throw new UserError(parsed.reason);
}

/**
 * Reads the text of a file. Layout and order do not count. Values must be canonical, so that no network has two names.
 *
 * @param name The name of the file, for messages.
 * @throws UserError if it cannot be used.
 */
export function parseListFile(text: string, name: string): NamedLists {
  if (CONFLICT_MARK.test(text))
    throw new UserError(
      `${name} has the conflict markers of a merge: edit the file so that it has each entry that shall stay, once.`,
    );
  const parsed = parseJson(text);
  if (!parsed.ok) throw new UserError(`${name}: ${parsed.problem}.`);
  try {
    const { $schema, ...lists } = object(parsed.value, 'the file');
    optional(textOf)($schema, '$schema');
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
const action = checked(textOf, checkAction) as Reader<RuleAction>;

const listsOf = recordOf(
  (value, place): NamedList => {
    const { action: does, ...networks } = object(value, place);
    return { action: action(does, `${place}.action`), entries: entries(networks, place) };
  },
  (list) => nameProblem(list, 'list'),
);
