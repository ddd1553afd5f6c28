import { bodyText, errorAnswer, Refusal, type Answer } from './answer';
import type { Limits } from './limits';
import { identify, perform, type Operations } from './operation';

/** A request that reaches the service without a socket; the target is path and query below the base address. */
export interface DirectRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string | undefined;
}

export interface DirectAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly text: string;
}

/**
 * The service without a server: the effect has happened when this returns. Faults, barriers, latency and the limit of
 * simultaneous requests are left to the caller, as they belong to the transport.
 */
export function answerDirectly(
  operations: Operations & { readonly limits: Limits },
  { method, target, headers, body }: DirectRequest,
): DirectAnswer {
  const { service, limits } = operations;
  const { switches } = service;
  let answer: Answer;
  try {
    const account = identify(operations, headers);
    limits.enter(account, switches)();
    const bytes = body === undefined ? undefined : Buffer.from(body);
    answer = perform(operations, account, { method, target, headers, bytes });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answer = errorAnswer(error, switches.errorBody);
  }
  return {
    status: answer.status,
    headers: { date: new Date(service.nowMs()).toUTCString(), ...answer.headers },
    text: answer.status === 204 ? '' : bodyText(answer),
  };
}
