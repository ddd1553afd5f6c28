import type { Doubt, SubjectAccess, UserAgentAccess, UserAgentShift } from '../access/subject-access';
import { hiddenDoubt } from '../access/subject-access';
import { type ModuleDeclaration, pairsOf } from '../model/declarations';
import { hidden } from '../model/known';
import { keptOrigins } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import { atOwnPlaces, declaredValues } from '../model/read-modules';
import { foreign, say } from '../text/sentence';
import type { CorpusEntry } from './corpus';
import { admitted, type FilterLogic, letsIn, logicOf, meet, OPEN, refused } from './filter-logic';
import { FILTER_TYPE, filtersOf, type UserAgentModel } from './user-agent-model';
import { type Cone, findWord } from './find-word';
import { changeOfSides, type FromTo, joined, NO_SHIFT, shiftOf } from './shift';
import { automatonOf } from './automata';

export interface UserAgentContext {
  readonly model: UserAgentModel;
  readonly corpus: readonly CorpusEntry[];
}

/** What protects a route; undefined if that is unknown, and then no client is known of whom it is wrong. */
interface RouteState {
  readonly letsEverybodyIn: boolean | undefined;
  readonly letsNobodyIn: boolean | undefined;
}

export interface RouteAccess extends UserAgentAccess {
  readonly before: RouteState;
  readonly after: RouteState;
  /** Whether both sides have at most one filter, so that clients can be judged one by one. */
  readonly sides: { readonly before: FilterLogic; readonly after: FilterLogic };
  /** The clients of the corpus that may or may not change sides; undefined if several filters compete for the route. */
  readonly mayChange?: Readonly<Record<'gained' | 'lost', readonly CorpusEntry[]>>;
}

/** Who gets in by user agent, on every route with a filter in the stack. */
export function routeAccess(stack: StackChange, context: UserAgentContext): RouteAccess[] {
  // Checked first, as of thousands of changes most are of rules.
  const [before, after] = [filtersOf(stack.before), filtersOf(stack.after)];
  if (before.all.length + after.all.length === 0) return [];
  const kept = keptOrigins(stack.changes);
  const read = (side: 'before' | 'after', filters: readonly ModuleDeclaration[]): FilterLogic[] => {
    const logics = [...filters, ...filtersOf(stack[side]).unplaced].map((filter) =>
      logicOf(filter, (property) => {
        const { origin } = filter;
        return `${property} of ${origin.urn} ${kept.has(origin) ? '' : side}`;
      }),
    );
    // A filter whose route is hidden may be on this one or on another.
    const all = filters.length === 0 ? [OPEN, ...logics] : logics;
    return [...new Map(all.map((logic) => [JSON.stringify(logic), logic])).values()];
  };
  return pairsOf(before, after).map((pairing) => {
    const sides = { before: read('before', pairing.before), after: read('after', pairing.after) };
    const change = compareRoute(sides, context);
    const isOpen = ({ extent, mayBeMore }: UserAgentShift) => extent === 'undecided' || mayBeMore;
    const doubts =
      !isOpen(change.gained) && !isOpen(change.lost)
        ? []
        : mostTelling([...pairing.before, ...pairing.after].flatMap(doubtsOf));
    return { of: 'user-agents', kind: 'route', subject: pairing.subject, ...change, doubts };
  });
}

/** Filters whose route is hidden, each as if on a route of its own. */
export const unplacedRoutes = (stack: StackChange, context: UserAgentContext): RouteAccess[] =>
  routeAccess(atOwnPlaces(stack, FILTER_TYPE), context);

type Sides = Readonly<Record<'before' | 'after', readonly FilterLogic[]>>;

function compareRoute(
  sides: Sides,
  context: UserAgentContext,
): Omit<RouteAccess, 'of' | 'kind' | 'subject' | 'doubts'> {
  const [before = OPEN, after = OPEN] = [sides.before[0], sides.after[0]];
  const states = { before: stateOf(sides.before, context), after: stateOf(sides.after, context) };
  if (sameLogics(sides.before, sides.after)) {
    return { ...states, gained: NO_SHIFT, lost: NO_SHIFT, sides: { before, after } };
  }
  const shifts = sides.before.flatMap((left) =>
    sides.after.map((right) => {
      const words = sampleWords(left, right, context.corpus);
      return {
        gained: shiftOf({ from: left, to: right, words }, context.model, { isGain: true }),
        lost: shiftOf({ from: left, to: right, words }, context.model, { isGain: false }),
      };
    }),
  );
  return {
    ...states,
    gained: joined(shifts.map(({ gained }) => gained)),
    lost: joined(shifts.map(({ lost }) => lost)),
    sides: { before, after },
    ...(shifts.length === 1 && { mayChange: mayChange({ from: before, to: after }, context) }),
  };
}

/** They bound the effect of a hidden part. */
function mayChange(
  sides: FromTo,
  { model, corpus }: UserAgentContext,
): NonNullable<RouteAccess['mayChange']> {
  const clients = (isGain: boolean) => {
    const { isSure, isPossible } = changeOfSides(sides, model, isGain);
    return corpus.filter(({ userAgent }) => isPossible(userAgent) && !isSure(userAgent));
  };
  return { gained: clients(true), lost: clients(false) };
}

export type ClientMove = 'admitted' | 'refused' | 'may-be-admitted' | 'may-be-refused' | undefined;

