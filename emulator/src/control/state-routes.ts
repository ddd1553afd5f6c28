import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Emulator } from '../emulator';
import { parametersOf } from '../routes/module-kind';
import { type ModuleContents, moduleKind, type ModuleName, moduleNames } from '../routes/modules';
import type { RuleEdit, RuleSeed, Seed } from '../seed';
import { moduleSchema, ruleEditSchema, ruleSeedSchema, seedSchema } from './request-schemas';

/** Reads an account, and edits it without the service's checks; `?account=` names another account than the default. */
export function addStateRoutes(server: FastifyInstance, emulator: Emulator): void {
  server.get('/state', (request) => emulator.state(accountOf(request)));
  server.post<{ Body: Seed }>('/seed', { schema: { body: seedSchema } }, (request) => ({
    rules: emulator.seed(request.body, accountOf(request)),
  }));
  addRuleRoutes(server, emulator);
  for (const name of moduleNames) addModuleRoutes(server, emulator, name);
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

/** `/tcp-modules/:id` and such: the name in the seed, and a segment for each part of the identifier. */
function addModuleRoutes(server: FastifyInstance, { remote }: Emulator, name: ModuleName): void {
  const parameters = parametersOf(moduleKind(name));
  const segments = [kebabCase(name), ...parameters.map((parameter) => `:${parameter}`)];
  const path = `/${segments.join('/')}`;
  const idOf = (request: Pick<FastifyRequest, 'params'>): string =>
    parameters.map((parameter) => (request.params as Record<string, string>)[parameter]).join('/');
  server.put(path, { schema: { body: moduleSchema(name) } }, (request, reply) => {
    remote.modules(name, accountOf(request)).set(idOf(request), request.body as ModuleContents[ModuleName]);
    return reply.code(204).send();
  });
  server.delete(path, (request, reply) => {
    remote.modules(name, accountOf(request)).delete(idOf(request));
    return reply.code(204).send();
  });
}

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The account that the query names. */
export function accountOf(request: Pick<FastifyRequest, 'query'>): string | undefined {
  const { account } = request.query as { account?: unknown };
  return typeof account === 'string' ? account : undefined;
}
