import { looksAtUserAgents } from '../access/subject-access';
import type { Subject } from '../explain/question';
import { count, foreign, say, type Sentence, trusted } from '../text/sentence';
import { indexOf } from './client-index';
import type { Move } from './client-moves';
import type { IndexedClients, Phase, Replayable } from './replayed-subject';
import { clientAt, hiding, largestOf, networkOf, type ShownClient } from './shown-clients';
import { type LogClients, type LogFile, logFor, type Traffic, type TrafficLog } from './traffic-log';

/** Clients, and the requests that they made. */
export interface Tally {
  readonly clients: number;
  readonly requests: number;
}

/** A client that is concerned, and what decides about it without and with the change. */
export interface MovedClient extends ShownClient {
  readonly move: Move;
  readonly before: Sentence;
  readonly after: Sentence;
}

/** What becomes of the clients at the apply, or at a later moment as rules end. */
export interface ReplayedMoment {
  /** Absent for the apply. */
  readonly atMs?: number;
  /** By what becomes of them. */
  readonly tallies: Readonly<Record<'refused' | 'admitted' | 'undecided' | 'ending', Tally>>;
  readonly largest: readonly MovedClient[];
}

/** What a change means for the clients of one policy, edge or route. */
export interface SubjectTraffic extends Subject {
  /** All clients of its log; absent if it has none. */
  readonly seen?: Tally;
  /** The apply, and each later moment that concerns a client. */
  readonly moments: readonly ReplayedMoment[];
  /** The clients that lose access at any moment, each counted once, and those of which that is not decided. */
  readonly refused: Tally;
  readonly mayBeRefused: Tally;
  /** Whether anybody at all, in a log or not, may lose access. */
  readonly mayLose: boolean;
  /** Why the answer cannot be relied on. */
  readonly problems: readonly Sentence[];
}

const NOBODY: Tally = { clients: 0, requests: 0 };

/** What the change means for the clients of the logs: for each subject that changes or has a log of its own. */
export function replay({ logs, isAnonymised }: Traffic, subjects: readonly Replayable[]): SubjectTraffic[] {
  const known = subjects.flatMap((each) => {
    const log = logFor(each, logs);
    const isConcerned = each.isChanged || log?.subject !== undefined;
    return isConcerned
      ? [
          replayed(each, {
            found: log && { log, index: () => indexOf(log.clients), clients: log.clients },
            isAnonymised,
          }),
        ]
      : [];
  });
  const unknown = logs.flatMap(({ subject, clients }): SubjectTraffic[] =>
    !subject || subjects.some((each) => isSame(each, subject))
      ? []
      : [
          {
            ...{ ...subject, moments: [], refused: NOBODY, mayBeRefused: NOBODY, mayLose: true },
            seen: tallyOf(clients, clients.requests.keys()),
            problems: [trusted('the stack declares nothing for it')],
          },
        ],
  );
  return [...known, ...unknown];
}

const isSame = (one: Subject, other: Subject): boolean =>
  one.kind === other.kind && one.subject === other.subject;

interface FoundLog {
  readonly found: (IndexedClients & { readonly log: TrafficLog }) | undefined;
  readonly isAnonymised: boolean;
}

function replayed(subject: Replayable, { found, isAnonymised }: FoundLog): SubjectTraffic {
  const { kind, subject: id, mayLose } = subject;
  const of = { kind, subject: id, mayLose };
  if (!found)
    return {
      ...of,
      moments: [],
      refused: NOBODY,
      mayBeRefused: NOBODY,
      problems: [trusted('there is no log of its clients')],
    };
  const { clients, log } = found;
  const phases = subject.phasesOf(found);
  const lost = new Map<number, 'refused' | 'may-be-refused'>();
  for (const { moves } of phases)
    for (const [client, move] of moves)
      if (move === 'refused' || (move === 'may-be-refused' && !lost.has(client))) lost.set(client, move);
  return {
    ...of,
    seen: tallyOf(clients, clients.requests.keys()),
    moments: phases
      .filter(({ atMs, moves }) => atMs === undefined || moves.size > 0)
      .map((phase) => momentOf(phase, clients, isAnonymised)),
    refused: tallyOf(clients, having(lost, ['refused'])),
    mayBeRefused: tallyOf(clients, having(lost, ['may-be-refused'])),
    problems: problemsOf(log, kind),
  };
}

function momentOf(
  { atMs, moves, reasonsOf }: Phase,
  clients: LogClients,
  isAnonymised: boolean,
): ReplayedMoment {
  const tally = (...among: Move[]) => tallyOf(clients, having(moves, among));
  return {
    ...(atMs !== undefined && { atMs }),
    tallies: {
      refused: tally('refused'),
      admitted: tally('admitted'),
      undecided: tally('may-be-refused', 'may-be-admitted'),
      ending: tally('ending'),
    },
    largest: largestOf(clients, moves).map(([at, move]) => {
      const client = clientAt(clients, at);
      const network = networkOf(client);
      const { shown, withoutAddress } = hiding(network, isAnonymised);
      const { before, after } = reasonsOf({ ...client, network });
      return {
        ...client,
        network: shown,
        move,
        before: withoutAddress(before),
        after: withoutAddress(after),
      };
    }),
  };
}

const having = <M extends Move>(moves: ReadonlyMap<number, M>, among: readonly M[]): number[] =>
  [...moves].flatMap(([client, move]) => (among.includes(move) ? [client] : []));

/** Counts clients and their requests. */
export function tallyOf({ requests }: LogClients, among: Iterable<number>): Tally {
  const tally = { clients: 0, requests: 0 };
  for (const client of among) {
    tally.clients += 1;
    tally.requests += requests[client] ?? 0;
  }
  return tally;
}

/** With more unreadable lines than this share of a file, too much is unknown. */
const MOST_UNREADABLE = 0.05;

/** Whether too many lines of a file could not be read. */
const isUnreadable = ({ lines, unreadable }: LogFile): boolean => unreadable > lines * MOST_UNREADABLE;

const NOTHING = trusted('');
const AMBIGUOUS = trusted(
  '; some name two addresses that could be the client: --traffic-fields address=2 takes the second column',
);

/** Why a log does not decide about a subject of a kind. */
export function problemsOf(
  { files, clients, requestsBeyond }: TrafficLog,
  kind: Subject['kind'],
): Sentence[] {
  const isOfAgents = looksAtUserAgents(kind) && clients.agents.length === 0;
  return [
    ...files.filter(isUnreadable).map(({ name, lines, unreadable, ambiguous = 0 }) => {
      const share = say`${unreadable} of ${count(lines, 'line')}`;
      return say`${share} of ${foreign(name)} cannot be read, more than 5 percent${ambiguous === 0 ? NOTHING : AMBIGUOUS}`;
    }),
    ...files.flatMap(({ name, unreadFrom }) =>
      unreadFrom === undefined
        ? []
        : [say`${foreign(name)} is read up to byte ${unreadFrom} only: what follows is in another form`],
    ),
    ...(requestsBeyond === 0
      ? []
      : [
          say`${count(requestsBeyond, 'request')} came from clients beyond the first ${clients.requests.length}`,
        ]),
    ...(clients.requests.length === 0 ? [trusted('the log names no client')] : []),
    ...(isOfAgents && clients.requests.length > 0 ? [trusted('the log names no user agent')] : []),
  ];
}
