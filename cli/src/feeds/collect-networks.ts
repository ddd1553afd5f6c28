import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type Cidr, compareCidrs, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { cidrSetOf, toCidrs } from 'pulumi-edge-policy-review';
import { refuseOddNetworks } from 'pulumi-edge-policy/internal/feeds/feed-bounds';
import type { FeedDeclaration, FeedSource } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { DIMENSIONS, type Selection } from 'pulumi-edge-policy/internal/feeds/publishers';
import { type Content, type Entry, READERS } from './publisher-documents';
import { readDocument } from './text-document';

/** The networks of a feed, collected from its documents. */
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
  const networks = canonicalNetworks(
    selected.map(({ text }) => networkIn(text)),
    source,
  );
  refuseOddNetworks(networks, bounds);
  return {
    networks,
    notice: joined(contents.map(({ notice }) => notice)),
  };
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

function networkIn(text: string): Cidr {
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new UserError(`it has an entry that is not a network: ${parsed.reason}`);
  return parsed.cidr;
}

function canonicalNetworks(networks: readonly Cidr[], { aggregate }: FeedSource): readonly Cidr[] {
  if (aggregate) return toCidrs(cidrSetOf(networks));
  const inOrder = [...networks].sort(compareCidrs);
  return inOrder.filter((network, index) => index === 0 || network.text !== inOrder[index - 1]?.text);
}

const LONGEST_REMARK = 500;

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const different = [...new Set(texts.filter((text) => text !== undefined))];
  return different.length === 0 ? undefined : different.join(', ').slice(0, LONGEST_REMARK);
}
