import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Dimension, PublisherName, Selection } from 'pulumi-edge-policy/internal/feeds/publishers';
import { asObject, labelAt, linesOf, listAt, readJson, textAt, textsAt } from './text-document';

/** One network as its publisher writes it, with the values that it can be selected by. */
export interface Entry {
  readonly text: string;
  readonly labels?: Readonly<Partial<Record<Dimension, string | undefined>>>;
}

/** The content of a document. */
export interface Content {
  readonly entries: readonly Entry[];
  /** A notice that the publisher asks to keep with the data. */
  readonly notice?: string | undefined;
}

/**
 * Reads one document, in which only the selected entries need to be networks.
 *
 * @throws UserError if it is not such a document.
 */
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

/** How the documents of each publisher are read. */
export const READERS: Readonly<Record<PublisherName, Reader>> = {
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
