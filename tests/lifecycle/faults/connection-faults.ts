import { always, anyOfTwoKinds, type FaultRow, hasAnswerObject, onRules } from './fault-row';

const unreachable = (name: string, baseUrl: (serviceUrl: string) => string): FaultRow => ({
  name,
  outcome: 'N',
  reaches: onRules,
  settings: ({ serviceUrl }) => ({ baseUrl: baseUrl(serviceUrl) }),
});

const interrupted = (name: string, kind: 'reset' | 'close' | 'timeout'): FaultRow[] => [
  { name: `${name} before the effect`, outcome: 'A', reaches: anyOfTwoKinds, fault: () => ({ kind }) },
  {
    name: `${name} after the effect`,
    outcome: 'A',
    hasEffect: true,
    reaches: always,
    fault: () => ({ kind, when: 'after' }),
  },
];

const cut = (framing: 'length' | 'chunked' | 'close', said: string): FaultRow => ({
  name: `body cut short, ${said}`,
  outcome: 'A',
  hasEffect: true,
  reaches: (operation) => anyOfTwoKinds(operation) && hasAnswerObject(operation),
  fault: () => ({ kind: 'cut', framing }),
});

/** Faults of the way to the service and back. */
export const connectionFaults: readonly FaultRow[] = [
  unreachable('connection refused', () => 'http://127.0.0.1:1'),
  unreachable('no such host', () => 'https://service.invalid'),
  unreachable('TLS handshake fails', (url) => url.replace('http:', 'https:')),
  ...interrupted('connection reset', 'reset'),
  ...interrupted('connection closed', 'close'),
  ...interrupted('no answer in time', 'timeout'),
  cut('length', 'its length announced'),
  cut('chunked', 'in chunks'),
  cut('close', 'ended by the connection'),
  {
    name: 'body that drips past the time of a request',
    outcome: 'A',
    hasEffect: true,
    reaches: (operation) => anyOfTwoKinds(operation) && hasAnswerObject(operation),
    fault: () => ({ kind: 'drip', bytes: 1, intervalMs: 100 }),
  },
  {
    name: 'body beyond 8 MiB',
    outcome: 'A',
    hasEffect: true,
    reaches: (operation) => anyOfTwoKinds(operation) && hasAnswerObject(operation),
    fault: () => ({ kind: 'huge-body', sizeBytes: 9 * 2 ** 20 }),
  },
  {
    name: 'gzip bomb',
    outcome: 'A',
    hasEffect: true,
    reaches: (operation) => anyOfTwoKinds(operation) && hasAnswerObject(operation),
    fault: () => ({ kind: 'gzip-bomb', sizeBytes: 24 * 2 ** 20 }),
  },
  {
    name: 'headers beyond what is read',
    outcome: 'A',
    hasEffect: true,
    reaches: anyOfTwoKinds,
    fault: () => ({ kind: 'header-overflow' }),
  },
];
