// What for: the clients of access logs, and which of them a change lets in or refuses.
// Must not know: `guards`, `report`, and how logs are written: the caller reads and counts them.
import { looksAtUserAgents } from '../access/subject-access';
import type { Subject } from '../explain/question';
import { count, foreign, say, type Sentence, trusted } from '../text/sentence';
import { type CorpusEntry, groupOf } from '../user-agents/corpus';

/** In columns, as there may be hundreds of thousands: each address with each user agent once. */
export interface LogClients {
  /** The canonical network of one address, for each client. */
  readonly networks: readonly string[];
  /** The user agents of the log, each once; null is one without the header, or with an empty one. */
  readonly agents: readonly (string | null)[];
  /** The place in `agents`, for each client; -1 if the log does not say. */
  readonly agentOf: readonly number[];
  readonly requests: readonly number[];
  /** In milliseconds since the epoch, for each client; -1 if the log does not say. */
  readonly firstSeenMs: readonly number[];
  readonly lastSeenMs: readonly number[];
}

export interface LogFile {
  readonly name: string;
  /** Lines that stand for requests, readable or not. */
  readonly lines: number;
  readonly unreadable: number;
  /** The number of the first line that could not be read. */
  readonly firstUnreadable?: number;
  /** The byte from which on it could not be read, if that is not its end. */
  readonly unreadFrom?: number;
  /** How many of the unreadable lines name several addresses, each of which could be the client. */
  readonly ambiguous?: number;
}

/** What was read for one policy, edge or route; or, without a subject, for all those that change. */
export interface TrafficLog {
  readonly subject?: Subject;
  readonly files: readonly LogFile[];
  readonly clients: LogClients;
  /** The requests of clients beyond the most that are kept apart: nothing is known of these. */
  readonly requestsBeyond: number;
}

export function fileInWords({ name, lines, unreadable, firstUnreadable }: LogFile): Sentence {
  const rest =
    firstUnreadable === undefined
      ? trusted('')
      : say`; ${count(unreadable, 'line')} cannot be read, the first is line ${firstUnreadable}`;
  return say`${foreign(name)}: ${count(lines, 'line')}${rest}`;
}

export const unreadFiles = ({ files }: TrafficLog): Sentence[] =>
  files.filter(({ unreadable }) => unreadable > 0).map(fileInWords);

export const logFor = ({ kind, subject }: Subject, logs: readonly TrafficLog[]): TrafficLog | undefined =>
  logs.find(({ subject: of }) => of?.kind === kind && of.subject === subject) ??
  logs.find(({ subject: of }) => !of);

export interface Traffic {
  readonly logs: readonly TrafficLog[];
  /** Whether the report shows networks (/24, /48) instead of addresses. */
  readonly isAnonymised: boolean;
}

export const NO_TRAFFIC: Traffic = { logs: [], isAnonymised: false };

/** So many user agents of a log are tried on both sides of a filter; every one of them is judged in the replay. */
const MOST_WITNESSES = 200;

/** The most frequent user agents of the logs that concern routes: with them, a review needs no made-up clients. */
export function witnessesIn(logs: readonly TrafficLog[]): CorpusEntry[] {
  const requests = new Map<string | null, number>();
  for (const { subject, clients } of logs) {
    if (subject && !looksAtUserAgents(subject.kind)) continue;
    clients.agentOf.forEach((agent, client) => {
      const userAgent = clients.agents[agent];
      if (userAgent === undefined) return;
      requests.set(userAgent, (requests.get(userAgent) ?? 0) + (clients.requests[client] ?? 0));
    });
  }
  return [...requests]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_WITNESSES)
    .map(([userAgent]) => ({ label: userAgent ?? 'no header', group: groupOf(userAgent), userAgent }));
}

/** What a user agent of a log may have been: servers write an absent header and an empty one alike. */
export const readingsOf = (userAgent: string | null): readonly (string | null)[] =>
  userAgent === null ? [null, ''] : [userAgent];
