// Verdicts: a word and a sign, so that no colour is needed. Only what is proved is in or out.
import { type Answer, type Decision, momentInWords } from 'pulumi-edge-policy-review/lookup';
import { foreignText, h, sentence } from './dom';

export const SIGNS: Readonly<Record<Decision, readonly [sign: string, word: string]>> = {
  'let-in': ['●', 'In'],
  partly: ['◐', 'Partly'],
  'kept-out': ['○', 'Out'],
  undecided: ['?', 'Not decided'],
  'not-there': ['–', 'Not declared'],
};

export function badge(decision: Decision): HTMLElement {
  const [sign, word] = SIGNS[decision];
  return h('span', { class: `badge ${decision}` }, h('span', { 'aria-hidden': 'true' }, sign), ` ${word}`);
}

/** Why: the deciding rule, and where it is declared. */
export const reasonOf = ({ because, origin }: Answer): HTMLElement =>
  h(
    'div.reason',
    sentence(because),
    origin?.source
      ? h('span.quiet', ' ', foreignText(`${origin.source.file}:${origin.source.line}`))
      : undefined,
  );

export function timeInWords(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return text;
  return momentInWords(ms - (ms % 60_000))
    .replace('T', ' ')
    .replace(/:00Z$/, ' UTC');
}
