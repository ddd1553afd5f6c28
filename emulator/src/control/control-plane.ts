// What for: lets another process control an emulator over HTTP: faults, state, switches, journal.
// Must not know: how a fault or a route works.
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Emulator } from '../emulator';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Fault } from '../faults/fault';
import type { Seed } from '../seed';

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
    for (const [request, run] of Object.entries(CONTROL_ROUTES)) {
      const [method = '', url = ''] = request.split(' ');
      const handler = (asked: FastifyRequest, reply: FastifyReply): FastifyReply => {
        const result = run(emulator, givenIn(asked));
        return result === undefined ? reply.code(204).send() : reply.send(result);
      };
      server.route({ method, url, handler });
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

/** What a request gives a function. The form of `body` is the caller's concern, as that of an argument is. */
interface Given {
  readonly body: unknown;
  /** Another account than the default, `?account=`. */
  readonly account: string | undefined;
  readonly after: number;
}

function givenIn({ body, query }: FastifyRequest): Given {
  const { account, after } = query as Readonly<Record<string, unknown>>;
  return { body, account: typeof account === 'string' ? account : undefined, after: Number(after ?? 0) };
}

/** Functions of the library. A result is the answer, an empty 204 without one; what one throws says what is wrong with the input. */
const CONTROL_ROUTES: Readonly<Record<string, (emulator: Emulator, given: Given) => unknown>> = {
  'POST /reset': (emulator) => emulator.reset(),
  'POST /save': (emulator) => emulator.save(),
  'GET /switches': (emulator) => emulator.switches,
  'PATCH /switches': (emulator, { body }) => emulator.setSwitches(body as object),
  'GET /journal': ({ journal }, { after }) => journal.filter(({ number }) => number > after),
  'GET /counts': (emulator) => emulator.counts,
  'DELETE /journal': (emulator) => emulator.clearJournal(),
  'GET /state': (emulator, { account }) => emulator.state(account),
  'POST /seed': (emulator, { body, account }) => ({ rules: emulator.seed(body as Seed, account) }),
  'GET /faults': ({ faults }) => faults.map(({ hits, fault }) => ({ hits, fault })),
  'POST /faults': (emulator, { body }) => void emulator.fault(body as Fault),
  'DELETE /faults': (emulator) => emulator.clearFaults(),
};
