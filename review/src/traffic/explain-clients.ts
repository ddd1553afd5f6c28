import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { looksAtUserAgents } from '../access/subject-access';
import { decisionOf, type Explainer } from '../explain/explainer';
import type { Subject } from '../explain/question';
import type { DatedAnswer } from '../explain/render-answers';
import { plain, visible } from '../text/escape';
import { count, momentInWords, say, type Sentence } from '../text/sentence';
import type { Move } from './client-moves';
import { problemsOf, type Tally, tallyOf } from './replay';
import { answerForClient, clientAt, largestOf, networkOf, type ShownClient } from './shown-clients';
import { logFor, type TrafficLog, unreadFiles } from './traffic-log';

type Outcome = 'let-in' | 'kept-out' | 'undecided';

/** Which clients of a log get in by a policy, edge or route, on one side. */
export interface ExplainedClients extends Subject {
  readonly when: DatedAnswer['when'];
  readonly tallies: Readonly<Record<Outcome, Tally>>;
  /** Those with the most requests that are kept out or not decided, and why. */
  readonly largest: readonly (ShownClient & { readonly because: Sentence })[];
  /** Why the answer cannot be relied on. */
  readonly problems: readonly Sentence[];
  readonly unread: readonly Sentence[];
}

export const isAllDecided = ({ tallies, problems }: ExplainedClients): boolean =>
  problems.length === 0 && tallies.undecided.clients === 0;

/** Judges the clients of a log, each address and each user agent once; undefined if the subject has no log. */
export function explainClients(
  { when, explainer }: { readonly when: DatedAnswer['when']; readonly explainer: Explainer },
  { kind, subject }: Subject,
  logs: readonly TrafficLog[],
): ExplainedClients | undefined {
  const log = logFor({ kind, subject }, logs);
  if (!log) return undefined;
  const { clients } = log;
  const decide = explainer.decider({ kind, subject });
  const byAgent = looksAtUserAgents(kind)
    ? clients.agents.map((userAgent) => decisionOf(answerForClient(explainer, { kind, subject, userAgent })))
    : [];
  const outcomeOf = (at: number) =>
    looksAtUserAgents(kind)
      ? byAgent[clients.agentOf[at] ?? -1]
      : decide({ network: networkOf(clientAt(clients, at)) });
  const byOutcome = grouped([...clients.networks.keys()], (at): Outcome => {
    const isIn = outcomeOf(at);
    return isIn === undefined ? 'undecided' : isIn ? 'let-in' : 'kept-out';
  });
  const having = (outcome: Outcome) => byOutcome.get(outcome) ?? [];
  const out = new Map<number, { readonly move: Move }>([
    ...having('kept-out').map((at) => [at, { move: 'refused' }] as const),
    ...having('undecided').map((at) => [at, { move: 'may-be-refused' }] as const),
  ]);
  return {
    ...{ kind, subject, when },
    tallies: {
      'let-in': tallyOf(clients, having('let-in')),
      'kept-out': tallyOf(clients, having('kept-out')),
      undecided: tallyOf(clients, having('undecided')),
    },
    largest: largestOf(clients, out).map(([at]) => {
      const client = clientAt(clients, at);
      const network = networkOf(client);
      const { because } = answerForClient(explainer, { kind, subject, ...client, network });
      return { ...client, because };
    }),
    problems: problemsOf(log, kind),
    unread: unreadFiles(log),
  };
}

/** The answers for a terminal: how many clients get in, then those that do not. */
export const renderClients = (explained: readonly ExplainedClients[]): string =>
  explained.map(clientsInWords).join('');

function clientsInWords({ subject, when, tallies, largest, problems, unread }: ExplainedClients): string {
  const amount = ({ clients, requests }: Tally) =>
    say`${count(clients, 'client')} (${count(requests, 'request')})`;
  const summary = say`${amount(tallies['let-in'])} let in, ${amount(tallies['kept-out'])} kept out, ${amount(tallies.undecided)} not decided`;
  const rows = largest.map(({ network, userAgent, requests, lastSeenMs, because }) => {
    const agent = typeof userAgent === 'string' ? `  ${visible(userAgent)}` : '';
    const seen = lastSeenMs === undefined ? '' : `, last seen ${momentInWords(lastSeenMs)}`;
    return `  ${network}${agent}  ${plain(count(requests, 'request'))}${seen}: ${plain(because)}\n`;
  });
  return [
    `${visible(subject)}  ${when === 'now' ? '' : `${when}  `}${plain(summary)}\n`,
    ...problems.map((problem) => `  ${plain(say`not decided: ${problem}`)}\n`),
    ...unread.map((file) => `  ${plain(file)}\n`),
    ...rows,
  ].join('');
}

/** The answers as JSON, for scripts. */
export const renderClientsAsJson = (explained: readonly ExplainedClients[]): string =>
  printableJson({
    formatVersion: 1,
    traffic: explained.map(({ kind, subject, when, tallies, largest, problems, unread }) => ({
      ...{ kind, subject: visible(subject), when },
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
