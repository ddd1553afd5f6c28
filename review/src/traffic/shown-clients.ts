import { type Cidr, networkAt } from 'pulumi-edge-policy/internal/values/cidr';
import { networkIn } from '../access/cidr-set';
import type { Explainer } from '../explain/explainer';
import type { Answer, Question } from '../explain/question';
import { compareText, foreign, isForeign, type Sentence, trusted } from '../text/sentence';
import type { Move } from './client-moves';
import { type LogClients, readingsOf } from './traffic-log';

export interface ShownClient {
  /** Its address, or the network around it if the report is anonymised. */
  readonly network: string;
  /** Null: it sends none, or an empty one. Absent if the log does not say. */
  readonly userAgent?: string | null;
  readonly requests: number;
  readonly lastSeenMs?: number;
}

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

/** The answer for a client of a log: undecided if the readings of its user agent are answered differently. */
export function answerForClient(explainer: Explainer, { userAgent, ...question }: Question): Answer {
  if (userAgent === undefined) return explainer.answer(question);
  const [answer, ...others] = readingsOf(userAgent).map((reading) =>
    explainer.answer({ ...question, userAgent: reading }),
  );
  if (!answer) throw new Error('a user agent has a reading');
  return others.every(({ decision }) => decision === answer.decision)
    ? answer
    : { decision: 'undecided', because: ABSENT_OR_EMPTY };
}

const ABSENT_OR_EMPTY = trusted('in the log, an absent header looks like an empty one');

const MOST_SHOWN = 20;

/** A loss matters more than a gain. */
export const WORST_FIRST: readonly Move[] = ['refused', 'may-be-refused', 'admitted', 'may-be-admitted'];

const RANKINGS = new WeakMap<LogClients, readonly number[]>();

/** The clients, those with the most requests first: sorted once, as many subjects may be asked about a log. */
function busiestFirst(clients: LogClients): readonly number[] {
  const known = RANKINGS.get(clients);
  if (known) return known;
  const ranking = [...clients.requests.keys()].sort(
    (one, other) =>
      (clients.requests[other] ?? 0) - (clients.requests[one] ?? 0) ||
      compareText(clients.networks[one] ?? '', clients.networks[other] ?? '') ||
      one - other,
  );
  RANKINGS.set(clients, ranking);
  return ranking;
}

/** The clients with the most requests, those that lose access before the others. */
export function largestOf(
  clients: LogClients,
  moveOf: (client: number) => Move | undefined,
  /** How many clients make each move. */
  counts: Readonly<Partial<Record<Move, number>>>,
): number[] {
  const largest: number[] = [];
  for (const move of WORST_FIRST) {
    let left = Math.min(counts[move] ?? 0, MOST_SHOWN - largest.length);
    for (const client of left > 0 ? busiestFirst(clients) : []) {
      if (moveOf(client) !== move) continue;
      largest.push(client);
      left -= 1;
      if (left === 0) break;
    }
  }
  return largest;
}

/** The network of a client; what is not one matches nothing. */
export function networkOf({ network }: Pick<ShownClient, 'network'>): Cidr {
  const cidr = networkIn(network);
  if (!cidr) throw new Error('A client of a log needs a canonical network.');
  return cidr;
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
