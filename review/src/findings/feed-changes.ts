import { DEFAULT_BOUNDS, type FeedBounds } from 'pulumi-edge-policy/internal/feeds/feed-bounds';
import {
  type Declarations,
  DEFAULT_MAX_AGE_DAYS,
  type FeedDeclaration,
  type FeedSource,
} from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import type { IntactFeed } from 'pulumi-edge-policy/internal/feeds/lock';
import type { Family } from 'pulumi-edge-policy/internal/values/address';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { type CidrSet, cidrSetOf, intersect, sizeOf, subtract, toCidrs, union } from '../access/cidr-set';
import { canonicalJson } from 'pulumi-edge-policy/internal/values/json';
import { foreign, list, say, type Sentence, trusted } from '../text/sentence';

export interface PinnedFeeds {
  readonly declarations: Declarations;
  readonly feeds: ReadonlyMap<string, IntactFeed>;
  readonly problems: ReadonlyMap<string, string>;
}

export type RevisionFeeds = PinnedFeeds | { readonly problem: string };

export type Published = { readonly networks: readonly Cidr[] } | { readonly problem: string };

export interface FeedRevisions {
  readonly change: RevisionFeeds;
  /** Absent if the base is not known. */
  readonly base?: RevisionFeeds;
  /** The answers of the publishers, who were asked by the declarations of the base. */
  readonly published: ReadonlyMap<string, Published>;
}

export interface FeedChange {
  readonly name: string;
  readonly before: readonly Cidr[];
  readonly added: number;
  readonly removed: number;
  /** The addresses that only one side has: the same addresses can be written as other networks. */
  readonly gained: CidrSet;
  readonly lost: CidrSet;
  /** The names whose owners choose the addresses; absent for documents. */
  readonly names?: readonly string[];
  /** The publisher's list, or why it is unknown or not reliable; absent if it was not asked. */
  readonly answer?: { readonly published: CidrSet } | { readonly problem: Sentence };
  /** How the change exceeds the bounds of the base: then nothing of it is confirmed, whatever the publisher lists. */
  readonly beyond?: Sentence;
}

interface FeedSides {
  readonly base: IntactFeed;
  readonly change: IntactFeed;
}

export function changedFeeds({ base, change }: Omit<FeedRevisions, 'published'>): FeedSides[] {
  if (!base || 'problem' in base || 'problem' in change) return [];
  return [...base.feeds.values()].flatMap((old) => {
    const young = change.feeds.get(old.declaration.name);
    return young && young.locked.digest !== old.locked.digest ? [{ base: old, change: young }] : [];
  });
}

/** The changes of the feeds of the base, and what the publishers say of them. */
export const feedChanges = (revisions: FeedRevisions): FeedChange[] =>
  changedFeeds(revisions).map((sides) => {
    const { declaration, networks: before } = sides.base;
    const [old, young] = [cidrSetOf(before), cidrSetOf(sides.change.networks)];
    const { names } = declaration.source;
    const published = names ? undefined : revisions.published.get(declaration.name);
    return {
      name: declaration.name,
      before,
      added: onlyIn(sides.change, sides.base),
      removed: onlyIn(sides.base, sides.change),
      gained: subtract(young, old),
      lost: subtract(old, young),
      ...(names && { names }),
      ...(published && { answer: reliable(published, sides.base), ...beyondBounds(sides) }),
    };
  });

function onlyIn({ locked }: IntactFeed, other: IntactFeed): number {
  const known = new Set(other.locked.networks);
  return locked.networks.filter((network) => !known.has(network)).length;
}

/** A list counts if it is within the bounds of the base: a broken one must not contradict every change. */
function reliable(published: Published, base: IntactFeed): NonNullable<FeedChange['answer']> {
  if ('problem' in published) return { problem: say`${foreign(published.problem)}` };
  const [tooMuch] = stepProblems(base.networks, published.networks, base.declaration.bounds);
  if (tooMuch !== undefined) return { problem: say`of the publisher’s list, ${foreign(tooMuch)}` };
  return { published: cidrSetOf(published.networks) };
}

function beyondBounds({ base, change }: FeedSides): Pick<FeedChange, 'beyond'> {
  const [tooMuch] = stepProblems(base.networks, change.networks, base.declaration.bounds);
  const { accepted } = change.locked;
  const claim = accepted === undefined ? [] : say`, which was accepted in the lock: ${foreign(accepted)}`;
  return tooMuch === undefined ? {} : { beyond: say`${foreign(tooMuch)}${claim}` };
}

/** How a list exceeds the bounds, in words; empty if it keeps to them. */
export function stepProblems(before: readonly Cidr[], after: readonly Cidr[], bounds: FeedBounds): string[] {
  if (bounds.mostAddresses !== undefined) return [];
  const [old, young] = [cidrSetOf(before), cidrSetOf(after)];
  return [
    stepProblem('networks', { before: before.length, after: after.length }, bounds),
    stepProblem('IPv4 addresses', addresses(old, young, 4), bounds),
    stepProblem('IPv6 addresses', addresses(old, young, 6), bounds),
  ].filter((problem) => problem !== undefined);
}

interface Amounts {
  readonly before: number;
  readonly after: number;
}

// The shares are far from the limits of a double.
const addresses = (before: CidrSet, after: CidrSet, family: Family): Amounts => ({
  before: Number(sizeOf(before, family)),
  after: Number(sizeOf(after, family)),
});

