import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { plain, visible } from '../text/escape';
import { foreign, list } from '../text/sentence';
import type { Answer, Client, Decision, Subject } from './question';

export interface DatedAnswer {
  readonly when: 'now' | 'before' | 'after';
  readonly answer: Answer;
}

export interface SubjectAnswers extends Subject {
  readonly names: readonly string[];
  readonly answers: readonly DatedAnswer[];
}

const WORDS: Readonly<Record<Decision, string>> = {
  'let-in': 'let in',
  'kept-out': 'kept out',
  partly: 'partly let in',
  undecided: 'not decided',
  'not-there': 'not decided',
};

/** The answers for a terminal: the decision first, then what makes it, and its location. Of several subjects, each is named. */
export const renderAnswers = (account: readonly SubjectAnswers[]): string =>
  account
    .flatMap(({ subject, names, answers }) =>
      answers.map(
        (answer) => `${account.length > 1 ? `${titleOf(subject, names)}  ` : ''}${answerInWords(answer)}`,
      ),
    )
    .join('');

/** How people know a policy, an edge or a route: the names of its resources, then its identifier. */
export const titleOf = (subject: string, names: readonly string[]): string =>
  `${names.length === 0 ? '' : `${plain(list(names.map(foreign)))} `}${visible(subject)}`;

function answerInWords({ when, answer: { decision, because, origin } }: DatedAnswer): string {
  const place = origin?.source ? ` (${visible(origin.source.file)}:${origin.source.line})` : '';
  const side = when === 'now' ? '' : `${when.padEnd(6)}  `;
  return `${side}${WORDS[decision]}: ${plain(because)}${place}\n`;
}

export const renderAnswersAsJson = (
  { network, userAgent }: Client,
  account: readonly SubjectAnswers[],
  recordedAt?: string,
): string =>
  printableJson({
    formatVersion: 1,
    ...(recordedAt !== undefined && { recordedAt }),
    ...(network && { network: network.text }),
    ...(userAgent !== undefined && {
      userAgent: userAgent === null ? null : visible(userAgent, Infinity),
    }),
    subjects: account.map(({ kind, subject, names, answers }) => ({
      kind,
      subject: visible(subject),
      names: names.map((name) => visible(name)),
      answers: answers.map(answerToJson),
    })),
  });

const answerToJson = ({ when, answer: { decision, because, origin, parts } }: DatedAnswer) => ({
  when,
  decision,
  because: plain(because),
  ...(parts && { parts: parts.map(({ text }) => text) }),
  ...(origin && { urn: visible(origin.urn, Infinity), name: visible(origin.name) }),
  ...(origin?.source && { source: { ...origin.source, file: visible(origin.source.file) } }),
});
