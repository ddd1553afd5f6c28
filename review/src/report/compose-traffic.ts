import type { MovedClient, SubjectTraffic, Tally } from '../traffic/replay';
import { count, foreign, list, momentInWords, say, type Sentence, trusted } from '../text/sentence';
import { removalInWords } from '../traffic/rule-use';
import { fileInWords } from '../traffic/traffic-log';
import { type Block, type Limits, linesOf, paragraph } from './blocks';
import { table } from './compose-sections';
import type { Report } from './report';

/** What the change means for the clients of the logs: a sentence for each subject, and the largest clients. */
export function trafficBlocks({ traffic }: Report, limits: Limits): Block[] {
  if (!traffic) return [];
  const { subjects, removed, files } = traffic;
  const logged = subjects.filter(({ seen }) => seen);
  return [
    ...logged.flatMap((subject) => subjectBlocks(subject, limits)),
    ...(logged.length + removed.length === 0
      ? [paragraph(trusted('The change affects nothing that the logs cover.'))]
      : []),
    ...linesOf(removed.slice(0, limits.rows).map(removalInWords)),
    ...(removed.length > limits.rows
      ? [paragraph(say`${count(removed.length - limits.rows, 'more rule')} of these left out for length.`)]
      : []),
    ...linesOf(files.map((file) => say`${fileInWords(file)}.`)),
  ];
}

const HEAD = ['Client', 'User agent', 'Requests', 'Last seen', 'Becomes', 'Without the change', 'With it'];

function subjectBlocks({ subject, problems, largest, ...of }: SubjectTraffic, limits: Limits): Block[] {
  const { clients, requests } = of.seen ?? { clients: 0, requests: 0 };
  const all = say`${foreign(subject)}, ${count(clients, 'client')} with ${count(requests, 'request')}`;
  return [
    ...(problems.length === 0
      ? []
      : [paragraph(say`${foreign(subject)} is not decided: ${list(problems, problems.length)}.`)]),
    paragraph(say`${all}: ${talliesInWords(of.tallies)}.`),
    ...of.later.map(({ fromMs, ...tally }) =>
      paragraph(
        say`${foreign(subject)}, only on ${trusted(momentInWords(fromMs))}: ${tallyInWords(tally, 'would lose access').flat()}.`,
      ),
    ),
    ...table(HEAD, largest, { limits, write: clientRow }),
  ];
}

function talliesInWords(tallies: SubjectTraffic['tallies']): Sentence {
  const parts = [
    ...tallyInWords(tallies.refused, 'would be refused that were let in'),
    ...tallyInWords(tallies.admitted, 'would be let in that were refused'),
    ...tallyInWords(tallies['may-be-refused'], 'may be refused'),
    ...tallyInWords(tallies['may-be-admitted'], 'may be let in'),
  ];
  return parts.length === 0 ? trusted('nothing changes for them') : list(parts, parts.length);
}

const tallyInWords = ({ clients, requests }: Tally, what: string): Sentence[] =>
  clients === 0 ? [] : [say`${count(clients, 'client')} (${count(requests, 'request')}) ${trusted(what)}`];

const MOVES: Readonly<Record<MovedClient['move'], string>> = {
  refused: 'refused',
  admitted: 'let in',
  'may-be-refused': 'not decided',
  'may-be-admitted': 'not decided',
};

const clientRow = (client: MovedClient): Sentence[] => [
  say`${foreign(client.network)}`,
  agentInWords(client.userAgent),
  say`${client.requests}`,
  trusted(client.lastSeenMs === undefined ? '' : momentInWords(client.lastSeenMs)),
  trusted(
    client.fromMs === undefined
      ? MOVES[client.move]
      : `${MOVES[client.move]}, from ${momentInWords(client.fromMs)} on`,
  ),
  client.before,
  client.after,
];

function agentInWords(userAgent: string | null | undefined): Sentence {
  if (userAgent === undefined) return trusted('not in the log');
  return userAgent === null ? trusted('none') : say`${foreign(userAgent)}`;
}
