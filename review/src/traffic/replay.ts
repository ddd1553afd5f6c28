import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { cidrSetOf, emptyCidrSet } from '../access/cidr-set';
import { looksAtUserAgents } from '../access/subject-access';
import type { Subject } from '../explain/question';
import type { Extent } from '../findings/severity';
import { count, foreign, say, type Sentence, trusted } from '../text/sentence';
import type { Move } from './client-moves';
import type { Phase, Replayable } from './replayed-subject';
import { clientAt, hiding, largestOf, networkOf, type ShownClient, WORST_FIRST } from './shown-clients';
import { type LogClients, logFor, type Traffic, type TrafficLog } from './traffic-log';

export interface Tally {
  readonly clients: number;
  readonly requests: number;
}

export interface MovedClient extends ShownClient {
  readonly move: Move;
  /** The end of a rule from which on it moves; absent if it does at the apply. */
  readonly fromMs?: number;
  readonly before: Sentence;
  readonly after: Sentence;
}

export interface SubjectTraffic extends Subject {
  readonly seen?: Tally;
  /** By what becomes of them at the apply, or later as rules end. Each client counts once: a loss before a gain. */
  readonly tallies: Readonly<Record<Move, Tally>>;
  /** Those that lose access only later, by the ends of rules at which they do. */
  readonly later: readonly (Tally & { readonly fromMs: number })[];
  readonly largest: readonly MovedClient[];
  /** All that lose access, now or later: networks or, of a route, user agents. */
  readonly losers: Extent;
  /** Whether anybody at all, in a log or not, may lose access. */
  readonly mayLose: boolean;
  readonly problems: readonly Sentence[];
}

const byMove = <T>(of: (move: Move) => T) =>
  Object.fromEntries(WORST_FIRST.map((move) => [move, of(move)])) as Readonly<Record<Move, T>>;

const NONE: Tally = { clients: 0, requests: 0 };
const NOBODY = {
  tallies: byMove(() => NONE),
  later: [],
  largest: [],
  losers: { networks: emptyCidrSet },
};

export function replay({ logs, isAnonymised }: Traffic, subjects: readonly Replayable[]): SubjectTraffic[] {
  const known = subjects.flatMap((each) => {
    const log = logFor(each, logs);
    return each.isChanged || log?.subject ? [replayed(each, log, isAnonymised)] : [];
  });
  const unknown = logs.flatMap(({ subject, clients }): SubjectTraffic[] =>
    !subject || subjects.some((each) => each.kind === subject.kind && each.subject === subject.subject)
      ? []
      : [
          {
            ...{ ...subject, ...NOBODY, mayLose: true },
            seen: tallyOf(clients, clients.requests.keys()),
            problems: [trusted('the stack declares nothing for it')],
          },
        ],
  );
  return [...known, ...unknown];
}

function replayed(
  { kind, subject, mayLose, phasesOf }: Replayable,
  log: TrafficLog | undefined,
  isAnonymised: boolean,
): SubjectTraffic {
  const of = { kind, subject, mayLose };
  if (!log) return { ...of, ...NOBODY, problems: [trusted('there is no log of its clients')] };
  const { clients } = log;
  const moved = worstMoves(phasesOf(clients));
  const tallies = talliesOf(clients, moved);
  const late = [...moved].flatMap(([client, { move, phase }]) =>
    move === 'refused' && phase.atMs !== undefined ? [{ client, fromMs: phase.atMs }] : [],
  );
  return {
    ...of,
    seen: tallyOf(clients, clients.requests.keys()),
    tallies,
    later: [...grouped(late, ({ fromMs }) => fromMs)]
      .sort(([one], [other]) => one - other)
      .map(([fromMs, those]) => ({
        fromMs,
        ...tallyOf(
          clients,
          those.map(({ client }) => client),
        ),
      })),
    largest: largestOf(
      clients,
      (at) => moved.get(at)?.move,
      byMove((move) => tallies[move].clients),
    ).flatMap((at) => {
      const worst = moved.get(at);
      if (!worst) return [];
      const { move, phase } = worst;
      const client = clientAt(clients, at);
      const network = networkOf(client);
      const { shown, withoutAddress } = hiding(network, isAnonymised);
      const { before, after } = phase.reasonsOf({ ...client, network });
      return {
        ...{ ...client, network: shown, move },
        ...(phase.atMs !== undefined && { fromMs: phase.atMs }),
        ...{ before: withoutAddress(before), after: withoutAddress(after) },
      };
    }),
    losers: losersOf(clients, { moved, kind }),
    problems: problemsOf(log, kind),
  };
}

function losersOf(
  clients: LogClients,
  { moved, kind }: { readonly moved: ReadonlyMap<number, Moved>; readonly kind: Subject['kind'] },
): Extent {
  const lost = [...moved].flatMap(([at, { move }]) => (move === 'refused' ? [clientAt(clients, at)] : []));
  return looksAtUserAgents(kind)
    ? { clients: [...new Set(lost.map(({ userAgent }) => userAgent ?? ''))] }
    : { networks: cidrSetOf(lost.map(networkOf)) };
}

interface Moved {
  readonly move: Move;
  readonly phase: Phase;
}

/** The worst that becomes of each client, and when it first does. */
function worstMoves(phases: readonly Phase[]): ReadonlyMap<number, Moved> {
  const worst = new Map<number, Moved>();
  for (const phase of phases)
    for (const [client, move] of phase.moves) {
      const known = worst.get(client);
      if (!known || WORST_FIRST.indexOf(move) < WORST_FIRST.indexOf(known.move))
        worst.set(client, { move, phase });
    }
  return worst;
}

const talliesOf = (clients: LogClients, moved: ReadonlyMap<number, Moved>): SubjectTraffic['tallies'] =>
  byMove((among) =>
    tallyOf(
      clients,
      [...moved].flatMap(([client, { move }]) => (move === among ? [client] : [])),
    ),
  );

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

const AMBIGUOUS = trusted(
  '; some name two addresses that could be the client: --traffic-fields address=2 takes the second column',
);

export function problemsOf(
  { files, clients, requestsBeyond }: TrafficLog,
  kind: Subject['kind'],
): Sentence[] {
  const { length } = clients.requests;
  return [
    ...files
      .filter(({ lines, unreadable }) => unreadable > lines * MOST_UNREADABLE)
      .map(({ name, lines, unreadable, ambiguous = 0 }) => {
        const share = say`${unreadable} of ${count(lines, 'line')}`;
        return say`${share} of ${foreign(name)} cannot be read, more than 5 percent${ambiguous === 0 ? [] : AMBIGUOUS}`;
      }),
    ...files.map(
      ({ name, unreadFrom }) =>
        unreadFrom !== undefined &&
        say`${foreign(name)} is read up to byte ${unreadFrom} only: what follows is in another form`,
    ),
    requestsBeyond > 0 &&
      say`${count(requestsBeyond, 'request')} came from clients beyond the first ${length}`,
    length === 0 && trusted('the log names no client'),
    length > 0 &&
      looksAtUserAgents(kind) &&
      clients.agents.length === 0 &&
      trusted('the log names no user agent'),
  ].filter((problem) => problem !== false);
}
