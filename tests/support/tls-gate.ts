import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { deferCleanup } from './cleanup';

/** How a connection ends in the middle of the TLS handshake. */
export type HandshakeEnd = 'reset' | 'close' | 'silence';

/** A pipe to a server that speaks TLS. */
export interface TlsGate {
  readonly port: number;
  /** Connections so far. */
  readonly connections: () => number;
}

/**
 * Starts a pipe that ends the first connections as told, as soon as the client has said hello, and lets all others through. It
 * does not look at the data.
 */
export async function startTlsGate(
  targetPort: number,
  { how, times }: { readonly how: HandshakeEnd; readonly times: number },
): Promise<TlsGate> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    connections += 1;
    keep(client);
    client.on('error', () => undefined);
    if (connections <= times) {
      client.once('data', () => {
        endAs(how, client);
      });
    } else {
      keep(through(client, targetPort));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  deferCleanup(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

function endAs(how: HandshakeEnd, client: Socket): void {
  if (how === 'reset') client.resetAndDestroy();
  if (how === 'close') client.end();
}

/** If one end closes, so does the other. */
function through(client: Socket, targetPort: number): Socket {
  const upstream = connect(targetPort, '127.0.0.1');
  client.pipe(upstream).pipe(client);
  upstream.on('error', () => client.destroy());
  client.once('close', () => upstream.destroy());
  return upstream;
}
