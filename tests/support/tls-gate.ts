import { connect, createServer, type Socket } from 'node:net';
import { listen, type Listening } from './listening';

/** How a connection ends in the middle of the TLS handshake. */
export type HandshakeEnd = 'reset' | 'close' | 'silence';

/**
 * Starts a pipe that ends the first connections as told, as soon as the client has said hello, and lets all others through. It
 * does not look at the data.
 */
export function startTlsGate(
  targetPort: number,
  { how, times }: { readonly how: HandshakeEnd; readonly times: number },
): Promise<Listening> {
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    if (connections > times) through(client, targetPort);
    else
      client.once('data', () => {
        endAs(how, client);
      });
  });
  return listen(server);
}

function endAs(how: HandshakeEnd, client: Socket): void {
  if (how === 'reset') client.resetAndDestroy();
  if (how === 'close') client.end();
}

/** If one end closes, so does the other. */
function through(client: Socket, targetPort: number): void {
  const upstream = connect(targetPort, '127.0.0.1');
  client.pipe(upstream).pipe(client);
  upstream.on('error', () => client.destroy());
  client.once('close', () => upstream.destroy());
}
