import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { looksAtUserAgents } from '../access/subject-access';
import type { Explainer } from '../explain/explainer';
import type { Subject } from '../explain/question';
import { type DatedAnswer, type SubjectAnswers, titleOf } from '../explain/render-answers';
import { plain, visible } from '../text/escape';
import { count, momentInWords, say, type Sentence } from '../text/sentence';
import { clientsWithin, type Move } from './client-moves';
import { problemsOf, type Tally } from './replay';
import { answerForClient, clientAt, largestOf, networkOf, type ShownClient } from './shown-clients';
import { type LogClients, logFor, type TrafficLog, unreadFiles } from './traffic-log';

type ClientDecision = 'let-in' | 'kept-out' | 'undecided';

/** Which clients of a log get in by a policy, edge or route, on one side. */
export interface ExplainedClients extends Subject {
  readonly when: DatedAnswer['when'];
  readonly tallies: Readonly<Record<ClientDecision, Tally>>;
  readonly largest: readonly (ShownClient & { readonly because: Sentence })[];
  readonly problems: readonly Sentence[];
  readonly unread: readonly Sentence[];
}

export type NamedClients = ExplainedClients & Pick<SubjectAnswers, 'names'>;

export const isAllDecided = ({ tallies, problems }: ExplainedClients): boolean =>
  problems.length === 0 && tallies.undecided.clients === 0;

export function explainClients(
  { when, explainer }: { readonly when: DatedAnswer['when']; readonly explainer: Explainer },
  { kind, subject }: Subject,
  logs: readonly TrafficLog[],
): ExplainedClients | undefined {
  const log = logFor({ kind, subject }, logs);
  if (!log) return undefined;
  const { clients } = log;
  const outcomes = outcomesOf(clients, explainer, { kind, subject });
  const tallies = talliesOf(clients, outcomes);
  return {
    ...{ kind, subject, when, tallies },
    largest: largestOf(clients, (at) => MOVES[outcomes[at] ?? 'undecided'], {
      refused: tallies['kept-out'].clients,
      'may-be-refused': tallies.undecided.clients,
    }).map((at) => {
      const client = clientAt(clients, at);
      const network = networkOf(client);
      const { because } = answerForClient(explainer, { kind, subject, ...client, network });
      return { ...client, because };
    }),
    problems: problemsOf(log, kind),
    unread: unreadFiles(log),
  };
}

const MOVES: Readonly<Record<ClientDecision, Move | undefined>> = {
  'let-in': undefined,
  'kept-out': 'refused',
  undecided: 'may-be-refused',
};

/** What becomes of each client: found by the ranges of addresses, as asking for each would take minutes for many subjects. */
function outcomesOf(clients: LogClients, explainer: Explainer, { kind, subject }: Subject): ClientDecision[] {
  if (looksAtUserAgents(kind)) {
    const byAgent = clients.agents.map((userAgent): ClientDecision => {
      const { decision } = answerForClient(explainer, { kind, subject, userAgent });
      return decision === 'let-in' || decision === 'kept-out' ? decision : 'undecided';
    });
    return clients.agentOf.map((agent) => byAgent[agent] ?? 'undecided');
  }
  const bounds = explainer.bounds({ kind, subject });
  const outcomes = new Array<ClientDecision>(clients.networks.length).fill(bounds ? 'kept-out' : 'undecided');
  if (!bounds) return outcomes;
  for (const client of clientsWithin(clients, bounds.possibly)) outcomes[client] = 'undecided';
  for (const client of clientsWithin(clients, bounds.surely)) outcomes[client] = 'let-in';
  return outcomes;
}

function talliesOf(
  { requests }: LogClients,
  outcomes: readonly ClientDecision[],
): ExplainedClients['tallies'] {
  const none = () => ({ clients: 0, requests: 0 });
  const tallies = { 'let-in': none(), 'kept-out': none(), undecided: none() };
  outcomes.forEach((outcome, client) => {
    tallies[outcome].clients += 1;
    tallies[outcome].requests += requests[client] ?? 0;
  });
  return tallies;
}

export const renderClients = (explained: readonly NamedClients[]): string =>
  explained.map(clientsInWords).join('');

function clientsInWords(explained: NamedClients): string {
  const { subject, names, when, tallies, largest, problems, unread } = explained;
  const amount = ({ clients, requests }: Tally) =>
    say`${count(clients, 'client')} (${count(requests, 'request')})`;
  const summary = say`${amount(tallies['let-in'])} let in, ${amount(tallies['kept-out'])} kept out, ${amount(tallies.undecided)} not decided`;
  const rows = largest.map(({ network, userAgent, requests, lastSeenMs, because }) => {
    const agent = typeof userAgent === 'string' ? `  ${visible(userAgent)}` : '';
    const seen = lastSeenMs === undefined ? '' : `, last seen ${momentInWords(lastSeenMs)}`;
    return `  ${network}${agent}  ${plain(count(requests, 'request'))}${seen}: ${plain(because)}\n`;
  });
  return [
    `${titleOf(subject, names)}  ${when === 'now' ? '' : `${when}  `}${plain(summary)}\n`,
    ...problems.map((problem) => `  ${plain(say`not decided: ${problem}`)}\n`),
    ...unread.map((file) => `  ${plain(file)}\n`),
    ...rows,
  ].join('');
}

export const renderClientsAsJson = (explained: readonly NamedClients[]): string =>
  printableJson({
    formatVersion: 1,
    traffic: explained.map(({ kind, subject, names, when, tallies, largest, problems, unread }) => ({
      ...{ kind, subject: visible(subject), names: names.map((name) => visible(name)), when },
      clients: tallies,
      notDecided: problems.map(plain),
      unread: unread.map(plain),
      largest: largest.map(({ userAgent, lastSeenMs, because, ...client }) => ({
        ...client,
        ...(userAgent !== undefined && { userAgent: userAgent === null ? null : visible(userAgent) }),
        ...(lastSeenMs !== undefined && { lastSeen: momentInWords(lastSeenMs) }),
        because: plain(because),
      })),
    })),
  });
