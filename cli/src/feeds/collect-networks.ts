import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type Cidr, compareCidrs, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { cidrSetOf, toCidrs } from 'pulumi-edge-policy-review';
import { echo } from 'pulumi-edge-policy/internal/values/failure';
import { refuseOddNetworks } from 'pulumi-edge-policy/internal/feeds/feed-bounds';
import type { FeedDeclaration, FeedSource } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import {
  DIMENSIONS,
  type Selection,
  type Dimension,
  type PublisherName,
} from 'pulumi-edge-policy/internal/feeds/publishers';
import { readDocument, asObject, labelAt, linesOf, listAt, readJson, textAt, textsAt } from './text-document';

/** One network as its publisher writes it, with the values that it can be selected by. */
interface Entry {
  readonly text: string;
  readonly labels?: Readonly<Partial<Record<Dimension, string | undefined>>>;
}

interface Content {
  readonly entries: readonly Entry[];
  /** A notice that the publisher asks to keep with the data. */
  readonly notice?: string | undefined;
}

/** Reads one document, in which only the selected entries need to be networks. @throws UserError if it is not such a document. */
type Reader = (text: string, selection: Selection) => Content;

const lines: Reader = (text) => ({ entries: linesOf(text).map((line) => ({ text: line })) });

const google: Reader = (text) => ({
  entries: listAt(readJson(text), 'prefixes').map((prefix) => {
    const isIpv4 = labelAt(prefix, 'ipv4Prefix') !== undefined;
    return {
      text: textAt(prefix, isIpv4 ? 'ipv4Prefix' : 'ipv6Prefix'),
      labels: { services: labelAt(prefix, 'service'), regions: labelAt(prefix, 'scope') },
    };
  }),
});

const READERS: Readonly<Record<PublisherName, Reader>> = {
  aws: (text) => {
    const document = readJson(text);
    const prefixes = (list: string, field: string): Entry[] =>
      listAt(document, list).map((prefix) => ({
        text: textAt(prefix, field),
        labels: { services: labelAt(prefix, 'service'), regions: labelAt(prefix, 'region') },
      }));
    return { entries: [...prefixes('prefixes', 'ip_prefix'), ...prefixes('ipv6_prefixes', 'ipv6_prefix')] };
  },
  azure: (text) => ({
    entries: listAt(readJson(text), 'values').flatMap((tag) => {
      const { properties } = asObject(tag);
      const labels = {
        tags: textAt(tag, 'name'),
        regions: labelAt(properties, 'region'),
        services: labelAt(properties, 'systemService'),
      };
      return textsAt(properties, 'addressPrefixes').map((prefix) => ({ text: prefix, labels }));
    }),
  }),
  cloudflare: lines,
  fastly: (text) => {
    const document = readJson(text);
    const texts = [...textsAt(document, 'addresses'), ...textsAt(document, 'ipv6_addresses')];
    return { entries: texts.map((network) => ({ text: network })) };
  },
  // Other keys hold no networks.
  github: (text, { keys = [] }) => {
    const document = asObject(readJson(text));
    const chosen = keys.filter((key) => Object.hasOwn(document, key));
    return {
      entries: chosen.flatMap((key) =>
        textsAt(document, key).map((network) => ({ text: network, labels: { keys: key } })),
      ),
    };
  },
  google,
  'google-cloud': google,
  pingdom: lines,
  // A JSON object per line, the last of which describes the list: if it is missing, the document was truncated.
  'spamhaus-drop': (text) => {
    const objects = linesOf(text).map(readJson);
    const metadata = objects.pop() ?? {};
    if (labelAt(metadata, 'type') !== 'metadata')
      throw new UserError('its last line is not the metadata of the list: it was truncated');
    return {
      notice: labelAt(metadata, 'copyright'),
      entries: objects.map((line) => ({ text: textAt(line, 'cidr') })),
    };
  },
};

export interface Collected extends Omit<Content, 'entries'> {
  /** In canonical order, without duplicates. */
  readonly networks: readonly Cidr[];
}

/**
 * Collects the networks that a declaration selects from the documents of its source.
 *
 * @throws UserError if a document differs from what was declared: then none of them is used.
 */
export function collect(declaration: FeedDeclaration, documents: readonly string[]): Collected {
  const { source, bounds } = declaration;
  const contents = documents.map((text) => readContent(text, source));
  // None of several documents may be empty. A selection that matches nothing in any of them is reported below.
  if (source.select === undefined && contents.some(({ entries }) => entries.length === 0))
    throw new UserError('it contains no networks');
  const selected = select(
    contents.flatMap(({ entries }) => entries),
    source.select ?? {},
  );
  const found = selected.flatMap(({ text }) => networksIn(text, source));
  const networks = source.aggregate ? toCidrs(cidrSetOf(found)) : inOrder(found);
  refuseOddNetworks(networks, bounds);
  return { networks, notice: joined(contents.map(({ notice }) => notice)) };
}

function readContent(given: string, source: FeedSource): Content {
  const text = given.replace(/^\ufeff/, '');
  if (text.trim() === '') throw new UserError('it is empty');
  if (/^\s*</.test(text))
    throw new UserError('it is an HTML or XML page: an error page, or the wrong document');
  if (source.publisher !== undefined) return READERS[source.publisher](text, source.select ?? {});
  return { entries: readDocument(text, source).map((network) => ({ text: network })) };
}

function select(entries: readonly Entry[], selection: Selection): readonly Entry[] {
  const named = DIMENSIONS.flatMap((dimension) => {
    const values = selection[dimension];
    return values === undefined ? [] : [{ dimension, values }];
  });
  for (const { dimension, values } of named) {
    const there = new Set(entries.map(({ labels }) => labels?.[dimension]));
    const missing = values.find((value) => !there.has(value));
    if (missing !== undefined)
      throw new UserError(
        `it has no networks for ${JSON.stringify(missing)}, which "select.${dimension}" names`,
      );
  }
  return entries.filter(({ labels }) =>
    named.every(({ dimension, values }) => values.includes(labels?.[dimension] ?? '')),
  );
}

const RANGE = /^([\d.:a-f]+)\s*-\s*([\d.:a-f]+)$/i;

/** The networks of an entry: lists without an entry of their own here may have ranges, from the first address to the last. */
function networksIn(text: string, { publisher }: FeedSource): readonly Cidr[] {
  const ends = publisher === undefined ? RANGE.exec(text) : null;
  if (ends === null) return [networkIn(text)];
  const [from, to] = [networkIn(ends[1] ?? ''), networkIn(ends[2] ?? '')];
  if (from.family !== to.family)
    throw new UserError(`it has a range from IPv4 to IPv6, or back: ${echo(text)}`);
  if (from.first > to.last)
    throw new UserError(`it has a range whose last address is before its first: ${echo(text)}`);
  if (from.family === 4 && to.family === 4) return toCidrs({ 4: [from.first, to.last + 1], 6: [] });
  return toCidrs({ 4: [], 6: [BigInt(from.first), BigInt(to.last) + 1n] });
}

function networkIn(text: string): Cidr {
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new UserError(`it has an entry that is not a network: ${parsed.reason}`);
  return parsed.cidr;
}

/** In canonical order, without duplicates. */
export const inOrder = (networks: readonly Cidr[]): Cidr[] =>
  [...new Map(networks.map((each) => [each.text, each])).values()].sort(compareCidrs);

const LONGEST_REMARK = 500;

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const different = [...new Set(texts.filter((text) => text !== undefined))];
  return different.length === 0 ? undefined : different.join(', ').slice(0, LONGEST_REMARK);
}
