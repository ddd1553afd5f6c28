import type { IncomingHttpHeaders } from 'node:http';

import { Refusal, type Answer } from './answer';
import type { Endpoint, Service } from './endpoint';
import { endpointsAt } from './endpoints';
import { authenticate, checkQuery, readBody, requireVersion } from './request-guards';
import type { World } from './store/world';

/** What an operation needs of the emulator, by whatever way the request came. */
export interface Operations {
  readonly service: Service;
  readonly versionHeader: string;
  /** Account names by API key. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly world: World;
}

/** One request for an operation. */
export interface OperationRequest {
  /** Undefined for a path or method that the document does not have. */
  readonly endpoint: Endpoint | undefined;
  readonly method: string;
  /** Without base path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer | undefined;
}

/** The account of a request; throws a Refusal if its key or version is not accepted. */
export function identify({ accounts, versionHeader }: Operations, headers: IncomingHttpHeaders): string {
  const account = authenticate(headers, accounts);
  requireVersion(headers, versionHeader);
  return account;
}

/** Carries out the operation of a request; throws a Refusal if the service refuses it. */
export function perform(operations: Operations, account: string, request: OperationRequest): Answer {
  const { service, world } = operations;
  const { endpoint, headers, bytes, parameters, query } = request;
  if (endpoint === undefined) throw nothingThere(request);
  checkQuery(endpoint, query, service.switches);
  return endpoint.handle({
    service,
    account: world.account(account),
    parameters,
    query,
    body: readBody(endpoint, { headers, bytes }, service.switches),
  });
}

/** The document has neither; these are the answers of HTTP for an unknown path, and for an unsupported method. */
function nothingThere({ method, path }: OperationRequest): Refusal {
  const methods = endpointsAt(path).map(({ endpoint }) => endpoint.method);
  if (methods.length === 0) return new Refusal(404, 'ERR_NO_SUCH_PATH', `Nothing at ${path}.`);
  const allow = methods.join(', ');
  return new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', `${path} takes ${allow}, not ${method}.`, {
    Allow: allow,
  });
}
