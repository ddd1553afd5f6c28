// What for: named lists of networks in a file of the repository: its form, and the rules that a program makes of it.
// Must not know: `rule-set`, `api`, and the commands that write the file.
import { CONFLICT_MARK } from '../feeds/lock';
import { isObject } from '../values/json';
import { COMMAND_LINE } from '../errors/words';
import { UserError } from '../errors/user-error';
import { textProblem } from '../rule/rule';
import { checkAction, type RuleAction } from '../values/action';
import { type Cidr, compareCidrs, parseCidr } from '../values/cidr';
import { echo, nearestName, typeName } from '../values/failure';
import { parseJson } from '../values/json';
import { nameProblem } from '../values/list-name';
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

/** The content of a file. */
export interface ListFile {
  /** Where editors find the schema of the file. */
  readonly schema: string;
  readonly lists: ReadonlyMap<string, NamedList>;
}

/** The schema that a new file names. */
export const LISTS_SCHEMA = 'node_modules/pulumi-edge-policy/schemas/lists-1.json';

/**
 * The canonical text of a file. Each entry has a line that ends in a comma, whatever follows, and lines are sorted by network: so
 * git merges two additions by itself, unless both come between the same two lines.
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

/** An entry on one line. */
export function entryText(entry: ListEntry): string {
  const members = ENTRY_MEMBERS.flatMap((name) => {
    const text = entry[name];
    return text === undefined ? [] : [`"${name}": ${printableInState(text)}`];
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Entries in the order of their networks. */
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
 * Reads the text of a file. Layout and order do not count, but values must be canonical, so that no network has two names.
 *
 * @param name The name of the file, for messages.
 * @throws UserError with everything that is wrong.
 */
export function parseListFile(text: string, name: string): ListFile {
  if (CONFLICT_MARK.test(text))
    throw new UserError(
      `${name} has the conflict markers of a merge: run "${COMMAND_LINE} grants --prune", which resolves them.`,
    );
  const parsed = parseJson(text);
  const problems: string[] = [];
  const refuse = (place: string, problem: string): void => void problems.push(`${name}: ${place}${problem}.`);
  if (!parsed.ok) refuse('', parsed.problem);
  else if (!isObject(parsed.value)) refuse('', `must be an object of lists, not ${typeName(parsed.value)}`);
  const { $schema = LISTS_SCHEMA, ...lists } = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  if (typeof $schema !== 'string') refuse('"$schema" ', 'must be a string');
  const read = Object.entries(lists).map(([list, value]): [string, NamedList] => {
    const problem = nameProblem(list, 'list');
    if (problem !== undefined) refuse(`${echo(list)}: `, problem);
    return [
      list,
      readList(value, (place, of) => {
        refuse(`list ${echo(list)}: ${place}`, of);
      }),
    ];
  });
  if (problems.length > 0) throw new UserError(problems.join('\n'));
  return { schema: typeof $schema === 'string' ? $schema : LISTS_SCHEMA, lists: new Map(read) };
}

type Refuse = (place: string, problem: string) => void;

function readList(value: unknown, refuse: Refuse): NamedList {
  if (!isObject(value)) refuse('', `must be an object, not ${typeName(value)}`);
  const { action, ...entries } = isObject(value) ? value : { action: 'allow' };
  const problem = typeof action === 'string' ? checkAction(action) : 'must be allow or deny';
  if (problem !== undefined) refuse('"action" ', problem);
  return {
    action: action === 'deny' ? 'deny' : 'allow',
    entries: new Map(
      Object.entries(entries).map(([network, entry]) => [
        network,
        readEntry(network, entry, (place, of) => {
          refuse(`${echo(network)}${place} `, of);
        }),
      ]),
    ),
  };
}

function readEntry(network: string, value: unknown, refuse: Refuse): ListEntry {
  const parsed = parseCidr(network);
  if (!parsed.ok) refuse('', `is no network: ${parsed.reason}`);
  else if (parsed.cidr.text !== network) refuse('', `must be written ${echo(parsed.cidr.text)}`);
  if (!isObject(value))
    refuse('', `must be an object such as { "reason": "vendor on call" }, not ${typeName(value)}`);
  const entry: Record<string, string> = {};
  for (const [member, given] of Object.entries(isObject(value) ? value : {})) {
    const problem = memberProblem(member, given);
    if (problem !== undefined) refuse(`.${member}`, problem);
    else if (typeof given === 'string') entry[member] = given;
  }
  return entry;
}

/** What is wrong with a member of an entry. Whoever misspells `until` must not get an entry that never ends. */
function memberProblem(member: string, given: unknown): string | undefined {
  if (!ENTRY_MEMBERS.some((known) => known === member)) {
    const meant = nearestName(member, ENTRY_MEMBERS);
    return `is not known here: write ${meant ?? `one of ${ENTRY_MEMBERS.join(', ')}`}`;
  }
  if (typeof given !== 'string' || given.trim() === '') return 'must be a string that is not empty';
  if (member !== 'until') return textProblem('description', given);
  const end = parseUntil(given);
  if (!end.ok) return `cannot be used: ${end.reason}`;
  return end.until === given ? undefined : `must be written ${echo(end.until)}`;
}
