// What for: networks that others publish: publishers, the declaration, the lock and its bounds.
// Must not know: the network and `api`: it fetches nothing, and `cli/feeds` does.
import { isIP } from 'node:net';
import { UserError } from '../errors/user-error';
import {
  checked,
  DocumentError,
  isObject,
  type JsonObject,
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
import { nameProblem } from '../values/text-limits';
import { addressProblem } from '../values/service-address';
import { boundsOfNames, DEFAULT_BOUNDS, type FeedBounds } from './feed-bounds';
import { DIMENSIONS, type Publisher, type PublisherName, PUBLISHERS, type Selection } from './publishers';

/** The file with the declarations, next to Pulumi.yaml or above it. */
export const DECLARATION_FILE = 'edge-policy.feeds.json';

export const FORMATS = ['text', 'json', 'csv'] as const;
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
  /** DNS names, whose addresses are the networks, in the order of the alphabet. */
  readonly names?: readonly string[];
  /** The address of the resolver that is asked beside the system's. */
  readonly resolver?: string;
}

export interface FeedDeclaration {
  readonly name: string;
  readonly source: FeedSource;
  readonly maxAgeDays: number;
  readonly bounds: FeedBounds;
}

export type Declarations = ReadonlyMap<string, FeedDeclaration>;

export const DEFAULT_MAX_AGE_DAYS = 30;

/** @throws UserError if one of the declarations cannot be used. */
export function parseDeclarations(text: string): Declarations {
  try {
    const document = documentOf(text);
    const resolver = optional(serverAddress)(document['resolver'], 'resolver');
    const read = recordOf(declarationWith(resolver), (name) => nameProblem(name, 'feed'));
    const declared = read(document['feeds'], 'feeds');
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
  const entries = list.filter((entry) => typeof entry === 'string' && entry.trim() !== '');
  return entries.length === list.length && list.length > 0 ? (entries as readonly string[]) : undefined;
});

const selected: Reader<readonly string[]> = (value, place) => [...new Set(texts(value, place))].sort();

const DNS_NAME =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

const dnsNames = reading('a list of DNS names, such as gw.example.net', (value) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const lowerCase = list.map((each) =>
    typeof each === 'string' ? each.toLowerCase().replace(/\.$/, '') : '',
  );
  const areNames = lowerCase.length > 0 && lowerCase.every((each) => DNS_NAME.test(each));
  return areNames ? [...new Set(lowerCase)].sort() : undefined;
});

/** `9.9.9.9`, `9.9.9.9:5353`, `2620:fe::fe` or `[2620:fe::fe]:5353`. */
const serverAddress = reading('the address of a resolver, such as 9.9.9.9', (value) => {
  if (typeof value !== 'string') return undefined;
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+)):\d{1,5}$/.exec(value) ?? [];
  return isIP(bracketed ?? plain ?? value) === 0 ? undefined : value;
});

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
  names: optional(dnsNames),
  resolver: optional(serverAddress),
};

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

interface Stated extends FeedSource {
  readonly bounds?: FeedBounds;
  readonly maxAgeDays?: number;
  readonly mostAddresses?: number;
}

const stated = objectOf<Stated>({
  ...SOURCE,
  bounds: optional(bounds),
  maxAgeDays: optional(wholeNumberFrom(1, 3650)),
  mostAddresses: optional(wholeNumberFrom(1, 100)),
});

/** `resolver` is the one for all feeds of the file. */
export function declarationWith(resolver?: string): Reader<Omit<FeedDeclaration, 'name'>> {
  const withResolver: Reader<Stated> = (value, place) => {
    const feed = stated(value, place);
    return feed.names && resolver !== undefined ? { ...feed, resolver: feed.resolver ?? resolver } : feed;
  };
  const read = checked(withResolver, (feed) => boundsProblem(feed) ?? sourceProblem(feed));
  return (value, place) => {
    const { mostAddresses, bounds: within, maxAgeDays = DEFAULT_MAX_AGE_DAYS, ...from } = read(value, place);
    const ofNames = mostAddresses === undefined ? undefined : boundsOfNames(mostAddresses);
    return { source: from, bounds: ofNames ?? within ?? DEFAULT_BOUNDS, maxAgeDays };
  };
}

function boundsProblem({ names, bounds, maxAgeDays, mostAddresses }: Stated): string | undefined {
  if (!names) return mostAddresses === undefined ? undefined : '"mostAddresses" applies only to "names"';
  if (mostAddresses === undefined)
    return 'needs "mostAddresses": how many addresses its names may have together';
  return (bounds ?? maxAgeDays) === undefined
    ? undefined
    : '"bounds" and "maxAgeDays" do not apply to "names", which "mostAddresses" bounds';
}

function sourceProblem({ names, resolver, ...source }: FeedSource): string | undefined {
  if (!names) return resolver === undefined ? documentProblem(source) : '"resolver" applies only to "names"';
  if (Object.keys(source).some((member) => Object.hasOwn(SOURCE, member)))
    return '"names" cannot be combined with a "publisher", a "url", a "file" or how a document is read';
  return resolver === undefined
    ? 'needs a "resolver", here or for all feeds: the address of one that this machine does not ask, such as 9.9.9.9'
    : undefined;
}

function documentProblem(source: FeedSource): string | undefined {
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
            'names no source: give a "publisher", a "url", a "file" or "names"',
          format === undefined && `needs a "format": ${FORMATS.join(', ')}`,
          source.select !== undefined && '"select" applies only to documents of a publisher',
          ((pointer !== undefined && format !== 'json') || (field !== undefined && format === 'text')) &&
            '"pointer" applies only to the format json, and "field" to json and csv',
          format === 'csv' &&
            field === undefined &&
            'needs a "field": the name of the column in the first line',
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

export const isSameSource = (left: FeedSource, right: FeedSource): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** Why a document must not be fetched from an address; undefined if it may. Never repeats the address. */
export function urlProblem(text: string): string | undefined {
  const problem = addressProblem(text) ?? (text.includes('#') ? 'must not have a fragment' : undefined);
  return problem && `"url" ${problem}`;
}
