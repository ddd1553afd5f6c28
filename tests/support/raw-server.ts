import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { deferCleanup, type Lifetime } from './cleanup';

/** A server that does exactly what a test says, byte by byte if needed. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Method and path of every request. */
  readonly requests: readonly string[];
  /** The number of open connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** The number of connections so far. */
  readonly connections: () => number;
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
  const sockets = new Set<Socket>();
  let connections = 0;
  const record: RequestListener = (request, response) => {
    requests.push(`${String(request.method)} ${String(request.url)}`);
    listener(request, response);
  };
  const server = tls === undefined ? createServer(record) : createTlsServer(tls, record);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  onServer?.(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  deferCleanup(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }, lifetime);
  const { port } = server.address() as AddressInfo;
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  return { url, port, requests, sockets, connections: () => connections };
};