/** Judges clients one by one as the access of the route was judged. A client whose user agent is not known may be any. */
export function moverOf(
  { sides: { before, after }, gained, lost, mayChange: changes }: RouteAccess,
  model: UserAgentModel,
): (userAgent: string | null | undefined) => ClientMove {
  const ways = [
    { extent: lost.extent, of: changeOfSides({ from: before, to: after }, model, false), sure: 'refused' },
    { extent: gained.extent, of: changeOfSides({ from: before, to: after }, model, true), sure: 'admitted' },
  ] as const;
  const open = ways.filter(({ extent }) => extent !== 'none');
  return (userAgent) => {
    for (const { of, sure } of open) {
      if (!changes || userAgent === undefined) return `may-be-${sure}`;
      if (of.isSure(userAgent)) return sure;
      if (of.isPossible(userAgent)) return `may-be-${sure}`;
    }
    return undefined;
  };
}

export const isRouteAccess = (access: SubjectAccess): access is RouteAccess => 'sides' in access;

function sameLogics(left: readonly FilterLogic[], right: readonly FilterLogic[]): boolean {
  const texts = (logics: readonly FilterLogic[]) =>
    JSON.stringify(logics.map((logic) => JSON.stringify(logic)).sort());
  return texts(left) === texts(right);
}

const stateOf = (logics: readonly FilterLogic[], context: UserAgentContext): RouteState => ({
  letsEverybodyIn: letsEverybodyIn(logics, context),
  letsNobodyIn: isNobody(true, logics, context),
});

export const letsEverybodyIn = (
  logics: readonly FilterLogic[],
  context: UserAgentContext,
): boolean | undefined => isNobody(false, logics, context);

/** No real client sends an empty header. */
const NOT_EMPTY: Cone = { found: [['(?s).']], notFound: [] };

/** Whether no client gets in, or none is refused. */
function isNobody(
  isIn: boolean,
  logics: readonly FilterLogic[],
  { model, corpus }: UserAgentContext,
): boolean | undefined {
  const isMember = (word: string): boolean => logics.every((one) => letsIn(one, word, model) === isIn);
  const words = [
    ...corpus.flatMap((entry) => entry.userAgent ?? []),
    ...logics.flatMap((one) => (one.kind === 'open' ? [] : one.deny.patterns.slice(0, 20).flatMap(wordsOf))),
  ];
  if (words.some((word) => word !== '' && isMember(word))) return false;
  const cones = logics.flatMap((one) => (isIn ? admitted : refused)(one, model));
  const searches = meet(cones, [NOT_EMPTY]).map(findWord);
  if (searches.every(({ kind }) => kind === 'none')) return true;
  return searches.some((search) => search.kind === 'word' && isMember(search.word)) ? false : undefined;
}

/** If something is hidden, that is the reason why it is undecided. */
function mostTelling(doubts: readonly Doubt[]): readonly Doubt[] {
  const hidden = doubts.filter(({ isHidden }) => isHidden === true);
  return hidden.length > 0 ? hidden : doubts;
}

function doubtsOf(filter: ModuleDeclaration): Doubt[] {
  const { origin, subject, doubt } = filter;
  if (doubt) return [hiddenDoubt(origin, 'deny', hidden(doubt))];
  const parts = declaredValues(filter).flatMap(([property, value]): Doubt[] => {
    return value.isKnown || value === subject ? [] : [hiddenDoubt(origin, property, value)];
  });
  if (parts.length > 0) return parts;
  const reason = say`the patterns of ${foreign(origin.name)} cannot be compared for every text`;
  return [{ origin, reason }];
}

/** How many patterns words are made from; only generated lists have more changes. */
const MAX_PATTERNS = 400;
/** How many times words are matched against patterns at most: for longer lists, fewer words are tried. */
const MAX_TRIALS = 200_000;

/** Headers to try: the corpus, and words of the patterns that one side has: `Masscan/1.3` tells more than `aMASSCAN`, as searches find. */
function sampleWords(
  before: FilterLogic,
  after: FilterLogic,
  corpus: readonly CorpusEntry[],
): (string | null)[] {
  const [left, right] = [patternsOf(before), patternsOf(after)];
  const only = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...one].filter((key) => !other.has(key));
  const changed = [...only(left, right), ...only(right, left)].map((key) => key.slice(1));
  const most = Math.min(MAX_PATTERNS, Math.floor(MAX_TRIALS / (left.size + right.size + 1)));
  const words = [...new Set(changed)].slice(0, most).flatMap(wordsOf);
  return [...new Set([...words, ...corpus.map((entry) => entry.userAgent), null])];
}

/** Prefixed by its list: a pattern that moves from one list to the other is a change. */
function patternsOf(logic: FilterLogic): Set<string> {
  if (logic.kind === 'open') return new Set();
  return new Set([
    ...logic.allow.patterns.map((pattern) => `+${pattern}`),
    ...logic.deny.patterns.map((pattern) => `-${pattern}`),
  ]);
}

function wordsOf(pattern: string): string[] {
  const bare = pattern
    .replace(/^\(\?[a-z]+\)/, '')
    .replace(/[\^$]|\\[AzbB]/g, '')
    .replace(/\\d[+*]?|\[0-9\][+*]?/g, '1')
    .replace(/\\(?=[^A-Za-z0-9])/g, '')
    .replace(/\.[*+]|\.\?/g, '');
  const shortest = automatonOf(pattern) ? findWord({ found: [[pattern]], notFound: [] }) : undefined;
  const stems = [bare, ...(shortest?.kind === 'word' ? [shortest.word] : [])];
  return stems.flatMap((stem) => [
    `${stem}/1.3`.replace('//', '/'),
    stem,
    `${stem}1`,
    `Mozilla/5.0 (compatible; ${stem}/1.3)`,
  ]);
}
