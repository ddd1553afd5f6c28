import type { IncomingHttpHeaders } from 'node:http';

import { Refusal } from './answer';
import { takesBody, type Endpoint } from './endpoint';
import type { Switches } from './switches';

const VERSION = '2';

/** Section 5 of the document: `Authorization: Bearer <API_KEY>`. Returns the account of the key. */
export function authenticate(headers: IncomingHttpHeaders, accounts: ReadonlyMap<string, string>): string {
  const key = /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1];
  const account = key === undefined ? undefined : accounts.get(key);
  if (account !== undefined) return account;
  throw new Refusal(401, 'ERR_UNAUTHENTICATED', 'The request needs the API key of an account.');
}

/** Section 9 of the document. */
export function requireVersion(headers: IncomingHttpHeaders, versionHeader: string): void {
  if (headers[versionHeader.toLowerCase()] === VERSION) return;
  throw new Refusal(400, 'ERR_VERSION', `The header ${versionHeader} must be ${VERSION}.`);
}

/** The JSON body of the request, or undefined if the operation takes none. */
export function readBody(
  endpoint: Endpoint,
  request: { headers: IncomingHttpHeaders; bytes: Buffer | undefined },
  switches: Switches,
): unknown {
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
export function checkQuery(endpoint: Endpoint, query: object, switches: Switches): void {
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
