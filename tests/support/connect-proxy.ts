import type { IncomingMessage } from 'node:http';
import { connect, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { startRawServer, type RawServer } from './raw-server';

/** A proxy that opens tunnels and records requests. */
export interface ConnectProxy extends RawServer {
  /** Target of every requested tunnel. */
  readonly tunnels: readonly string[];
  /** Proxy-Authorization of every requested tunnel. */
  readonly credentials: readonly (string | undefined)[];
  /** All bytes that went through, in clear or not. */
  readonly traffic: () => string;
}

/** The marker for an answer that never comes. */
export const silence = Symbol('silence');

/** The proxy's answer to its n-th request for a tunnel; undefined opens it. */
export type RefuseTunnel = (nth: number) => string | typeof silence | undefined;

/** Starts a proxy. With a refusal, it opens no tunnel but sends that text and ends the connection. */
export const startConnectProxy = async (refuse: RefuseTunnel = () => undefined): Promise<ConnectProxy> => {
  const tunnels: string[] = [];
  const credentials: (string | undefined)[] = [];
  const traffic: Buffer[] = [];
  const onServer = (server: Server): void => {
    server.on('connect', (request: IncomingMessage, client: Duplex) => {
      const target = String(request.url);
      tunnels.push(target);
      credentials.push(request.headers['proxy-authorization']);
      const answer = refuse(tunnels.length);
      if (answer === silence) return;
      if (answer !== undefined) {
        client.end(answer);
        return;
      }
      const { hostname, port } = new URL(`tcp://${target}`);
      const upstream = connect(Number(port), hostname, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      client.on('data', (bytes: Buffer) => traffic.push(bytes));
      client.on('error', () => upstream.destroy());
      client.on('close', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
    });
  };
  const server = await startRawServer((_request, response) => response.writeHead(500).end(), { onServer });
  return { ...server, tunnels, credentials, traffic: () => Buffer.concat(traffic).toString('latin1') };
};
