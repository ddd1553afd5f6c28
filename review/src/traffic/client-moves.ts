import type { BoundedChange } from '../access/bounds';
import { subtract } from '../access/cidr-set';
import type { Moment } from '../access/timeline';
import type { ClientMove } from '../user-agents/route-access';
import type { ClientIndex } from './client-index';
import { readingsOf } from './shown-clients';
import type { LogClients } from './traffic-log';

/**
 * What becomes of a client. `ending`: it loses access as a rule ends, and would do so without the change, or was given access by
 * the change only until then.
 */
export type Move = NonNullable<ClientMove> | 'ending';

/** The clients that are concerned, by their places in the log. */
export type Moves = ReadonlyMap<number, Move>;

/** Who gains and loses access by their addresses. */
export function movesByAddress(
  index: ClientIndex,
  { gained, lost }: Pick<BoundedChange, 'gained' | 'lost'>,
): Map<number, Move> {
  const moves = new Map<number, Move>();
  const mark = (clients: readonly number[], move: Move) => {
    for (const client of clients) moves.set(client, move);
  };
  mark(index.within(gained.possibly), 'may-be-admitted');
  mark(index.within(lost.possibly), 'may-be-refused');
  mark(index.within(gained.surely), 'admitted');
  mark(index.within(lost.surely), 'refused');
  return moves;
}

/** Who gains and loses access at each later moment, as rules end. The moments have to be asked for in their order. */
export function laterMoves(index: ClientIndex, after: BoundedChange['after']): (moment: Moment) => Moves {
  const inside = new Set(index.within(after.surely));
  return (moment) => {
    const moves = movesByAddress(index, moment);
    for (const client of index.within(subtract(moment.concerned, moment.after.possibly)))
      if (inside.delete(client) && !moves.has(client)) moves.set(client, 'ending');
    for (const client of index.within(moment.after.surely)) inside.add(client);
    return moves;
  };
}

/** Who gains and loses access by their user agents, each of which is judged once. */
export function movesByAgent(
  { agents, agentOf }: LogClients,
  moveOf: (userAgent: string | null | undefined) => ClientMove,
): Moves {
  const byAgent = agents.map((agent) => moveOfAll(readingsOf(agent).map(moveOf)));
  const ofUnknown = moveOf(undefined);
  const moves = new Map<number, Move>();
  agentOf.forEach((agent, client) => {
    const move = agent < 0 ? ofUnknown : byAgent[agent];
    if (move) moves.set(client, move);
  });
  return moves;
}

/** Readings that move differently leave it open what becomes of the client; a loss matters more. */
function moveOfAll([move, ...others]: readonly ClientMove[]): ClientMove {
  if (others.every((other) => other === move)) return move;
  const isLoss = [move, ...others].some((each) => each === 'refused' || each === 'may-be-refused');
  return isLoss ? 'may-be-refused' : 'may-be-admitted';
}
