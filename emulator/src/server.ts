import { createServer as createHttpServer, METHODS, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';

import { fastify, type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';

import { errorAnswer, Refusal } from './answer';
import { rememberConnections } from './faults/raw-answers';
import { Exchange, type Machinery, sendReply } from './pipeline';

/** Certificate and key in PEM, for a server with TLS. */
export interface TlsOptions {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
}

/** The HTTP server with every operation of the document and its health check; not yet listening. */
export function createServer(machinery: Machinery, tls: TlsOptions | undefined): FastifyInstance {
  const refuse = (error: FastifyError, _request: unknown, reply: FastifyReply): void => {
    sendFrameworkError(error, reply, machinery);
  };
  const server = fastify({
    // The framework has another type for a TLS instance, though nothing here depends on the transport.
    serverFactory: (handler) =>
      tls === undefined ? createHttpServer(handler) : (createTlsServer(tls, handler) as unknown as Server),
    // Closing the emulator must not wait for idle or parked connections.
    forceCloseConnections: true,
    frameworkErrors: refuse,
  });
  // Every body arrives as bytes: the operation, and not the framework, reports what is wrong with it.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  // No operation takes a QUERY. Without this, the framework would refuse one without a type before we can.
  if (METHODS.includes('QUERY')) server.addHttpMethod('QUERY', { overrideExisting: true });
  server.addHook('onRequest', (_request, reply, done) => {
    // The service's clock is the emulator's.
    reply.raw.setHeader('Date', new Date(machinery.service.nowMs()).toUTCString());
    done();
  });
  server.setErrorHandler(refuse);
  server.setNotFoundHandler((request, reply) => new Exchange(machinery, request, reply).run());
  server.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
  return server;
}

function createTlsServer(tls: TlsOptions, handler: RequestListener): HttpsServer {
  const server = createHttpsServer({ ...tls }, handler);
  rememberConnections(server);
  return server;
}

/** Refusals of the framework (a body too large, a path that it cannot decode) look like our own errors. */
function sendFrameworkError(error: FastifyError, reply: FastifyReply, { service }: Machinery): void {
  // The framework's own codes are not part of the service.
  const isInternal = (error.code as string | undefined)?.startsWith('FST_') === true;
  const code = isInternal ? 'ERR_INVALID_REQUEST' : error.code;
  const refusal = new Refusal(error.statusCode ?? 500, code, error.message);
  sendReply(reply, errorAnswer(refusal, service.switches.errorBody));
}
