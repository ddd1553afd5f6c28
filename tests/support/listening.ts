import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { deferCleanup, type Lifetime } from './cleanup';

/** A server that listens on the loopback interface. */
export interface Listening {
  readonly port: number;
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** The number of connections so far. */
  readonly connections: () => number;
  /** Ends it, with all its connections, as a kill does. */
  readonly close: () => Promise<void>;
}

/** Lets a server listen on a port, by default a free one, until the end of the test, or of the test file. */
export async function listen(
  server: Server,
  {
    port = 0,
    lifetime,
  }: { readonly port?: number | undefined; readonly lifetime?: Lifetime | undefined } = {},
): Promise<Listening> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  deferCleanup(close, lifetime);
  return { port: (server.address() as AddressInfo).port, sockets, connections: () => connections, close };
}

/** A port on which nothing listens: for requests that must be refused, or for a server that is told its port up front. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}
