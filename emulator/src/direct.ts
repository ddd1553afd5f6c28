import { bodyText, errorAnswer, Refusal, type Answer } from './answer';
import type { Endpoint } from './endpoint';
import { ENDPOINTS, pathPattern } from './endpoints';
import type { Limits } from './limits';
import { identify, perform, type Operations, type OperationRequest } from './operation';

/** A request that reaches the service without a socket; the target is path and query below the base address. */
export interface DirectRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string | undefined;
}

/** The service's answer. */
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
    const request = {
      ...route(method, target),
      method,
      headers,
      bytes: body === undefined ? undefined : Buffer.from(body),
    };
    answer = perform(operations, account, request);
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

interface Route {
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

const routes: readonly Route[] = ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: pathPattern(endpoint.path),
  names: Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? ''),
}));

function route(
  method: string,
  target: string,
): Pick<OperationRequest, 'endpoint' | 'path' | 'parameters' | 'query'> {
  const [path = '', queryText = ''] = target.split('?', 2);
  const query = Object.fromEntries(new URLSearchParams(queryText));
  for (const { endpoint, pattern, names } of routes) {
    const match = endpoint.method === method ? pattern.exec(path) : null;
    if (match === null) continue;
    const parameters = Object.fromEntries(names.map((name, index) => [name, decode(match[index + 1])]));
    return { endpoint, path, parameters, query };
  }
  return { endpoint: undefined, path, parameters: {}, query };
}

const decode = (segment = ''): string => decodeURIComponent(segment);
