import { UserError } from '../errors/user-error';
import { asObject, labelAt, listAt, readJson, textAt, textsAt } from './json-document';
import { linesOf } from './text-document';

/** The dimensions by which entries can be selected. */
export const DIMENSIONS = ['keys', 'services', 'regions', 'tags'] as const;
/** One of them. */
export type Dimension = (typeof DIMENSIONS)[number];

/** Selects entries of a document: those that have one of the named values in each named dimension. */
export type Selection = Readonly<Partial<Record<Dimension, readonly string[]>>>;

/** One network as its publisher writes it, with the values that it can be selected by. */
export interface Entry {
  readonly text: string;
  readonly labels?: Readonly<Partial<Record<Dimension, string | undefined>>>;
}

/** The content of a document. */
export interface Content {
  readonly entries: readonly Entry[];
  /** The publisher's name for this version: a token, a number or a date. */
  readonly token?: string | undefined;
  /** A notice that the publisher asks to keep with the data. */
  readonly notice?: string | undefined;
}

/** One publisher: where its documents are, and how they are read. */
export interface Publisher {
  readonly title: string;
  /** The addresses of the documents; empty if they change, so that the declaration must name them. */
  readonly documents: readonly string[];
  /** The dimensions by which its entries can be selected. */
  readonly selectable: readonly Dimension[];
  /** The dimensions that must be selected, as the whole document is no meaningful list. */
  readonly needed?: Dimension;
  /** The shortest interval between two requests that the publisher asks for. */
  readonly minimumIntervalMinutes: number;
  /**
   * Reads one document, in which only the selected entries need to be networks.
   *
   * @throws UserError if it is not such a document.
   */
  readonly read: (text: string, selection: Selection) => Content;
}

const publisher = (of: Omit<Publisher, 'minimumIntervalMinutes'> & Partial<Publisher>): Publisher => ({
  minimumIntervalMinutes: 0,
  ...of,
});

/** The publishers whose documents need no format in the declaration. A new one is an entry here and a document in the tests. */
export const PUBLISHERS = {
  aws: publisher({
    title: 'AWS',
    documents: ['https://ip-ranges.amazonaws.com/ip-ranges.json'],
    selectable: ['services', 'regions'],
    read: (text) => {
      const document = readJson(text);
      const prefixes = (list: string, field: string): Entry[] =>
        listAt(document, list).map((prefix) => ({
          text: textAt(prefix, field),
          labels: { services: labelAt(prefix, 'service'), regions: labelAt(prefix, 'region') },
        }));
      return {
        token: labelAt(document, 'syncToken'),
        entries: [...prefixes('prefixes', 'ip_prefix'), ...prefixes('ipv6_prefixes', 'ipv6_prefix')],
      };
    },
  }),
  azure: publisher({
    title: 'Azure service tags',
    documents: [],
    selectable: ['tags', 'regions', 'services'],
    needed: 'tags',
    read: (text) => {
      const document = readJson(text);
      return {
        token: labelAt(document, 'changeNumber'),
        entries: listAt(document, 'values').flatMap((tag) => {
          const { properties } = asObject(tag);
          const labels = {
            tags: textAt(tag, 'name'),
            regions: labelAt(properties, 'region'),
            services: labelAt(properties, 'systemService'),
          };
          return textsAt(properties, 'addressPrefixes').map((prefix) => ({ text: prefix, labels }));
        }),
      };
    },
  }),
  cloudflare: publisher({
    title: 'Cloudflare',
    documents: ['https://www.cloudflare.com/ips-v4', 'https://www.cloudflare.com/ips-v6'],
    selectable: [],
    read: (text) => ({ entries: linesOf(text).map((line) => ({ text: line })) }),
  }),
  fastly: publisher({
    title: 'Fastly',
    documents: ['https://api.fastly.com/public-ip-list'],
    selectable: [],
    read: (text) => {
      const document = readJson(text);
      const texts = [...textsAt(document, 'addresses'), ...textsAt(document, 'ipv6_addresses')];
      return { entries: texts.map((network) => ({ text: network })) };
    },
  }),
  github: publisher({
    title: 'GitHub',
    documents: ['https://api.github.com/meta'],
    selectable: ['keys'],
    needed: 'keys',
    // Other keys hold no networks.
    read: (text, { keys = [] }) => {
      const document = asObject(readJson(text));
      const chosen = keys.filter((key) => Object.hasOwn(document, key));
      return {
        entries: chosen.flatMap((key) =>
          textsAt(document, key).map((network) => ({ text: network, labels: { keys: key } })),
        ),
      };
    },
  }),
  google: publisher({
    title: 'Google',
    ...google('https://www.gstatic.com/ipranges/goog.json'),
    selectable: [],
  }),
  'google-cloud': publisher({
    title: 'Google Cloud',
    ...google('https://www.gstatic.com/ipranges/cloud.json'),
    selectable: ['services', 'regions'],
  }),
  pingdom: publisher({
    title: 'Pingdom',
    documents: ['https://my.pingdom.com/probes/ipv4', 'https://my.pingdom.com/probes/ipv6'],
    selectable: [],
    read: (text) => ({ entries: linesOf(text).map((line) => ({ text: line })) }),
  }),
  'spamhaus-drop': publisher({
    title: 'Spamhaus DROP',
    documents: ['https://www.spamhaus.org/drop/drop_v4.json', 'https://www.spamhaus.org/drop/drop_v6.json'],
    selectable: [],
    minimumIntervalMinutes: 60,
    read: readDrop,
  }),
} satisfies Readonly<Record<string, Publisher>>;

/** The name of a publisher whose documents need no format. */
export type PublisherName = keyof typeof PUBLISHERS;

/** The publisher of this name; undefined for any other document. */
export const publisherOf = (name: PublisherName | undefined): Publisher | undefined =>
  name === undefined ? undefined : PUBLISHERS[name];

function google(url: string): Pick<Publisher, 'documents' | 'read'> {
  return {
    documents: [url],
    read: (text) => {
      const document = readJson(text);
      return {
        token: labelAt(document, 'syncToken'),
        entries: listAt(document, 'prefixes').map((prefix) => {
          const isIpv4 = labelAt(prefix, 'ipv4Prefix') !== undefined;
          return {
            text: textAt(prefix, isIpv4 ? 'ipv4Prefix' : 'ipv6Prefix'),
            labels: { services: labelAt(prefix, 'service'), regions: labelAt(prefix, 'scope') },
          };
        }),
      };
    },
  };
}

/** A JSON object per line, the last of which describes the list: if it is missing, the document was truncated. */
function readDrop(text: string): Content {
  const lines = linesOf(text).map(readJson);
  const metadata = lines.pop() ?? {};
  if (labelAt(metadata, 'type') !== 'metadata')
    throw new UserError('its last line is not the metadata of the list: it was truncated');
  return {
    token: labelAt(metadata, 'timestamp'),
    notice: labelAt(metadata, 'copyright'),
    entries: lines.map((line) => ({ text: textAt(line, 'cidr') })),
  };
}
