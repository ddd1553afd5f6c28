import type { BoundedChange } from '../access/bounds';
import type { CidrSet } from '../access/cidr-set';
import type { ClientMove } from '../user-agents/route-access';
import { clientsWithin } from './client-index';
import { type LogClients, readingsOf } from './traffic-log';

/** What becomes of a client. */
export type Move = NonNullable<ClientMove>;

/** The clients that are concerned, by their places in the log. */
export type Moves = ReadonlyMap<number, Move>;

/** Who gains and loses access by their addresses. */
export function movesByAddress(
  clients: LogClients,
  { gained, lost }: Pick<BoundedChange, 'gained' | 'lost'>,
): Moves {
  const moving = (set: CidrSet, move: Move) =>
    clientsWithin(clients, set).map((client) => [client, move] as const);
  return new Map([
    ...moving(gained.possibly, 'may-be-admitted'),
    ...moving(lost.possibly, 'may-be-refused'),
    ...moving(gained.surely, 'admitted'),
    ...moving(lost.surely, 'refused'),
  ]);
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
