import { UserError } from '../errors/user-error';
import { asObject, labelAt, listAt, readJson, textAt, textsAt } from './json-document';
import { linesOf } from './text-document';

/** What entries may be selected by. */
export const DIMENSIONS = ['keys', 'services', 'regions', 'tags'] as const;
/** One of them. */
export type Dimension = (typeof DIMENSIONS)[number];

/** Which entries of a document are meant: those that have one of the named values in each named dimension. */
export type Selection = Readonly<Partial<Record<Dimension, readonly string[]>>>;

/** One network as a publisher writes it, and what it can be selected by. */
export interface Entry {
  readonly text: string;
  readonly labels?: Readonly<Partial<Record<Dimension, string | undefined>>>;
}

/** What a document says. */
export interface Content {
  readonly entries: readonly Entry[];
  /** The publisher's own name of this version: a token, a number or a date. */
  readonly token?: string | undefined;
  /** What the publisher asks to keep with the data. */
  readonly notice?: string | undefined;
}

/** One publisher: where its documents are, and how to read one. */
export interface Publisher {
  readonly title: string;
  /** Where the documents are; empty where the address changes, so that the declaration names it. */
  readonly documents: readonly string[];
  /** What its entries may be selected by. */
  readonly selectable: readonly Dimension[];
  /** What must be selected, as the whole document is no list of anything. */
  readonly needed?: Dimension;
  /** The publisher asks not to be asked more often. */
  readonly minimumIntervalMinutes: number;
  /**
   * Reads one document, of which only what is selected needs to be networks.
   *
   * @throws UserError where it is not such a document.
   */
  readonly read: (text: string, selection: Selection) => Content;
}

const publisher = (of: Omit<Publisher, 'minimumIntervalMinutes'> & Partial<Publisher>): Publisher => ({
  minimumIntervalMinutes: 0,
  ...of,
});

/** The publishers that need no format. A new one is an entry here and a document in the tests. */
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

/** The name of a publisher that needs no format. */
export type PublisherName = keyof typeof PUBLISHERS;

/** The publisher of a name; nothing for a document of somebody else. */
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

/** A JSON object a line, the last of which speaks of the list: without it, the document was cut. */
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
