import type { Answer } from './answer';
import type { AccountStore } from './store/world';
import type { Switches } from './switches';

export interface Service {
  /** Absolute, with the base path, without a slash at the end. */
  readonly url: string;
  readonly switches: Readonly<Switches>;
  readonly nowMs: () => number;
}

/** One request, after the checks that all operations share. */
export interface Call {
  readonly service: Service;
  readonly account: AccountStore;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The parsed JSON body; undefined if the operation takes none. */
  readonly body: unknown;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** As the document writes it, with parameters in braces. */
  readonly path: string;
  readonly queryParameters?: readonly string[];
  readonly handle: (call: Call) => Answer;
}

export const takesBody = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
