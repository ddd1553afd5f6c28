import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { plain, visible } from '../text/escape';
import type { Answer, Decision, Question } from './explain-connection';

/** An answer, and of which side it is. */
export interface DatedAnswer {
  readonly when: 'now' | 'before' | 'after';
  readonly answer: Answer;
}

const WORDS: Readonly<Record<Decision, string>> = {
  'let-in': 'let in',
  'kept-out': 'kept out',
  partly: 'partly let in',
  undecided: 'not decided',
  'not-there': 'not decided',
};

/** The answers for a terminal: the decision first, then what makes it, and where that stands. */
export const renderAnswers = (answers: readonly DatedAnswer[]): string =>
  answers
    .map(({ when, answer: { decision, because, origin } }) => {
      const place = origin?.source ? ` (${visible(origin.source.file)}:${origin.source.line})` : '';
      const side = when === 'now' ? '' : `${when.padEnd(6)}  `;
      return `${side}${WORDS[decision]}: ${plain(because)}${place}\n`;
    })
    .join('');

/** The answers as JSON, for programs. */
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
    answers: answers.map(({ when, answer: { decision, because, origin } }) => ({
      when,
      decision,
      because: plain(because),
      ...(origin && { urn: visible(origin.urn, Infinity), name: visible(origin.name) }),
      ...(origin?.source && { source: { ...origin.source, file: visible(origin.source.file) } }),
    })),
  });
}
