import { type Cidr, networkAt, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { compareText, foreign, isForeign, type Sentence } from '../text/sentence';
import type { Move, Moves } from './client-moves';
import type { LogClients } from './traffic-log';

/** A client of a log in a report. */
export interface ShownClient {
  /** Its address, or the network around it if the report is anonymised. */
  readonly network: string;
  /** Null: it sends none. Absent if the log does not say. */
  readonly userAgent?: string | null;
  readonly requests: number;
  readonly lastSeenMs?: number;
}

/** The client at a place in a log. */
export function clientAt(clients: LogClients, at: number): ShownClient {
  const userAgent = clients.agents[clients.agentOf[at] ?? -1];
  const lastSeenMs = clients.lastSeenMs[at] ?? -1;
  return {
    network: clients.networks[at] ?? '',
    requests: clients.requests[at] ?? 0,
    ...(userAgent !== undefined && { userAgent }),
    ...(lastSeenMs >= 0 && { lastSeenMs }),
  };
}

const MOST_SHOWN = 20;
const ORDER: readonly Move[] = ['refused', 'may-be-refused', 'ending', 'admitted', 'may-be-admitted'];

/** The clients with the most requests, those that lose access before the others. */
export const largestOf = (clients: LogClients, moves: Moves): (readonly [number, Move])[] =>
  [...moves]
    .sort(
      ([one, its], [other, theirs]) =>
        ORDER.indexOf(its) - ORDER.indexOf(theirs) ||
        (clients.requests[other] ?? 0) - (clients.requests[one] ?? 0) ||
        compareText(clients.networks[one] ?? '', clients.networks[other] ?? '') ||
        one - other,
    )
    .slice(0, MOST_SHOWN);

/** The network of a client; what is not one matches nothing. */
export function networkOf({ network }: Pick<ShownClient, 'network'>): Cidr {
  const parsed = parseCidr(network);
  if (!parsed.ok) throw new Error('A client of a log needs a canonical network.');
  return parsed.cidr;
}

const SHORTENED = { 4: 24, 6: 48 } as const;

/** Writes a network and sentences that name it without the address, if that is asked for. */
export function hiding(network: Cidr, isAnonymised: boolean) {
  const shown = isAnonymised
    ? networkAt(network.family, BigInt(network.first), SHORTENED[network.family]).text
    : network.text;
  const withoutAddress = (sentence: Sentence): Sentence =>
    sentence.map((run) => (isForeign(run) && run.foreign === network.text ? foreign(shown) : run));
  return { shown, withoutAddress };
}
