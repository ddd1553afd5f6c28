import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';

import { Refusal, type Answer } from './answer';
import type { Service } from './endpoint';
import { endpointFor, endpointsAt } from './endpoints';
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
  readonly method: string;
  /** Path and query, without the base path. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
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
  const { method, target, headers, bytes } = request;
  const path = pathOf(target);
  const found = endpointFor(method, path);
  if (found === undefined) throw nothingThere(method, path);
  const { endpoint, parameters } = found;
  const query = parse(target.slice(path.length + 1));
  checkQuery(endpoint, query, service.switches);
  return endpoint.handle({
    service,
    account: world.account(account),
    parameters,
    query,
    body: readBody(endpoint, { headers, bytes }, service.switches),
  });
}

/** The path in a request's target. */
export const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/** The document has neither; these are the answers of HTTP for an unknown path, and for an unsupported method. */
function nothingThere(method: string, path: string): Refusal {
  const methods = endpointsAt(path).map((endpoint) => endpoint.method);
  if (methods.length === 0) return new Refusal(404, 'ERR_NO_SUCH_PATH', `Nothing at ${path}.`);
  const allow = methods.join(', ');
  return new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', `${path} takes ${allow}, not ${method}.`, {
    Allow: allow,
  });
}
