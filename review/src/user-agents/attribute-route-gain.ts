import { compilePattern } from './compiled-patterns';
import type { FilterLogic, PatternList } from './filter-logic';
import { admitted, invalidPattern, judge, meet, refused } from './filter-logic';
import { findWord } from './find-word';
import type { RouteAccess } from './route-access';
import type { UserAgentModel } from './user-agent-model';

type ListName = 'allow' | 'deny';

/** An added or removed pattern that contributes to a gain. */
export interface PatternChange {
  readonly list: ListName;
  readonly pattern: string;
  readonly isAdded: boolean;
}

/** The patterns that cause a gain, and the one that prevents it. */
export interface RouteAttribution {
  readonly causes: readonly PatternChange[];
  /** The one of them whose reversal alone prevents the gain, if there is one. */
  readonly edit?: PatternChange;
}

type Filter = Extract<FilterLogic, { kind: 'filter' }>;

/** So many clients are tried first: they are representative of those that the same patterns match. */
const MOST_CLIENTS = 30;
/** If there are more patterns, they are not tried one by one. */
const MAX_TRIED = 20;

/** Says which patterns let the gained clients in; undefined if a whole filter is added or removed. */
export function attributeRouteGain(
  { sides, gained }: Pick<RouteAccess, 'sides' | 'gained'>,
  model: UserAgentModel,
): RouteAttribution {
  const { before, after } = sides;
  if (before.kind === 'open' || after.kind === 'open') return { causes: [] };
  const filters = { before, after, model };
  const clients = gained.witnesses.slice(0, MOST_CLIENTS);
  if (judge(before, null, model) === false && !clients.includes(null)) clients.push(null);
  const causes = causesOf(filters, clients);
  const edit = causes.slice(0, MAX_TRIED).find((cause) => isPrevented(filters, cause, clients));
  return { causes, ...(edit && { edit }) };
}

/** The patterns that may contribute to a merely possible gain: added allow patterns, and removed deny patterns. */
export function contributorsToRouteGain({ sides }: Pick<RouteAccess, 'sides'>): PatternChange[] {
  const { before, after } = sides;
  if (before.kind === 'open' || after.kind === 'open') return [];
  const [old, now] = [withInvalid(before), withInvalid(after)];
  return [...changes('allow', now, old, { isAdded: true }), ...changes('deny', old, now, { isAdded: false })];
}

/** An invalid pattern may contribute, too. */
function withInvalid(filter: Filter): Filter {
  const all = ({ patterns, unknowns }: PatternList): PatternList => ({
    patterns: [...patterns, ...unknowns.flatMap(invalidPattern)],
    unknowns,
  });
  return { ...filter, allow: all(filter.allow), deny: all(filter.deny) };
}

interface Filters {
  readonly before: Filter;
  readonly after: Filter;
  readonly model: UserAgentModel;
}
type Clients = readonly (string | null)[];

function causesOf({ before, after, model }: Filters, clients: Clients): PatternChange[] {
  const isFound = (pattern: string, client: string | null) =>
    compilePattern(pattern)?.finds(client ?? '') === true;
  // If another deny pattern matches a client, the removed one does not affect it.
  const undenied = clients.filter(
    (client) => !after.deny.patterns.some((pattern) => isFound(pattern, client)),
  );
  const allowListGoes = before.allow.patterns.length > 0 && after.allow.patterns.length === 0;
  return [
    ...changes('allow', after, before, { isAdded: true }).filter(({ pattern }) =>
      clients.some((client) => isFound(pattern, client)),
    ),
    // Under one of the models an empty list lets everyone in.
    ...(model === 'deny-wins' && allowListGoes ? changes('allow', before, after, { isAdded: false }) : []),
    ...changes('deny', before, after, { isAdded: false }).filter(({ pattern }) =>
      undenied.some((client) => isFound(pattern, client)),
    ),
  ];
}

/** Whether none of these clients gets in if one pattern is reverted, and no other client gains either. */
function isPrevented(filters: Filters, cause: PatternChange, clients: Clients): boolean {
  const logic = undo(filters.after, [cause]);
  const staysOut = (client: string | null) => judge(logic, client, filters.model) === false;
  return clients.every(staysOut) && clientStillIn(filters, [cause]) === undefined;
}

/** A client that gains although these patterns are reverted; undefined also if the search gives up. */
function clientStillIn(
  { before, after, model }: Filters,
  undone: readonly PatternChange[],
): string | undefined {
  const logic = undo(after, undone);
  return meet(refused(before, model), admitted(logic, model))
    .map((cone) => findWord(cone, { minLength: 0 }))
    .flatMap((search) => (search.kind === 'word' ? [search.word] : []))
    .find((word) => judge(before, word, model) === false && judge(logic, word, model) === true);
}

const changes = (
  list: ListName,
  from: Filter,
  to: Filter,
  { isAdded }: Pick<PatternChange, 'isAdded'>,
): PatternChange[] =>
  from[list].patterns
    .filter((pattern) => !to[list].patterns.includes(pattern))
    .map((pattern) => ({ list, pattern, isAdded }));

function undo(after: Filter, undone: readonly PatternChange[]): Filter {
  const patternsOf = (list: ListName) => {
    const own = undone.filter((change) => change.list === list);
    const added = own.filter(({ isAdded }) => isAdded).map(({ pattern }) => pattern);
    const removed = own.filter(({ isAdded }) => !isAdded).map(({ pattern }) => pattern);
    return {
      ...after[list],
      patterns: [...after[list].patterns.filter((pattern) => !added.includes(pattern)), ...removed],
    };
  };
  return { ...after, allow: patternsOf('allow'), deny: patternsOf('deny') };
}
