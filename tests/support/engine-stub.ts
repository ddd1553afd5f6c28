import { once } from 'node:events';
import http2, { type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { deferCleanup } from './cleanup';

/** What processes of a run see of an engine: it listens, and refuses calls that it does not know. */
export interface EngineStub {
  readonly address: string;
  readonly port: number;
  /** Ends it, with all its connections, as a kill does. */
  kill(): Promise<void>;
}

/** @param port A port that an earlier engine had. */
export async function startEngine(port = 0): Promise<EngineStub> {
  const sessions = new Set<ServerHttp2Session>();
  const server = http2.createServer((_, response) => response.end());
  server.on('session', (session) => {
    sessions.add(session);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const kill = async (): Promise<void> => {
    for (const session of sessions) session.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  deferCleanup(kill);
  const bound = (server.address() as AddressInfo).port;
  return { address: `127.0.0.1:${bound}`, port: bound, kill };
}
