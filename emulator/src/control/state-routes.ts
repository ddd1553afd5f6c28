import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Emulator } from '../emulator';
import type { RuleEdit, RuleSeed, Seed } from '../seed';
import type { HttpsEdgeRouteUserAgentFilterModule, TcpEdgeTrafficPolicyModule } from '../store/changes';
import {
  httpsModuleSchema,
  ruleEditSchema,
  ruleSeedSchema,
  seedSchema,
  tcpModuleSchema,
} from './request-schemas';

/** Looking at an account and editing it past the service, each with `?account=` for another than the default. */
export function addStateRoutes(server: FastifyInstance, emulator: Emulator): void {
  server.get('/state', (request) => emulator.state(accountOf(request)));
  server.post<{ Body: Seed }>('/seed', { schema: { body: seedSchema } }, (request) => ({
    rules: emulator.seed(request.body, accountOf(request)),
  }));
  addRuleRoutes(server, emulator);
  addModuleRoutes(server, emulator);
}

function addRuleRoutes(server: FastifyInstance, { remote }: Emulator): void {
  server.post<{ Body: RuleSeed }>('/rules', { schema: { body: ruleSeedSchema } }, (request) =>
    remote.createRule(request.body, accountOf(request)),
  );
  server.patch<{ Body: RuleEdit; Params: { id: string } }>(
    '/rules/:id',
    { schema: { body: ruleEditSchema } },
    (request) => remote.updateRule(request.params.id, request.body, accountOf(request)),
  );
  server.delete<{ Params: { id: string } }>('/rules/:id', (request, reply) => {
    remote.deleteRule(request.params.id, accountOf(request));
    return reply.code(204).send();
  });
}

function addModuleRoutes(server: FastifyInstance, { remote }: Emulator): void {
  server.put<{ Body: TcpEdgeTrafficPolicyModule; Params: { edgeId: string } }>(
    '/tcp-modules/:edgeId',
    { schema: { body: tcpModuleSchema } },
    (request, reply) => {
      remote.setTcpModule(request.params.edgeId, request.body, accountOf(request));
      return reply.code(204).send();
    },
  );
  server.delete<{ Params: { edgeId: string } }>('/tcp-modules/:edgeId', (request, reply) => {
    remote.deleteTcpModule(request.params.edgeId, accountOf(request));
    return reply.code(204).send();
  });
  server.put<{ Body: HttpsEdgeRouteUserAgentFilterModule; Params: RouteParameters }>(
    '/https-modules/:edgeId/:routeId',
    { schema: { body: httpsModuleSchema } },
    (request, reply) => {
      remote.setHttpsModule(routeOf(request.params), request.body, accountOf(request));
      return reply.code(204).send();
    },
  );
  server.delete<{ Params: RouteParameters }>('/https-modules/:edgeId/:routeId', (request, reply) => {
    remote.deleteHttpsModule(routeOf(request.params), accountOf(request));
    return reply.code(204).send();
  });
}

interface RouteParameters {
  edgeId: string;
  routeId: string;
}

const routeOf = ({ edgeId, routeId }: RouteParameters): string => `${edgeId}/${routeId}`;

function accountOf(request: Pick<FastifyRequest, 'query'>): string | undefined {
  const { account } = request.query as { account?: unknown };
  return typeof account === 'string' ? account : undefined;
}
