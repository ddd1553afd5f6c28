// What for: lets another process control an emulator over HTTP: faults, state, keys, journal.
// Must not know: how a fault or a route works.
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';

import type { Emulator } from '../emulator';
import { refusalOf } from './origin-guard';
import { CONTROL_ROUTES, givenIn } from './routes';

/** The library's functions, over HTTP for other processes. */
export const controlPlane =
  (emulator: Emulator, listensOn: string): FastifyPluginCallback =>
  (server, _options, done) => {
    server.addHook('onRequest', (request, reply, next) => {
      const refusal = refusalOf(request.headers, listensOn);
      if (refusal === undefined) next();
      else reply.code(403).send({ message: refusal });
    });
    readJson(server);
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

/** Parses JSON with keys such as `__proto__` left as they are: faults put them into answers. */
function readJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch (error) {
      done(error as Error);
    }
  });
}
