// What for: named lists of networks in a file of the repository: its form, and the rules that a program makes of it.
// Must not know: `rule-set`, `api`, and the commands that write the file.
import { CONFLICT_MARK } from '../feeds/lock';
import { COMMAND_LINE } from '../errors/words';
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
import { printableInState } from '../values/printable';
import { parseUntil } from '../values/until';

/** What an entry may say, in the order in which it is written. */
export const ENTRY_MEMBERS = ['until', 'reason', 'owner', 'ticket'] as const;

/** One network of a list. */
export type ListEntry = Readonly<Partial<Record<(typeof ENTRY_MEMBERS)[number], string>>>;

/** A list: what its rules do, and its entries by their networks in canonical text. */
export interface NamedList {
  readonly action: RuleAction;
  readonly entries: ReadonlyMap<string, ListEntry>;
}

export interface ListFile {
  /** Where editors find the schema of the file. */
  readonly schema: string;
  readonly lists: ReadonlyMap<string, NamedList>;
}

/** The schema that a new file names. */
export const LISTS_SCHEMA = 'node_modules/pulumi-edge-policy/schemas/lists-1.json';

/**
 * The canonical text of a file. Each entry has a line that ends in a comma, whatever follows, and lines are sorted by network.
 * So git merges two additions by itself, unless both come between the same two lines.
 */
export function listFileText({ schema, lists }: ListFile): string {
  const ofLists = [...lists]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, { action, entries }]) => [
      `  ${JSON.stringify(name)}: {`,
      ...sorted(entries).map(([network, entry]) => `    "${network}": ${entryText(entry)},`),
      `    "action": "${action}"`,
      '  },',
    ]);
  return ['{', ...ofLists, `  "$schema": ${JSON.stringify(schema)}`, '}', ''].join('\n');
}

export function entryText(entry: ListEntry): string {
  const members = ENTRY_MEMBERS.flatMap((name) => {
    const text = entry[name];
    return text === undefined ? [] : [`"${name}": ${printableInState(text)}`];
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

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
export function parseListFile(text: string, name: string): ListFile {
  if (CONFLICT_MARK.test(text))
    throw new UserError(
      `${name} has the conflict markers of a merge: run "${COMMAND_LINE} grants --prune", which resolves them.`,
    );
  const parsed = parseJson(text);
  if (!parsed.ok) throw new UserError(`${name}: ${parsed.problem}.`);
  try {
    const { $schema = LISTS_SCHEMA, ...lists } = object(parsed.value, 'the file');
    return { schema: textOf($schema, '$schema'), lists: listsOf(lists, 'lists') };
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
