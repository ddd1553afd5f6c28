// What for: lets another process control an emulator over HTTP: faults, state, keys, journal.
// Must not know: how a fault or a route works.
import type { FastifyPluginCallback } from 'fastify';
import type { Emulator } from '../emulator';
import { CONTROL_ROUTES, givenIn } from './routes';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** The library's functions, over HTTP for other processes. */
export const controlPlane =
  (emulator: Emulator, listensOn: string): FastifyPluginCallback =>
  (server, _options, done) => {
    server.addHook('onRequest', (request, reply, next) => {
      const refusal = refusalOf(request.headers, listensOn);
      if (refusal === undefined) next();
      else reply.code(403).send({ message: refusal });
    });
    server.removeAllContentTypeParsers();
    // Keys such as `__proto__` are left as they are: faults put them into answers.
    const asItIs = server.getDefaultJsonParser('ignore', 'ignore');
    server.addContentTypeParser('application/json', { parseAs: 'string' }, asItIs);
    server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      reply.code(error.statusCode ?? 400).send({ message: error.message }),
    );
    for (const { method, path, run } of CONTROL_ROUTES) {
      server.route({
        method,
        url: path,
        handler: (request, reply) => {
          const result = run(emulator, givenIn(request));
          return result === undefined ? reply.code(204).send() : reply.send(result);
        },
      });
    }
    done();
  };

/**
 * Why a request to the control plane is refused, if it is. The control plane asks for no key, so a page in a browser must
 * not reach it: neither across sites (a POST without a body needs no preflight), nor under a name of its own that leads
 * here (DNS rebinding).
 */
function refusalOf(headers: IncomingHttpHeaders, listensOn: string): string | undefined {
  const { host = '', origin } = headers;
  const name = hostName(host);
  if (!isAddress(name) && name !== 'localhost' && name !== listensOn.toLowerCase()) {
    return 'The control plane must be addressed by an IP address, by localhost or by the name given with --host.';
  }
  // A program sends neither of the two headers; a browser sends one of them with every request that changes something.
  if (origin !== undefined) return 'The control plane accepts no requests from web pages (Origin).';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'none' && site !== 'same-origin') {
    return 'The control plane accepts no requests from other sites (Sec-Fetch-Site).';
  }
  return undefined;
}

/** Whether only programs of the same machine can connect to this address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

const hostName = (host: string): string => host.toLowerCase().replace(/:\d*$/, '');

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
