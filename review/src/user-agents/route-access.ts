import type { Doubt, UserAgentAccess, UserAgentShift } from '../access/subject-access';
import { OBSTACLES } from '../access/doubts';
import type { Snapshot, UserAgentFilterDeclaration } from '../model/declarations';
import { known, type Obstacle } from '../model/known';
import { pairsOf } from '../model/by-subject';
import { keptOrigins } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import { filtersByRoute } from '../model/snapshot';
import { foreign, say } from '../text/sentence';
import type { CorpusEntry } from './corpus';
import type { FilterLogic } from './filter-logic';
import { admitted, judge, logicOf, meet, OPEN, refused } from './filter-logic';
import type { WordSearch } from './find-word';
import { findWord } from './find-word';
import { sampleWords, wordsOf } from './sample-words';
import type { UserAgentModel } from './user-agent-model';

/** What a review of filters goes by. */
export interface UserAgentContext {
  readonly model: UserAgentModel;
  readonly corpus: readonly CorpusEntry[];
}

/** What protects a route after the change, as far as it can be told; nothing where it cannot. */
export interface RouteState {
  readonly letsEverybodyIn: boolean | undefined;
  readonly letsNobodyIn: boolean | undefined;
}

/** One route before and after. */
export interface RouteAccess extends UserAgentAccess {
  readonly before: RouteState;
  readonly after: RouteState;
  /** Whether both sides have one filter at most, so that clients can be judged one by one. */
  readonly sides: { readonly before: FilterLogic; readonly after: FilterLogic };
}

/** Who gets in by their user agent, on every route that the stack has a filter of. */
export function routeAccess(stack: StackChange, context: UserAgentContext): RouteAccess[] {
  // Of thousands of changes most are of rules.
  if (stack.before.userAgentFilters.all.length + stack.after.userAgentFilters.all.length === 0) return [];
  const kept = keptOrigins(stack.changes);
  const { before, after } = stack;
  const read = (side: 'before' | 'after', filters: readonly UserAgentFilterDeclaration[]): FilterLogic[] => {
    const logics = [...filters, ...stack[side].userAgentFilters.unplaced].map((filter) =>
      logicOf(filter, (property) => {
        const { origin } = filter;
        return `${property} of ${origin.urn} ${kept.has(origin) ? '' : side}`;
      }),
    );
    // A filter whose route is hidden may be on this one, or on another.
    const all = filters.length === 0 ? [OPEN, ...logics] : logics;
    return [...new Map(all.map((logic) => [JSON.stringify(logic), logic])).values()];
  };
  return pairsOf(before.userAgentFilters, after.userAgentFilters).map((pairing) => {
    const sides = { before: read('before', pairing.before), after: read('after', pairing.after) };
    const change = compareRoute(sides, context);
    const isDecided = change.gained.extent !== 'undecided' && change.lost.extent !== 'undecided';
    const doubts = isDecided ? [] : [...pairing.before, ...pairing.after].flatMap(doubtsOf);
    return { kind: 'route', subject: pairing.subject, ...change, doubts };
  });
}

/** Filters of which the route is hidden, each as one of a route of its own. */
export function unplacedRoutes(stack: StackChange, context: UserAgentContext): RouteAccess[] {
  const place = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    userAgentFilters: filtersByRoute(
      snapshot.userAgentFilters.unplaced.map((filter) => ({
        ...filter,
        routeKey: known(`the hidden route of ${filter.origin.name}`),
      })),
    ),
  });
  return routeAccess({ ...stack, before: place(stack.before), after: place(stack.after) }, context);
}

type Sides = Readonly<Record<'before' | 'after', readonly FilterLogic[]>>;

function compareRoute(
  sides: Sides,
  context: UserAgentContext,
): Omit<RouteAccess, 'kind' | 'subject' | 'doubts'> {
  const [before = OPEN, after = OPEN] = [sides.before[0], sides.after[0]];
  const states = { before: stateOf(sides.before, context), after: stateOf(sides.after, context) };
  if (sameLogics(sides.before, sides.after)) {
    const none: UserAgentShift = { extent: 'none', witnesses: [] };
    return { ...states, gained: none, lost: none, sides: { before, after } };
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
  };
}

function sameLogics(left: readonly FilterLogic[], right: readonly FilterLogic[]): boolean {
  const texts = (logics: readonly FilterLogic[]) =>
    JSON.stringify(logics.map((logic) => JSON.stringify(logic)).sort());
  return texts(left) === texts(right);
}

