import { UserError } from '../errors/user-error';
import { isObject, type JsonObject } from '../values/json';
import { nameProblem } from '../values/list-name';
import { isVisibleAscii } from '../values/printable';
import { isLoopback } from '../values/service-address';
import { DEFAULT_BOUNDS, type FeedBounds } from './feed-bounds';
import { MembersReader } from './members-reader';
import { DIMENSIONS, type Publisher, type PublisherName, PUBLISHERS, type Selection } from './publishers';

/** The file with the declarations, next to Pulumi.yaml or above it. */
export const DECLARATION_FILE = 'edge-policy.feeds.json';

/** The address families by name. */
export const FAMILY_NAMES = ['ipv4', 'ipv6'] as const;
/** One of {@link FAMILY_NAMES}. */
export type FamilyName = (typeof FAMILY_NAMES)[number];

/** The general formats of documents. */
export const FORMATS = ['text', 'json'] as const;
/** One of them. */
export type Format = (typeof FORMATS)[number];

/** Everything that decides which networks a feed has. Members are in a fixed order, and defaults are left out. */
export interface FeedSource {
  readonly publisher?: PublisherName;
  /** The addresses of the documents, instead of the publisher's own. */
  readonly url?: readonly string[];
  /** A document next to the declaration, or below it. */
  readonly file?: string;
  readonly format?: Format;
  readonly pointer?: string;
  readonly field?: string;
  readonly select?: Selection;
  readonly families?: readonly FamilyName[];
  readonly aggregate?: true;
}

/** One declared feed. */
export interface FeedDeclaration {
  readonly name: string;
  readonly source: FeedSource;
  readonly maxAgeDays: number;
  readonly bounds: FeedBounds;
}

/** The declared feeds, in the order of their names. */
export type Declarations = ReadonlyMap<string, FeedDeclaration>;

/** The age after which a lock counts as stale by default. */
export const DEFAULT_MAX_AGE_DAYS = 30;

/**
 * Reads the text of the declarations.
 *
 * @throws UserError with everything that is wrong.
 */
