import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { plain, visible } from '../text/escape';
import { foreign } from '../text/sentence';
import type { Answer, Client, Decision, Subject } from './question';

/** An answer, and the side that it is about. */
export interface DatedAnswer {
  readonly when: 'now' | 'before' | 'after';
  readonly answer: Answer;
  /** Who added the deciding line, if that was asked. */
  readonly blame?: Blame;
}

export interface SubjectAnswers extends Subject {
  readonly answers: readonly DatedAnswer[];
}

/** The commit that added a line, or why it is unknown. */
export type Blame =
  | { readonly problem: string }
  | {
      /** The path in the repository, as of the last commit. */
      readonly file: string;
      readonly line: number;
      readonly commit: string;
      /** The author's date, in UTC. */
      readonly date: string;
      readonly author: string;
      readonly subject: string;
    };

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
    .flatMap(({ subject, answers }) =>
      answers.map((answer) => `${account.length > 1 ? `${visible(subject)}  ` : ''}${answerInWords(answer)}`),
    )
    .join('');

function answerInWords({ when, answer: { decision, because, origin }, blame }: DatedAnswer): string {
  const place = origin?.source ? ` (${visible(origin.source.file)}:${origin.source.line})` : '';
  const side = when === 'now' ? '' : `${when.padEnd(6)}  `;
  const who = blame ? `        ${blameInWords(blame)}\n` : '';
  return `${side}${WORDS[decision]}: ${plain(because)}${place}\n${who}`;
}

function blameInWords(blame: Blame): string {
  if ('problem' in blame) return `who let this in is not known: ${visible(blame.problem)}`;
  const { file, line, commit, date, author, subject } = blame;
  return `${visible(file)}:${line} is from ${commit} of ${date} by ${visible(author)}: ${plain([foreign(subject)])}`;
}

const blameToJson = (blame: Blame): object =>
  Object.fromEntries(
    Object.entries(blame).map(([key, value]) => [key, typeof value === 'string' ? visible(value) : value]),
  );

export const renderAnswersAsJson = (
  { network, userAgent }: Client,
  account: readonly SubjectAnswers[],
): string =>
  printableJson({
    formatVersion: 1,
    ...(network && { network: network.text }),
    ...(userAgent !== undefined && {
      userAgent: userAgent === null ? null : visible(userAgent, Infinity),
    }),
    subjects: account.map(({ kind, subject, answers }) => ({
      kind,
      subject: visible(subject),
      answers: answers.map(answerToJson),
    })),
  });

const answerToJson = ({
  when,
  answer: { decision, because, origin, parts },
  blame,
}: DatedAnswer): object => ({
  when,
  decision,
  because: plain(because),
  ...(parts && { parts: parts.map(({ text }) => text) }),
  ...(origin && { urn: visible(origin.urn, Infinity), name: visible(origin.name) }),
  ...(origin?.source && { source: { ...origin.source, file: visible(origin.source.file) } }),
  ...(blame && { blame: blameToJson(blame) }),
});
