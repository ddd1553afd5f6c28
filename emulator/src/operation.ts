import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import { Refusal, type Answer } from './answer';
import { type Service, takesBody, type Endpoint } from './endpoint';
import { endpointFor, endpointsAt } from './endpoints';
import type { World } from './store/world';
import type { Switches } from './switches';

/** What an operation needs of the emulator, by whatever way the request came. */
export interface Operations {
  readonly service: Service;
  readonly versionHeader: string;
  /** Account names by API key. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly world: World;
}

interface OperationRequest {
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
  const { method, target } = request;
  const path = pathOf(target);
  const match = endpointFor(method, path);
  if (match === undefined) throw nothingThere(method, path);
  const { endpoint, parameters } = match;
  const query = parse(target.slice(path.length + 1));
  checkQuery(endpoint, query, service.switches);
  return endpoint.handle({
    service,
    account: world.account(account),
    parameters,
    query,
    body: readBody(endpoint, request, service.switches),
  });
}

export const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/** The document has neither; these are the answers of HTTP for an unknown path, and for an unsupported method. */
function nothingThere(method: string, path: string): Refusal {
  const methods = endpointsAt(path).map((endpoint) => endpoint.method);
  if (methods.length === 0) return new Refusal(404, 'ERR_NO_SUCH_PATH', `Nothing at ${path}.`);
  const allow = methods.join(', ');
  const message = `${path} takes ${allow}, not ${method}.`;
  return new Refusal(405, 'ERR_METHOD_NOT_ALLOWED', message, { Allow: allow });
}

const VERSION = '2';

/** Section 5 of the document: `Authorization: Bearer <API_KEY>`. Returns the account of the key. */
function authenticate(headers: IncomingHttpHeaders, accounts: ReadonlyMap<string, string>): string {
  const key = /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1];
  const account = key === undefined ? undefined : accounts.get(key);
  if (account !== undefined) return account;
  throw new Refusal(401, 'ERR_UNAUTHENTICATED', 'The request needs the API key of an account.');
}

/** Section 9 of the document. */
function requireVersion(headers: IncomingHttpHeaders, versionHeader: string): void {
  if (headers[versionHeader.toLowerCase()] === VERSION) return;
  throw new Refusal(400, 'ERR_VERSION', `The header ${versionHeader} must be ${VERSION}.`);
}

/** The JSON body of the request, or undefined if the operation takes none. */
function readBody(endpoint: Endpoint, request: OperationRequest, switches: Switches): unknown {
  const hasBody = request.bytes === undefined ? announcesBody(request.headers) : request.bytes.length > 0;
  if (!takesBody(endpoint)) {
    if (hasBody && switches.unexpectedBody === '400') {
      throw new Refusal(400, 'ERR_UNEXPECTED_BODY', `${endpoint.method} takes no body.`);
    }
    return undefined;
  }
  if (!hasBody || request.bytes === undefined) {
    throw new Refusal(400, 'ERR_INVALID_REQUEST', 'The request needs a JSON body.');
  }
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new Refusal(415, 'ERR_CONTENT_TYPE', 'The Content-Type must be application/json.');
  }
  return parseJson(request.bytes);
}

/** Refuses query parameters that the operation does not have, if the switch says so. */
function checkQuery(endpoint: Endpoint, query: object, switches: Switches): void {
  if (switches.unknownInput === 'ignored') return;
  const unknown = Object.keys(query).find((name) => endpoint.queryParameters?.includes(name) !== true);
  if (unknown === undefined) return;
  throw new Refusal(400, 'ERR_INVALID_REQUEST', `Unknown query parameter: ${JSON.stringify(unknown)}.`);
}

function announcesBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Refusal(400, 'ERR_INVALID_JSON', 'The body is not valid JSON.');
  }
}
