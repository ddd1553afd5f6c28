import http2 from 'node:http2';
import { listen } from './listening';

/**
 * What processes of a run see of an engine: it listens, and refuses calls that it does not know.
 *
 * @param earlierPort A port that an earlier engine had.
 */
export async function startEngine(earlierPort?: number) {
  const server = http2.createServer((_, response) => response.end());
  const { port, close } = await listen(server, { port: earlierPort });
  return { address: `127.0.0.1:${port}`, port, kill: close };
}
