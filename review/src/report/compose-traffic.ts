import type { MovedClient, ReplayedMoment, SubjectTraffic, Tally } from '../traffic/replay';
import { count, foreign, list, momentInWords, say, type Sentence, trusted } from '../text/sentence';
import { removalInWords } from '../traffic/rule-use';
import { fileInWords } from '../traffic/traffic-log';
import type { Block, Limits, ListItem } from './blocks';
import { table } from './compose-sections';
import type { Report } from './report';

/** What the change means for the clients of the logs: a sentence for each subject and moment, and the largest clients. */
export function trafficBlocks({ traffic }: Report, limits: Limits): Block[] {
  if (!traffic) return [];
  const { subjects, removed, files } = traffic;
  const told = subjects.filter(({ seen }) => seen);
  return [
    ...told.flatMap((subject) => subjectBlocks(subject, limits)),
    ...(told.length + removed.length === 0
      ? [paragraph(trusted('The change affects nothing that the logs cover.'))]
      : []),
    ...listed(removed.slice(0, limits.rows).map((rule) => ({ text: removalInWords(rule) }))),
    ...(removed.length > limits.rows
      ? [paragraph(say`${count(removed.length - limits.rows, 'more rule')} of these left out for length.`)]
      : []),
    ...listed(files.map((file) => ({ text: say`${fileInWords(file)}.` }))),
  ];
}

const listed = (items: readonly ListItem[]): Block[] => (items.length === 0 ? [] : [{ kind: 'list', items }]);

const paragraph = (text: Sentence): Block => ({ kind: 'paragraph', text });

const HEAD = ['Client', 'User agent', 'Requests', 'Last seen', 'Becomes', 'Without the change', 'With it'];

function subjectBlocks({ subject, moments, problems, ...of }: SubjectTraffic, limits: Limits): Block[] {
  const { clients, requests } = of.seen ?? { clients: 0, requests: 0 };
  const all = say`${foreign(subject)}, ${count(clients, 'client')} with ${count(requests, 'request')}`;
  return [
    ...(problems.length === 0
      ? []
      : [paragraph(say`${foreign(subject)} is not decided: ${list(problems, problems.length)}.`)]),
    ...moments.flatMap((moment) => [
      paragraph(say`${all}: ${momentSentence(moment)}.`),
      ...table(HEAD, moment.largest, { limits, write: clientRow }),
    ]),
  ];
}

function momentSentence({
  atMs,
  tallies: { refused, admitted, undecided, ending },
}: ReplayedMoment): Sentence {
  const parts = [
    ...told(
      refused,
      atMs === undefined ? 'would be refused that were let in' : 'would lose access by this change',
    ),
    ...told(
      admitted,
      atMs === undefined ? 'would be let in that were refused' : 'would gain access by this change',
    ),
    ...told(undecided, 'may change sides'),
    ...told(ending, 'would lose access as a rule ends'),
  ];
  const what = parts.length === 0 ? trusted('nothing changes for them') : list(parts, parts.length);
  return atMs === undefined ? what : say`on ${trusted(momentInWords(atMs))}, ${what}`;
}

const told = ({ clients, requests }: Tally, what: string): Sentence[] =>
  clients === 0 ? [] : [say`${count(clients, 'client')} (${count(requests, 'request')}) ${trusted(what)}`];

const MOVES: Readonly<Record<MovedClient['move'], string>> = {
  refused: 'refused',
  admitted: 'let in',
  'may-be-refused': 'not decided',
  'may-be-admitted': 'not decided',
  ending: 'refused, as a rule ends',
};

const clientRow = (client: MovedClient): Sentence[] => [
  say`${foreign(client.network)}`,
  agentInWords(client.userAgent),
  say`${client.requests}`,
  trusted(client.lastSeenMs === undefined ? '' : momentInWords(client.lastSeenMs)),
  trusted(MOVES[client.move]),
  client.before,
  client.after,
];

function agentInWords(userAgent: string | null | undefined): Sentence {
  if (userAgent === undefined) return trusted('not in the log');
  return userAgent === null ? trusted('none') : say`${foreign(userAgent)}`;
}