export function parseDeclarations(text: string): Declarations {
  const problems: string[] = [];
  const feeds = documentOf(text)['feeds'];
  if (!isObject(feeds)) throw new UserError(`${DECLARATION_FILE}: "feeds" must be an object.`);
  const declarations = Object.entries(feeds).map(([name, value]): [string, FeedDeclaration] => {
    const problem = nameProblem(name, 'feed');
    if (problem !== undefined) problems.push(`feeds: ${problem}`);
    return [name, readDeclaration(name, value, problems)];
  });
  if (problems.length > 0) {
    throw new UserError(problems.map((problem) => `${DECLARATION_FILE}: ${problem}.`).join('\n'));
  }
  return new Map(declarations.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** @throws UserError if the text is no JSON object. */
function documentOf(text: string): JsonObject {
  try {
    const document: unknown = JSON.parse(text);
    if (isObject(document)) return document;
  } catch {
    // Reported below.
  }
  throw new UserError(`${DECLARATION_FILE} is not a JSON object.`);
}

/** Reads one declaration; problems are appended to the list. */
export function readDeclaration(name: string, value: unknown, problems: string[]): FeedDeclaration {
  const reader = new MembersReader(value, `feeds.${name}`, problems);
  const source = readSource(reader);
  const bounds = readBounds(reader);
  const maxAgeDays = reader.number('maxAgeDays', { least: 1, most: 3650, isWhole: true });
  reader.refuseOthers();
  return { name, source, bounds, maxAgeDays: maxAgeDays ?? DEFAULT_MAX_AGE_DAYS };
}

/** Reads the part of a declaration or a lock that decides which networks a feed has. */
export function readSource(reader: MembersReader): FeedSource {
  const given = {
    publisher: reader.choice('publisher', Object.keys(PUBLISHERS) as PublisherName[]),
    url: reader.texts('url'),
    file: reader.text('file'),
    format: reader.choice('format', FORMATS),
    pointer: reader.text('pointer'),
    field: reader.text('field'),
    select: readSelection(reader),
    families: reader.choices('families', FAMILY_NAMES),
    aggregate: reader.flag('aggregate') ? (true as const) : undefined,
  };
  const source = Object.fromEntries(
    Object.entries(given).filter(([, member]) => member !== undefined),
  ) as FeedSource;
  for (const problem of sourceProblems(source)) reader.fail(problem);
  return source;
}

function readSelection(reader: MembersReader): Selection | undefined {
  const members = reader.object('select');
  if (members === undefined) return undefined;
  const named = DIMENSIONS.map((dimension) => [dimension, members.texts(dimension)] as const);
  members.refuseOthers();
  return Object.fromEntries(
    named.flatMap(([dimension, values]) => (values === undefined ? [] : [[dimension, sorted(values)]])),
  );
}

const sorted = (values: readonly string[]): string[] => [...new Set(values)].sort();

function readBounds(reader: MembersReader): FeedBounds {
  const members = reader.object('bounds');
  if (members === undefined) return DEFAULT_BOUNDS;
  const bounds = {
    atLeast: members.number('atLeast', { least: 0, most: 1 }) ?? DEFAULT_BOUNDS.atLeast,
    atMost: members.number('atMost', { least: 1, most: 1000 }) ?? DEFAULT_BOUNDS.atMost,
    widest: {
      4: members.number('widestIpv4', { least: 0, most: 32, isWhole: true }) ?? DEFAULT_BOUNDS.widest[4],
      6: members.number('widestIpv6', { least: 0, most: 128, isWhole: true }) ?? DEFAULT_BOUNDS.widest[6],
    },
    isSpecialAllowed: members.flag('specialPurpose') ?? DEFAULT_BOUNDS.isSpecialAllowed,
  };
  members.refuseOthers();
  return bounds;
}

function sourceProblems(source: FeedSource): string[] {
  const { publisher, url, file, format, pointer, field } = source;
  const place = [url !== undefined && file !== undefined && '"url" and "file" cannot be combined'];
  const addresses = (url ?? []).map(urlProblem);
  const ofFile = file !== undefined && fileProblem(file);
  const ofKind =
    publisher !== undefined
      ? [
          (format ?? pointer ?? field) !== undefined &&
            '"format", "pointer" and "field" do not apply to documents of a publisher',
          ...publisherProblems(publisher, source),
        ]
      : [
          url === undefined &&
            file === undefined &&
            'names no source: give a "publisher", a "url" or a "file"',
          format === undefined && `needs a "format": ${FORMATS.join(', ')}`,
          source.select !== undefined && '"select" applies only to documents of a publisher',
          (pointer ?? field) !== undefined &&
            format !== 'json' &&
            '"pointer" and "field" apply only to the format json',
          pointer !== undefined &&
            !/^(?:\/(?:[^~]|~[01])*)*$/.test(pointer) &&
            '"pointer" must be a JSON Pointer, such as /data/items',
        ];
  return [...place, ...addresses, ofFile, ...ofKind].filter((problem) => typeof problem === 'string');
}

function publisherProblems(name: PublisherName, { url, file, select = {} }: FeedSource): (string | false)[] {
  const { documents, selectable = [], needed, title }: Publisher = PUBLISHERS[name];
  const isPlaced = documents.length > 0 || url !== undefined || file !== undefined;
  return [
    !isPlaced && `the documents of ${title} have no permanent address: give a "url" or a "file"`,
    needed !== undefined &&
      select[needed] === undefined &&
      `needs "select.${needed}": ${title} publishes many lists in one document`,
    ...Object.keys(select)
      .filter((dimension) => !selectable.some((known) => known === dimension))
      .map((dimension) => `"select.${dimension}" is not available for ${title}`),
  ];
}

const fileProblem = (file: string): string | false =>
  /^(?![/\\])(?!.*(?:^|[/\\])\.\.(?:[/\\]|$))(?!.*:)[^\p{C}]+$/u.test(file)
    ? false
    : '"file" must be in the folder of the declaration or below it, such as lists/partners.txt';

/** Whether two sources ask for the same networks. */
export const isSameSource = (left: FeedSource, right: FeedSource): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** Why a document must not be fetched from an address; undefined if it may. Never repeats the address. */
export function urlProblem(text: string): string | undefined {
  if (!isVisibleAscii(text) || text.includes('\\') || !URL.canParse(text))
    return '"url" must be an address such as https://lists.example.com/networks.txt';
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '') return '"url" must not hold a user name or password';
  if (hash !== '') return '"url" must not have a fragment';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return undefined;
  return '"url" must begin with https://';
}
