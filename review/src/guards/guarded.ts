import type { FeedDeclaration } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import { DEFAULT_ASSUMPTIONS } from '../findings/assumptions';
import { type FeedRevisions, formerFeeds, termsOf } from '../findings/feed-changes';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { foreign, listOf, say, type Sentence, trusted } from '../text/sentence';
import { type Assertion, type AssertionSet, describeAssertion, feedInWords, type Waiver } from './assertion';
import { DEFAULT_FAIL_ON, type FailOn, type Gate, MODEL_KEYS, THRESHOLDS } from './gate';

export interface Guarded {
  readonly key: string;
  readonly name: Sentence;
  /** The value of a setting. Without a strictness, any other value is another guard. */
  readonly value?: string;
  /** The value in words, if it is not to be shown as it is. */
  readonly words?: Sentence;
  /** The larger, the stricter. */
  readonly strictness?: number | undefined;
  /** What a ceiling leaves open: less is stricter. */
  readonly leaves?: readonly string[];
  /** What a waiver lets pass: less is stricter. */
  readonly lets?: readonly string[];
}

export function guardedBy(before: AssertionSet, after: AssertionSet): GuardChange {
  // Unless one names another threshold for confirmed feeds, that of all findings is theirs.
  const isNamed = [before, after].some(({ gate }) => gate.confirmedFeeds !== undefined);
  const guarded = ({ assertions, gate }: AssertionSet): Guarded[] => [
    ...assertions.map(guardedAssertion),
    ...guardedByGate(gate),
    ...(isNamed ? [threshold('confirmedFeeds', gate.confirmedFeeds ?? gate.failOn)] : []),
  ];
  return { before: guarded(before), after: guarded(after) };
}

export function broughtBy(change: AssertionSet, base: AssertionSet): ReadonlySet<Assertion> {
  const asked = base.assertions.map(guardedAssertion);
  const isBrought = (one: Assertion): boolean => lacking([guardedAssertion(one)], asked).length > 0;
  return new Set(change.assertions.filter(isBrought));
}

function guardedAssertion(assertion: Assertion): Guarded {
  const { kind, expectation, target, subject, networks = [], feeds = [] } = assertion;
  const isCeiling = expectation === 'within';
  const whose = subject.isKnown ? say`${foreign(subject.value)}` : trusted('a value that is not known yet');
  return {
    key: JSON.stringify([kind, subject, expectation, ...(isCeiling ? [] : [target, feeds])]),
    name: say`for ${whose}, ${describeAssertion(assertion)}`,
    ...(isCeiling && { leaves: [...networks, ...feeds.map(feedInWords)] }),
  };
}

function guardedByGate(gate: Gate): Guarded[] {
  const { noNewAccess, maxRefusedClients: most, requires = {} } = gate;
  const { description, metadata = [], until = [] } = requires;
  const models = { ...DEFAULT_ASSUMPTIONS, ...gate };
  return [
    threshold('failOn', gate.failOn),
    ...(noNewAccess === true ? [setting('noNewAccess', true)] : []),
    ...(most === undefined ? [] : [setting('maxRefusedClients', most, -most)]),
    ...MODEL_KEYS.map((name) => setting(name, models[name])),
    ...(description === true ? [setting('requires.description', true)] : []),
    ...metadata.map((name) => setting(`requires.metadata.${name}`, true)),
    ...until.map(({ maxDays, policies }) => ({
      ...setting(`requires.until for ${policies?.join(', ') ?? 'all policies'}`, maxDays, -maxDays),
      // An id may contain anything, such as the text that joins two of them.
      key: JSON.stringify(['requires.until', policies]),
    })),
  ];
}

const threshold = (key: string, failOn: FailOn = DEFAULT_FAIL_ON): Guarded =>
  setting(key, failOn, THRESHOLDS.indexOf(failOn));

const setting = (key: string, value: unknown, strictness?: number): Guarded => ({
  ...{ key, strictness },
  name: say`${foreign(key)}`,
  value: typeof value === 'string' ? value : JSON.stringify(value),
});

/** The waivers of a revision. They lift guards, so the base must have those of the change. */
export const waivedBy = (waivers: readonly Waiver[]): Guarded[] =>
  waivers.map((waiver) => {
    const { finding, subject, expires, reason } = waiver;
    const lets = namedBy(waiver);
    const what = lets.length === 0 ? [] : say`, of ${listOf(lets, foreign, MOST_NAMED)},`;
    return {
      key: JSON.stringify([finding, subject]),
      name: say`the waiver of ${foreign(finding)} for ${foreign(subject)}${what} (${foreign(reason)}) until`,
      value: expires,
      strictness: Date.parse(expires),
      lets,
    };
  });

const MOST_NAMED = 10;

export const namedBy = ({ networks = [], patterns = [], clients = [], assertion = [] }: Waiver): string[] => [
  ...networks,
  ...patterns.map((pattern) => `pattern ${pattern}`),
  ...clients.map((client) => `client ${client}`),
  ...assertion.map((key) => `assertion ${key}`),
];

/** What guarded the feeds that the change declares, and what does now. A feed that is gone needs no guard: its rules go, too. */
export function guardedByFeeds({ base, change }: Omit<FeedRevisions, 'published'>): GuardChange {
  if (!base || 'problem' in base || 'problem' in change) return { before: [], after: [] };
  const declared = [...change.declarations.values()];
  const guarded = (feed: string, terms: FeedDeclaration): Guarded[] =>
    termsOf(terms).map(({ name, value, strictness, words }) => ({
      ...setting(`feed ${feed}: ${name}`, value, strictness),
      ...{ name: say`of the feed ${foreign(feed)} that`, words },
    }));
  return {
    before: declared.flatMap((feed) =>
      formerFeeds(feed, base).flatMap((former) => guarded(feed.name, former)),
    ),
    after: declared.flatMap((feed) => guarded(feed.name, feed)),
  };
}

export type GuardChange = Readonly<Record<'before' | 'after', readonly Guarded[]>>;

/** The wanted guards that are not there as strictly, each with what is there instead. */
export function lacking(
  wanted: readonly Guarded[],
  there: readonly Guarded[],
): { readonly guard: Guarded; readonly instead?: Sentence }[] {
  const byKey = grouped(there, ({ key }) => key);
  return wanted.flatMap((guard) => {
    const candidates = byKey.get(guard.key) ?? [];
    if (candidates.some((other) => isAsStrict(other, guard))) return [];
    const instead = candidates[0] && valueInWords(candidates[0]);
    return [{ guard, ...(instead && { instead }) }];
  });
}

export const valueInWords = ({ value, words }: Guarded): Sentence | undefined =>
  words ?? (value === undefined ? undefined : say`${foreign(value)}`);

function isAsStrict(other: Guarded, guard: Guarded): boolean {
  if (guard.leaves) {
    const left = new Set(guard.leaves);
    return other.leaves?.every((network) => left.has(network)) === true;
  }
  if (guard.lets) {
    const passed = new Set(other.lets);
    if (!guard.lets.every((each) => passed.has(each))) return false;
  }
  return other.strictness === undefined || guard.strictness === undefined
    ? other.value === guard.value
    : other.strictness >= guard.strictness;
}
