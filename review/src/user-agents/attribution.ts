import { leastEdit } from '../access/attribution';
import { compilePattern } from './compiled-patterns';
import type { FilterLogic } from './filter-logic';
import { judge } from './filter-logic';
import type { RouteAccess } from './route-access';
import type { UserAgentModel } from './user-agent-model';

type ListName = 'allow' | 'deny';

/** A pattern that comes or goes, and has a part in what becomes of the clients that gain. */
export interface PatternChange {
  readonly list: ListName;
  readonly pattern: string;
  readonly isAdded: boolean;
}

/** The patterns that bring a gain about, and those that have to be as before for none of the clients to gain. */
export interface RouteAttribution {
  readonly causes: readonly PatternChange[];
  readonly undo: readonly PatternChange[];
}

type Filter = Extract<FilterLogic, { kind: 'filter' }>;

/** As many clients are tried: they stand for all the others, which the same patterns are about. */
const MOST_CLIENTS = 30;

/** Says which patterns let the clients of a gain in; nothing where a whole filter comes or goes. */
export function attributeRouteGain(
  { sides, gained }: Pick<RouteAccess, 'sides' | 'gained'>,
  model: UserAgentModel,
): RouteAttribution {
  const { before, after } = sides;
  if (before.kind === 'open' || after.kind === 'open') return { causes: [], undo: [] };
  const clients = gained.witnesses.slice(0, MOST_CLIENTS);
  const isFound = (pattern: string, client: string | null) =>
    compilePattern(pattern)?.finds(client ?? '') === true;
  // Where another deny pattern finds a client, the one that goes has no part in what becomes of it.
  const undenied = clients.filter(
    (client) => !after.deny.patterns.some((pattern) => isFound(pattern, client)),
  );
  const allowListGoes = before.allow.patterns.length > 0 && after.allow.patterns.length === 0;
  const causes = [
    ...changes('allow', after, before, { isAdded: true }).filter(({ pattern }) =>
      clients.some((client) => isFound(pattern, client)),
    ),
    // A list that is empty lets everybody in under one of the models.
    ...(model === 'deny-wins' && allowListGoes ? changes('allow', before, after, { isAdded: false }) : []),
    ...changes('deny', before, after, { isAdded: false }).filter(({ pattern }) =>
      undenied.some((client) => isFound(pattern, client)),
    ),
  ];
  const prevents = (undone: readonly PatternChange[]) => {
    const logic = undo(after, undone);
    return clients.every((client) => judge(logic, client, model) === false);
  };
  return { causes, undo: leastEdit(causes, prevents) };
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
