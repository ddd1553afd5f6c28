import type { FastifyInstance } from 'fastify';

import type { Emulator } from './emulator';

/** placeholder */
export function addControlPlane(server: FastifyInstance, emulator: Emulator): void {
  server.post('/__emulator/reset', (_request, reply) => {
    emulator.reset();
    return reply.code(204).send();
  });
}