interface Shift {
  readonly from: FilterLogic;
  readonly to: FilterLogic;
  readonly words: readonly (string | null)[];
}

/** Words that change sides first; then the search, which finds one more or proves that there is none. */
function shiftOf(
  { from, to, words }: Shift,
  model: UserAgentModel,
  { isGain }: { isGain: boolean },
): UserAgentShift {
  const changesSides = (word: string | null): boolean =>
    judge(from, word, model) === !isGain && judge(to, word, model) === isGain;
  const witnesses = words.filter(changesSides);
  if (witnesses.length > 0) return { extent: 'some', witnesses };
  const [left, right] = isGain
    ? [refused(from, model), admitted(to, model)]
    : [admitted(from, model), refused(to, model)];
  let isProved = !mayNullShift(from, to, model, isGain);
  for (const cone of meet(left, right)) {
    const search = findWord(cone, { minLength: 0 });
    if (search.kind === 'word' && changesSides(search.word))
      return { extent: 'some', witnesses: [search.word] };
    if (search.kind !== 'none') isProved = false;
  }
  return { extent: isProved ? 'none' : 'undecided', witnesses: [] };
}

/** A client without the header is judged by itself. */
function mayNullShift(from: FilterLogic, to: FilterLogic, model: UserAgentModel, isGain: boolean): boolean {
  if (JSON.stringify(from) === JSON.stringify(to)) return false;
  return judge(from, null, model) !== isGain && judge(to, null, model) !== !isGain;
}

function joined(shifts: readonly UserAgentShift[]): UserAgentShift {
  const [first, ...others] = shifts;
  if (!first) return { extent: 'none', witnesses: [] };
  if (others.every(({ extent }) => extent === first.extent)) return first;
  return { extent: 'undecided', witnesses: shifts.flatMap(({ witnesses }) => witnesses) };
}

/** Looks at texts with at least one character: no real client sends an empty header. */
function stateOf(logics: readonly FilterLogic[], { model, corpus }: UserAgentContext): RouteState {
  const [logic] = logics;
  const verdicts = new Set<boolean | undefined>();
  if (logic && logics.length === 1) {
    const words = [
      ...corpus.flatMap((entry) => entry.userAgent ?? []),
      ...firstPatterns(logic).flatMap(wordsOf),
    ];
    for (const word of words) if (word !== '') verdicts.add(judge(logic, word, model));
  }
  const hasNone = (isIn: boolean): boolean | undefined => {
    if (verdicts.has(isIn)) return false;
    const cones = logics.flatMap((one) => (isIn ? admitted : refused)(one, model));
    const searches = cones.map((cone) => findWord(cone, { minLength: 1 }));
    if (searches.every(({ kind }) => kind === 'none')) return true;
    const isMember = (search: WordSearch) =>
      search.kind === 'word' && logics.every((one) => judge(one, search.word, model) === isIn);
    return searches.some(isMember) ? false : undefined;
  };
  return { letsEverybodyIn: hasNone(false), letsNobodyIn: hasNone(true) };
}

const firstPatterns = (logic: FilterLogic): readonly string[] =>
  logic.kind === 'open' ? [] : logic.deny.patterns.slice(0, 20);

function doubtsOf(filter: UserAgentFilterDeclaration): Doubt[] {
  const { origin } = filter;
  const hidden = (['isEnabled', 'allow', 'deny'] as const).flatMap((key): Doubt[] => {
    const value = filter[key];
    const property = key === 'isEnabled' ? 'enabled' : key;
    const doubt = (place: string, obstacle: Obstacle): Doubt => {
      const reason = say`the ${foreign(place)} of ${foreign(origin.name)} ${OBSTACLES[obstacle]}`;
      return { origin, property: place, reason, isHidden: true };
    };
    if (!value.isKnown) return [doubt(property, value.obstacle)];
    if (typeof value.value === 'boolean') return [];
    return value.value.flatMap((pattern, index) =>
      pattern.isKnown ? [] : [doubt(`${property}[${index}]`, pattern.obstacle)],
    );
  });
  if (hidden.length > 0) return hidden;
  const reason = say`the patterns of ${foreign(origin.name)} cannot be compared for every text`;
  return [{ origin, reason }];
}
