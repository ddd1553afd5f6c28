import { DUPLICATE_NETWORKS, IP_MODELS, THRESHOLDS, USER_AGENT_MODELS } from 'pulumi-edge-policy-review';
import type { Ask } from '../command/context';

/** What the gate has to know, and the answer if nobody gives one; a model without an answer is left out, so that all are compared. */
const QUESTIONS = {
  failOn: {
    question: 'From which severity on does the gate stop a change?',
    choices: THRESHOLDS,
    otherwise: 'high',
  },
  ipModel: {
    question: 'How do the rules of an IP policy combine?',
    choices: IP_MODELS,
    otherwise: undefined,
  },
  userAgentModel: {
    question: 'How do the patterns of a user agent filter combine?',
    choices: USER_AGENT_MODELS,
    otherwise: undefined,
  },
  duplicateNetworks: {
    question: 'What does the service do with a second rule for a network of one policy?',
    choices: DUPLICATE_NETWORKS,
    otherwise: undefined,
  },
} as const;

const NOT_KNOWN = 'not known yet';

export type Answers = Readonly<Partial<Record<keyof typeof QUESTIONS, string | undefined>>>;

/** What the options leave open is asked, if there is somebody to ask. */
export async function answered(given: Answers, ask: Ask | undefined): Promise<Answers> {
  const answers: Record<string, string | undefined> = {};
  for (const [key, { question, choices, otherwise }] of Object.entries(QUESTIONS)) {
    const known = given[key as keyof Answers];
    answers[key] =
      known ?? (ask ? await answerOf(ask, question, [...choices, otherwise ?? NOT_KNOWN]) : otherwise);
  }
  return answers;
}

/** Asks until one of the choices is the answer. The last one is also what an empty line means. */
async function answerOf(ask: Ask, question: string, choices: readonly string[]): Promise<string | undefined> {
  const [shown, otherwise = ''] = [[...new Set(choices)], choices.at(-1)];
  const list = shown.map((choice, at) => `  ${at + 1}  ${choice}\n`).join('');
  for (;;) {
    const line = (await ask(`${question}\n${list}[${otherwise}] `)).trim();
    const answer = line === '' ? otherwise : (shown[Number(line) - 1] ?? line);
    if (shown.includes(answer)) return answer === NOT_KNOWN ? undefined : answer;
  }
}
