export const DIMENSIONS = ['keys', 'services', 'regions', 'tags'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Selects entries of a document: those that have one of the named values in each named dimension. */
export type Selection = Readonly<Partial<Record<Dimension, readonly string[]>>>;

/** One publisher: where its documents are, and what can be selected in them. `cli/feeds` reads them. */
export interface Publisher {
  readonly title: string;
  /** The addresses of the documents; empty if they change, so that the declaration must name them. */
  readonly documents: readonly string[];
  /** The dimensions by which its entries can be selected. */
  readonly selectable?: readonly Dimension[];
  /** The dimensions that must be selected, as the whole document is no meaningful list. */
  readonly needed?: Dimension;
  /** The shortest interval between two requests that the publisher asks for. */
  readonly minimumIntervalMinutes?: number;
}

/** The publishers whose documents need no format in the declaration; how to add one: docs/contributing/adding.md. */
export const PUBLISHERS = {
  aws: {
    title: 'AWS',
    documents: ['https://ip-ranges.amazonaws.com/ip-ranges.json'],
    selectable: ['services', 'regions'],
  },
  azure: {
    title: 'Azure service tags',
    documents: [],
    selectable: ['tags', 'regions', 'services'],
    needed: 'tags',
  },
  cloudflare: {
    title: 'Cloudflare',
    documents: ['https://www.cloudflare.com/ips-v4', 'https://www.cloudflare.com/ips-v6'],
  },
  fastly: { title: 'Fastly', documents: ['https://api.fastly.com/public-ip-list'] },
  github: {
    title: 'GitHub',
    documents: ['https://api.github.com/meta'],
    selectable: ['keys'],
    needed: 'keys',
  },
  google: { title: 'Google', documents: ['https://www.gstatic.com/ipranges/goog.json'] },
  'google-cloud': {
    title: 'Google Cloud',
    documents: ['https://www.gstatic.com/ipranges/cloud.json'],
    selectable: ['services', 'regions'],
  },
  pingdom: {
    title: 'Pingdom',
    documents: ['https://my.pingdom.com/probes/ipv4', 'https://my.pingdom.com/probes/ipv6'],
  },
  'spamhaus-drop': {
    title: 'Spamhaus DROP',
    documents: ['https://www.spamhaus.org/drop/drop_v4.json', 'https://www.spamhaus.org/drop/drop_v6.json'],
    minimumIntervalMinutes: 60,
  },
} satisfies Readonly<Record<string, Publisher>>;

export type PublisherName = keyof typeof PUBLISHERS;
