// What for: lets another process control an emulator over HTTP: faults, state, keys, journal.
// Must not know: how a fault or a route works.
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Emulator } from '../emulator';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Fault } from '../faults/fault';
import { parametersOf } from '../routes/module-kind';
import { type ModuleContents, moduleKind, type ModuleName, moduleNames } from '../routes/modules';
import type { RuleEdit, RuleSeed, Seed } from '../seed';

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

/** A function of the library. Its result is the answer, an empty 204 without one; what it throws says what is wrong with the input. */
type Run = (emulator: Emulator, given: Given) => unknown;

/** One function of the library, as a request. */
interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly run: Run;
}

/** What a request gives the function. The form of `body` is the caller's concern, as that of an argument is. */
interface Given {
  readonly body: unknown;
  readonly parameters: Readonly<Record<string, string>>;
  /** Another account than the default, `?account=`. */
  readonly account: string | undefined;
  /** `?after=` */
  readonly after: number;
}

/** The arguments of a route in a request. */
function givenIn({ body, params, query }: FastifyRequest): Given {
  const { account, after } = query as Readonly<Record<string, unknown>>;
  return {
    body,
    parameters: params as Readonly<Record<string, string>>,
    account: typeof account === 'string' ? account : undefined,
    after: Number(after ?? 0),
  };
}

/** Every route of the control plane. */
const CONTROL_ROUTES: readonly ControlRoute[] = [
  route('POST /reset', (emulator) => emulator.reset()),
  // The body names the keys, as a path would end up in every log.
  route('POST /keys', (emulator, { body, account }) => emulator.issueKey(keyIn(body), account)),
  route('POST /keys/revoke', (emulator, { body }) => emulator.revokeKey(keyIn(body))),
  route('GET /switches', (emulator) => emulator.switches),
  route('PATCH /switches', (emulator, { body }) => emulator.setSwitches(body as object)),
  route('GET /journal', ({ journal }, { after }) => journal.filter(({ number }) => number > after)),
  route('GET /counts', (emulator) => emulator.counts),
  route('DELETE /journal', (emulator) => emulator.clearJournal()),
  route('GET /state', (emulator, { account }) => emulator.state(account)),
  route('POST /seed', (emulator, { body, account }) => ({ rules: emulator.seed(body as Seed, account) })),
  route('POST /rules', ({ remote }, { body, account }) => remote.createRule(body as RuleSeed, account)),
  route('PATCH /rules/:id', ({ remote }, { parameters, body, account }) =>
    remote.updateRule(parameters['id'] ?? '', body as RuleEdit, account),
  ),
  route('DELETE /rules/:id', ({ remote }, { parameters, account }) =>
    remote.deleteRule(parameters['id'] ?? '', account),
  ),
  ...moduleNames.flatMap(moduleRoutes),
  route('GET /faults', ({ faults }) => faults.map(({ hits, fault }) => ({ hits, fault }))),
  route('POST /faults', (emulator, { body }) => void emulator.fault(body as Fault)),
  route('DELETE /faults', (emulator) => emulator.clearFaults()),
];

function route(request: `${ControlRoute['method']} /${string}`, run: Run): ControlRoute {
  const [method, path] = request.split(' ') as [ControlRoute['method'], string];
  return { method, path, run };
}

const keyIn = (body: unknown): string => (body as { key: string }).key;

/** `/tcp-modules/:id` and such: the name in the seed, and a segment for each part of the identifier. */
function moduleRoutes(name: ModuleName): ControlRoute[] {
  const names = parametersOf(moduleKind(name));
  const kebabCase = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const path = [kebabCase, ...names.map((parameter) => `:${parameter}`)].join('/');
  const idIn = ({ parameters }: Given): string => names.map((parameter) => parameters[parameter]).join('/');
  const set: Run = ({ remote }, given) =>
    remote.modules(name, given.account).set(idIn(given), given.body as ModuleContents[ModuleName]);
  const remove: Run = ({ remote }, given) => remote.modules(name, given.account).delete(idIn(given));
  return [route(`PUT /${path}`, set), route(`DELETE /${path}`, remove)];
}
