// What for: networks that others publish: publishers, the declaration, the lock and its bounds.
// Must not know: the network and `api`: it fetches nothing, and `cli/feeds` does.
import { UserError } from '../errors/user-error';
import {
  checked,
  DocumentError,
  type Members,
  name,
  numberFrom,
  objectOf,
  oneOf,
  optional,
  type Reader,
  reading,
  recordOf,
  toggle,
  wholeNumberFrom,
} from '../values/decoding';
import { isObject, type JsonObject } from '../values/json';
import { nameProblem } from '../values/text-limits';
import { addressProblem } from '../values/service-address';
import { DEFAULT_BOUNDS, type FeedBounds } from './feed-bounds';
import { DIMENSIONS, type Publisher, type PublisherName, PUBLISHERS, type Selection } from './publishers';

/** The file with the declarations, next to Pulumi.yaml or above it. */
export const DECLARATION_FILE = 'edge-policy.feeds.json';

/** The general formats of documents. */
export const FORMATS = ['text', 'json'] as const;
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
  readonly aggregate?: true;
}

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

/** @throws UserError if one of the declarations cannot be used. */
export function parseDeclarations(text: string): Declarations {
  try {
    const read = recordOf(declaration, (name) => nameProblem(name, 'feed'));
    const declared = read(documentOf(text)['feeds'], 'feeds');
    const named = [...declared].map(([name, terms]): [string, FeedDeclaration] => [name, { name, ...terms }]);
    return new Map(named.sort(([left], [right]) => (left < right ? -1 : 1)));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new UserError(`${DECLARATION_FILE}: ${error.message}`);
  }
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

const texts = reading('a string or a list of strings', (value): readonly string[] | undefined => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const found = list.filter((entry) => typeof entry === 'string' && entry.trim() !== '');
  return found.length === list.length && list.length > 0 ? (found as readonly string[]) : undefined;
});

const selected: Reader<readonly string[]> = (value, place) => [...new Set(texts(value, place))].sort();

/** The part of a declaration or a lock that decides which networks a feed has. */
const SOURCE: Members<FeedSource> = {
  publisher: optional(oneOf(Object.keys(PUBLISHERS) as PublisherName[])),
  url: optional(texts),
  file: optional(name),
  format: optional(oneOf(FORMATS)),
  pointer: optional(name),
  field: optional(name),
  select: optional(
    objectOf<Selection>(
      Object.fromEntries(
        DIMENSIONS.map((dimension) => [dimension, optional(selected)]),
      ) as Members<Selection>,
    ),
  ),
  aggregate: (value, place) => (optional(toggle)(value, place) === true ? true : undefined),
};

/** Reads the source that a lock names. */
export const source: Reader<FeedSource> = checked(objectOf(SOURCE), sourceProblem);

const bounds: Reader<FeedBounds> = (value, place) => {
  const { widestIpv4, widestIpv6, specialPurpose, ...shares } = statedBounds(value, place);
  const { widest, isSpecialAllowed } = DEFAULT_BOUNDS;
  return {
    ...DEFAULT_BOUNDS,
    ...shares,
    widest: { 4: widestIpv4 ?? widest[4], 6: widestIpv6 ?? widest[6] },
    isSpecialAllowed: specialPurpose ?? isSpecialAllowed,
  };
};

const statedBounds = objectOf<{
  atLeast?: number;
  atMost?: number;
  widestIpv4?: number;
  widestIpv6?: number;
  specialPurpose?: boolean;
}>({
  atLeast: optional(numberFrom(0, 1)),
  atMost: optional(numberFrom(1, 1000)),
  widestIpv4: optional(wholeNumberFrom(0, 32)),
  widestIpv6: optional(wholeNumberFrom(0, 128)),
  specialPurpose: optional(toggle),
});

const stated = objectOf<FeedSource & { bounds?: FeedBounds; maxAgeDays?: number }>({
  ...SOURCE,
  bounds: optional(bounds),
  maxAgeDays: optional(wholeNumberFrom(1, 3650)),
});

/** Reads what is declared of a feed. */
export const declaration: Reader<Omit<FeedDeclaration, 'name'>> = (value, place) => {
  const {
    bounds: within = DEFAULT_BOUNDS,
    maxAgeDays = DEFAULT_MAX_AGE_DAYS,
    ...from
  } = checked(stated, sourceProblem)(value, place);
  return { source: from, bounds: within, maxAgeDays };
};

function sourceProblem(source: FeedSource): string | undefined {
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
  return [...place, ...addresses, ofFile, ...ofKind].find((problem) => typeof problem === 'string');
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
  const problem = addressProblem(text) ?? (text.includes('#') ? 'must not have a fragment' : undefined);
  return problem && `"url" ${problem}`;
}
