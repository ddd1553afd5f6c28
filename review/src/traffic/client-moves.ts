import type { BoundedChange } from '../access/bounds';
import { countWhile, networkIn, type CidrSet } from '../access/cidr-set';
import type { ClientMove } from '../user-agents/route-access';
import { type LogClients, readingsOf } from './traffic-log';

export type Move = NonNullable<ClientMove>;

/** The clients that are concerned, by their places in the log. */
export type Moves = ReadonlyMap<number, Move>;

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

interface Sorted<Address> {
  readonly addresses: readonly Address[];
  readonly clients: readonly number[];
}

type ClientIndex = { readonly 4: Sorted<number>; readonly 6: Sorted<bigint> };

const INDEXES = new WeakMap<LogClients, ClientIndex>();

/** The clients whose address is in the set: found by its ranges, as asking for each client would take too long. */
export function clientsWithin(clients: LogClients, set: CidrSet): number[] {
  const index = INDEXES.get(clients) ?? indexed(clients);
  INDEXES.set(clients, index);
  return [...inRanges(index[4], set[4]), ...inRanges(index[6], set[6])];
}

function indexed({ networks }: LogClients): ClientIndex {
  const ipv4: (readonly [number, number])[] = [];
  const ipv6: (readonly [bigint, number])[] = [];
  networks.forEach((network, client) => {
    const cidr = networkIn(network);
    if (cidr?.family === 4) ipv4.push([cidr.first, client]);
    if (cidr?.family === 6) ipv6.push([cidr.first, client]);
  });
  return { 4: sorted(ipv4), 6: sorted(ipv6) };
}

function sorted<Address extends number | bigint>(entries: (readonly [Address, number])[]): Sorted<Address> {
  entries.sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  return { addresses: entries.map(([address]) => address), clients: entries.map(([, client]) => client) };
}

function inRanges<Address extends number | bigint>(
  { addresses, clients }: Sorted<Address>,
  boundaries: readonly Address[],
): number[] {
  const within: number[] = [];
  for (let range = 0; range < boundaries.length; range += 2) {
    const [begin, end] = [boundaries[range], boundaries[range + 1]];
    if (begin === undefined || end === undefined) break;
    const first = countWhile(addresses, (each) => each < begin);
    const next = countWhile(addresses, (each) => each < end);
    for (let at = first; at < next; at += 1) within.push(clients[at] ?? 0);
  }
  return within;
}
