import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { plain, visible } from '../text/escape';
import { foreign } from '../text/sentence';
import type { Answer, Decision, Question } from './explain-connection';

/** An answer, and the side that it is about. */
export interface DatedAnswer {
  readonly when: 'now' | 'before' | 'after';
  readonly answer: Answer;
  /** Who added the deciding line, if that was asked. */
  readonly blame?: Blame;
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
      /** The line is at least as old as the history of a shallow clone. */
      readonly isOldestKnown?: true;
    };

const WORDS: Readonly<Record<Decision, string>> = {
  'let-in': 'let in',
  'kept-out': 'kept out',
  partly: 'partly let in',
  undecided: 'not decided',
  'not-there': 'not decided',
};

/** The answers for a terminal: the decision first, then what makes it, and its location. */
export const renderAnswers = (answers: readonly DatedAnswer[]): string =>
  answers
    .map(({ when, answer: { decision, because, origin }, blame }) => {
      const place = origin?.source ? ` (${visible(origin.source.file)}:${origin.source.line})` : '';
      const side = when === 'now' ? '' : `${when.padEnd(6)}  `;
      const who = blame ? `        ${blameInWords(blame)}\n` : '';
      return `${side}${WORDS[decision]}: ${plain(because)}${place}\n${who}`;
    })
    .join('');

function blameInWords(blame: Blame): string {
  if ('problem' in blame) return `who let this in is not known: ${visible(blame.problem)}`;
  const { file, line, commit, date, author, subject } = blame;
  const who = `${commit} of ${date} by ${visible(author)}: ${plain([foreign(subject)])}`;
  const place = `${visible(file)}:${line}`;
  return blame.isOldestKnown
    ? `${place} is from ${who}, or is older: this clone is shallow, and "git fetch --unshallow" fetches the rest of the history`
    : `${place} is from ${who}`;
}

const blameToJson = (blame: Blame): object =>
  Object.fromEntries(
    Object.entries(blame).map(([key, value]) => [key, typeof value === 'string' ? visible(value) : value]),
  );

/** The answers as JSON, for scripts. */
export function renderAnswersAsJson(question: Question, answers: readonly DatedAnswer[]): string {
  const asked =
    question.kind === 'route'
      ? { userAgent: question.userAgent === null ? null : visible(question.userAgent, Infinity) }
      : { network: question.network.text };
  return printableJson({
    formatVersion: 1,
    kind: question.kind,
    subject: visible(question.subject),
    ...asked,
    answers: answers.map(({ when, answer: { decision, because, origin }, blame }) => ({
      when,
      decision,
      because: plain(because),
      ...(origin && { urn: visible(origin.urn, Infinity), name: visible(origin.name) }),
      ...(origin?.source && { source: { ...origin.source, file: visible(origin.source.file) } }),
      ...(blame && { blame: blameToJson(blame) }),
    })),
  });
}
