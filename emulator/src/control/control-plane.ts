// What for: lets another process control an emulator over HTTP: faults, state, keys, journal.
// Must not know: how a fault or a route works.
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';

import type { Emulator } from '../emulator';
import { switchTable, type Switches } from '../switches';
import { addFaultRoutes } from './fault-routes';
import { refusalOf } from './origin-guard';
import { issuedKeySchema, revokedKeySchema } from './request-schemas';
import { accountOf, addStateRoutes } from './state-routes';

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
    server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const isWrongInput = error instanceof RangeError || error instanceof SyntaxError;
      return reply.code(isWrongInput ? 400 : (error.statusCode ?? 500)).send({ message: error.message });
    });
    server.post('/reset', (_request, reply) => {
      emulator.reset();
      return reply.code(204).send();
    });
    addKeyRoutes(server, emulator);
    addSwitchRoutes(server, emulator);
    addJournalRoutes(server, emulator);
    addStateRoutes(server, emulator);
    addFaultRoutes(server, emulator);
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

/** The body names the keys, as a path would end up in every log. */
function addKeyRoutes(server: FastifyInstance, emulator: Emulator): void {
  server.post<{ Body: { key: string } }>('/keys', { schema: { body: issuedKeySchema } }, (request, reply) => {
    emulator.issueKey(request.body.key, accountOf(request));
    return reply.code(204).send();
  });
  server.post<{ Body: { key: string } }>(
    '/keys/revoke',
    { schema: { body: revokedKeySchema } },
    (request, reply) => {
      emulator.revokeKey(request.body.key);
      return reply.code(204).send();
    },
  );
}

function addSwitchRoutes(server: FastifyInstance, emulator: Emulator): void {
  server.get('/switches', () => emulator.switches);
  server.get('/switches/table', () => switchTable);
  server.patch<{ Body: Partial<Switches> }>(
    '/switches',
    { schema: { body: { type: 'object' } } },
    (request) => {
      emulator.setSwitches(request.body);
      return emulator.switches;
    },
  );
}

function addJournalRoutes(server: FastifyInstance, emulator: Emulator): void {
  server.get<{ Querystring: { after?: string } }>('/journal', (request) => {
    const after = Number(request.query.after ?? 0);
    return emulator.journal.filter((entry) => entry.number > after);
  });
  server.get('/counts', () => emulator.counts);
  server.delete('/journal', (_request, reply) => {
    emulator.clearJournal();
    return reply.code(204).send();
  });
}
