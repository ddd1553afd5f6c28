import type { SpoilingFault } from './fault';
import type { ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { bodyText, contentType, type Answer } from '../answer';

/** Writes an answer without the framework, which would repair it. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  writeHead(response, answer, Buffer.byteLength(bodyText(answer)));
  response.end(answer.status === 204 ? undefined : bodyText(answer));
}

const below = new WeakMap<Socket, Socket>();

/** Remembers the TCP connection below each TLS connection: only that one can be reset. */
export function rememberConnections(server: HttpsServer): void {
  const byPort = new Map<number | undefined, Socket>();
  server.on('connection', (connection: Socket) => {
    const { remotePort } = connection;
    byPort.set(remotePort, connection);
    connection.once('close', () => byPort.delete(remotePort));
  });
  server.on('secureConnection', (socket) => {
    const connection = byPort.get(socket.remotePort);
    if (connection !== undefined) below.set(socket, connection);
  });
}

export function reset(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  const connection = below.get(socket) ?? socket;
  // A stream between the two, such as a test's own, has no handle to reset.
  if (connection.constructor === Socket) connection.resetAndDestroy();
  else connection.destroy();
}

type FaultOf<Kind extends SpoilingFault['kind']> = Extract<SpoilingFault, { readonly kind: Kind }>;

/** Sends the first bytes of the body with the given framing, and then ends the connection. */
export function sendCut(response: ServerResponse, answer: Answer, cut: FaultOf<'cut'>): void {
  const body = Buffer.from(bodyText(answer));
  const part = body.subarray(0, cut.bytes ?? Math.floor(body.length / 2));
  const framing = {
    length: `Content-Length: ${body.length}`,
    chunked: 'Transfer-Encoding: chunked',
    close: 'Connection: close',
  }[cut.framing];
  const head = `HTTP/1.1 ${answer.status} Cut\r\nContent-Type: ${contentType(answer) ?? ''}\r\n${framing}\r\n\r\n`;
  const chunkHead = cut.framing === 'chunked' ? `${part.length.toString(16)}\r\n` : '';
  const chunkEnd = cut.framing === 'chunked' ? '\r\n' : '';
  response.socket?.end(Buffer.concat([Buffer.from(head + chunkHead), part, Buffer.from(chunkEnd)]));
}

/** Sends the body in small pieces until it is complete or the client has gone. */
export function sendDrip(response: ServerResponse, answer: Answer, drip: FaultOf<'drip'>): void {
  const { bytes = 1, intervalMs = 100 } = drip;
  const body = Buffer.from(bodyText(answer));
  writeHead(response, answer, body.length);
  response.flushHeaders();
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + bytes));
    sent += bytes;
    if (sent < body.length) return;
    clearInterval(timer);
    response.end();
  }, intervalMs);
  response.once('close', () => {
    clearInterval(timer);
  });
}

/** Sends the JSON of the answer with a field of so many bytes in front, compressed or not. */
export function sendHuge(response: ServerResponse, answer: Answer, huge: FaultOf<'huge-body'>): void {
  const { sizeBytes = 64 * 1024 * 1024, gzip = false } = huge;
  const body = typeof answer.body === 'object' ? answer.body : {};
  const text = JSON.stringify({ padding: '0'.repeat(sizeBytes), ...body });
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-type': 'application/json',
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(gzip ? gzipSync(text) : text);
}

function writeHead(response: ServerResponse, answer: Answer, contentLength: number): void {
  const type = contentType(answer);
  response.writeHead(answer.status, {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(answer.status === 204 ? {} : { 'content-length': contentLength }),
    ...answer.headers,
  });
}
