import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { createSelfSigned } from './certificate';
import type { Lifetime } from './cleanup';
import { listen, type Listening } from './listening';

/** A server that does exactly what a test says, byte by byte if needed. */
export interface RawServer extends Listening {
  readonly url: string;
  /** Method and path of every request. */
  readonly requests: readonly string[];
}

interface RawServerOptions {
  readonly tls?: SecureContextOptions;
  readonly onServer?: (server: Server) => void;
  readonly lifetime?: Lifetime;
}

/** Starts a server on a free port of the loopback interface; it is closed after the test, or the test file. */
export const startRawServer = async (
  listener: RequestListener,
  { tls, onServer, lifetime }: RawServerOptions = {},
): Promise<RawServer> => {
  const requests: string[] = [];
  const record: RequestListener = (request, response) => {
    requests.push(`${String(request.method)} ${String(request.url)}`);
    listener(request, response);
  };
  const server = tls === undefined ? createServer(record) : createTlsServer(tls, record);
  onServer?.(server);
  const listening = await listen(server, { lifetime });
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${listening.port}`;
  return { ...listening, url, requests };
};

/** Starts one that speaks TLS, with a certificate that a process with these variables trusts. */
export async function startTlsServer(listener: RequestListener, options: SecureContextOptions = {}) {
  const { certFile, ...certificate } = createSelfSigned();
  const server = await startRawServer(listener, { tls: { ...certificate, ...options } });
  return { server, trusting: { NODE_EXTRA_CA_CERTS: certFile } };
}