function stepProblem(
  what: string,
  { before, after }: Amounts,
  { atLeast, atMost }: FeedBounds,
): string | undefined {
  if (before === after) return undefined;
  if (before === 0) return `it has ${what} for the first time`;
  if (after === 0) return `it has no ${what} any more`;
  const share = after / before;
  if (share < atLeast)
    return `it has ${percent(1 - share)} fewer ${what}, but at most ${percent(1 - atLeast)} fewer are expected`;
  if (share > atMost)
    return `it has ${times(share)} times as many ${what}, but at most ${times(atMost)} times as many are expected`;
  return undefined;
}

// Never rounded to the bound that is exceeded.
const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
const times = (share: number): string => String(Number(share.toPrecision(3)));

/** One term of a feed. The larger its strictness, the stricter; without one, any other value is another guard. */
interface FeedTerm {
  readonly name: string;
  readonly value: unknown;
  readonly strictness?: number;
  readonly words: Sentence;
}

export function termsOf({ source, bounds, maxAgeDays }: FeedDeclaration): readonly FeedTerm[] {
  const { atLeast, atMost, widest, isSpecialAllowed, mostAddresses } = bounds;
  const term = (name: string, value: number | boolean, [sign, words]: [1 | -1, string]): FeedTerm => ({
    ...{ name, value, strictness: sign * Number(value), words: trusted(words) },
  });
  const from = { name: 'source', value: source, words: sourceInWords(source) };
  if (mostAddresses !== undefined) {
    const words = `it has at most ${mostAddresses} ${mostAddresses === 1 ? 'address' : 'addresses'}`;
    return [from, term('mostAddresses', mostAddresses, [-1, words])];
  }
  return [
    from,
    term('atLeast', atLeast, [1, `an update drops at most ${percent(1 - atLeast)} of it`]),
    term('atMost', atMost, [-1, `an update makes it at most ${times(atMost)} times as large`]),
    term('widestIpv4', widest[4], [1, `no IPv4 network is wider than /${widest[4]}`]),
    term('widestIpv6', widest[6], [1, `no IPv6 network is wider than /${widest[6]}`]),
    term('specialPurpose', isSpecialAllowed, [
      -1,
      `special-purpose networks are ${isSpecialAllowed ? 'taken' : 'refused'}`,
    ]),
    term('maxAgeDays', maxAgeDays, [-1, `it is checked at least every ${maxAgeDays} days`]),
  ];
}

function sourceInWords({ publisher, url = [], file, names, resolver, ...picks }: FeedSource): Sentence {
  if (names && resolver !== undefined)
    return say`it has the addresses of ${list(names.map(foreign), names.length)}, by the resolver ${foreign(resolver)}`;
  const places = [publisher, ...url, file].flatMap((place) => (place === undefined ? [] : foreign(place)));
  const picked = Object.entries(picks).map(
    ([name, value]) =>
      say`${trusted(name)} ${foreign(typeof value === 'string' ? value : canonicalJson(value))}`,
  );
  const how = picked.length === 0 ? [] : say` (${list(picked, picked.length)})`;
  return say`it comes from ${list(places, places.length)}${how}`;
}

export function declarationInWords(feed: FeedDeclaration): Sentence {
  const terms = termsOf(feed).map(({ words }) => words);
  return say`${foreign(feed.name)} (${list(terms, terms.length)})`;
}

/** The base's feed of that name; for a new name those with the same documents, so that it loosens no bounds; else the defaults. */
export function formerFeeds(feed: FeedDeclaration, { declarations }: PinnedFeeds): FeedDeclaration[] {
  const former = declarations.get(feed.name);
  if (former) return [former];
  const alike = [...declarations.values()].filter(
    ({ source }) => documentsOf(source) === documentsOf(feed.source),
  );
  // There is no default for the number of addresses.
  if (alike.length === 0 && feed.source.names) return [feed];
  return alike.length === 0
    ? [{ ...feed, bounds: DEFAULT_BOUNDS, maxAgeDays: DEFAULT_MAX_AGE_DAYS }]
    : alike.map(({ bounds, maxAgeDays }) => ({ ...feed, bounds, maxAgeDays }));
}

const documentsOf = ({ publisher, url, file, names }: FeedSource): string =>
  JSON.stringify([publisher, url, file, names]);

export type TrustedFeeds = (
  name: string,
) => { readonly networks: readonly string[] } | { readonly problem: Sentence };

/** The networks of a feed in assertions: what the base has locked, with the changes that the publisher confirms. */
export const trustedFeeds =
  (base: RevisionFeeds | undefined, changes: readonly FeedChange[]): TrustedFeeds =>
  (name) => {
    if (!base || 'problem' in base)
      return {
        problem: base
          ? trusted('the feeds of the base revision cannot be read')
          : say`the feeds of the base revision, among them ${foreign(name)}, are not known (--base-feeds)`,
      };
    const feed = base.feeds.get(name);
    const problem = base.declarations.has(name)
      ? say`the lock of the base revision is damaged or out of date for the feed ${foreign(name)}`
      : say`the base revision has no feed ${foreign(name)}`;
    if (!feed) return { problem };
    const change = changes.find((candidate) => candidate.name === name);
    if (!change?.answer || 'problem' in change.answer || change.beyond)
      return { networks: feed.locked.networks };
    const { published } = change.answer;
    const kept = subtract(cidrSetOf(feed.networks), subtract(change.lost, published));
    return { networks: toCidrs(union(kept, intersect(change.gained, published))).map(({ text }) => text) };
  };
