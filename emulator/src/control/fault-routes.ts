import type { FastifyInstance } from 'fastify';

import type { Emulator } from '../emulator';
import type { Fault } from '../faults/fault';
import type { FaultHandle } from '../faults/fault-schedule';
import type { HoldHandle, HoldTarget } from '../faults/barriers';
import { faultSchema, holdSchema } from './request-schemas';

interface Numbered {
  Params: { number: string };
}

export function addFaultRoutes(server: FastifyInstance, emulator: Emulator): void {
  server.get('/faults', () => emulator.faults.map(faultAsData));
  server.post<{ Body: Fault }>('/faults', { schema: { body: faultSchema } }, (request) => ({
    number: emulator.fault(request.body).number,
  }));
  server.delete('/faults', (_request, reply) => {
    for (const handle of [...emulator.faults]) handle.remove();
    return reply.code(204).send();
  });
  server.delete<Numbered>('/faults/:number', (request, reply) => {
    const handle = emulator.faults.find(({ number }) => number === Number(request.params.number));
    handle?.remove();
    return reply.code(handle === undefined ? 404 : 204).send();
  });
  addHoldRoutes(server, emulator);
}

function addHoldRoutes(server: FastifyInstance, emulator: Emulator): void {
  const standing = (parameters: Numbered['Params']): HoldHandle => {
    const hold = emulator.holdNumbered(Number(parameters.number));
    if (hold === undefined) throw new RangeError(`there is no hold ${parameters.number}`);
    return hold;
  };
  server.post<{ Body: HoldTarget }>('/holds', { schema: { body: holdSchema } }, (request) => ({
    number: emulator.hold(request.body).number,
  }));
  server.get<Numbered>('/holds/:number', (request) => ({ waiting: standing(request.params).waiting }));
  server.post<Numbered>('/holds/:number/release', (request, reply) => {
    standing(request.params).release();
    return reply.code(204).send();
  });
  server.post<Numbered>('/holds/:number/drop', (request, reply) => {
    standing(request.params).drop();
    return reply.code(204).send();
  });
}

function faultAsData({ number, hits, fault }: FaultHandle): object {
  const path = fault.path instanceof RegExp ? { pattern: fault.path.source } : fault.path;
  return { number, hits, fault: { ...fault, path } };
}
