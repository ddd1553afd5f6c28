import { silence } from '../../support/connect-proxy';
import type { HandshakeEnd } from '../../support/tls-gate';
import {
  always,
  anyOfTwoKinds,
  type FaultRow,
  onCreates,
  onRules,
  onRuleWrites,
  overAllWays,
  overTls,
  type Place,
} from './fault-row';

const unreachable = (name: string, baseUrl: (place: Place) => string): FaultRow => ({
  ...{ name, ways: overTls, outcome: 'N', reaches: onRuleWrites },
  settings: (place) => ({ baseUrl: baseUrl(place) }),
});

const brokenHandshake = (name: string, how: HandshakeEnd): FaultRow => ({
  ...{ name: `TLS handshake ${name}`, outcome: 'N', reaches: onRuleWrites, ways: overTls },
  obstacle: { at: 'handshake', how },
});

const noTunnel = (name: string, answer: string | typeof silence): FaultRow => ({
  ...{ name: `proxy ${name}`, outcome: 'N', reaches: onRuleWrites, ways: ['proxy'] },
  obstacle: { at: 'tunnel', answer },
});

const interrupted = (
  name: string,
  kind: 'reset' | 'close' | 'timeout',
  reaches?: FaultRow['reaches'],
): FaultRow[] =>
  (['before', 'after'] as const).map((when) => ({
    ...{ name: `${name} ${when} the effect`, outcome: 'A', hasEffect: when === 'after', ways: overAllWays },
    reaches: reaches ?? (when === 'after' ? always : anyOfTwoKinds),
    fault: () => ({ kind, when }),
  }));

const spoilt = (
  name: string,
  fault: NonNullable<FaultRow['fault']>,
  row: Partial<FaultRow> = {},
): FaultRow => ({
  ...{ name, outcome: 'A', hasEffect: true, reaches: onCreates, fault, ...row },
});

/** Faults of the way to the service and back. */
export const connectionFaults: readonly FaultRow[] = [
  {
    ...unreachable('connection refused', ({ serviceUrl }) => serviceUrl.replace(/:\d+$/, ':1')),
    ...{ reaches: onRules, ways: overAllWays },
  },
  unreachable('no such host', () => 'https://service.invalid'),
  unreachable('no TLS where it is due', ({ otherUrl }) => otherUrl.replace('http:', 'https:')),
  unreachable('certificate for another name', ({ serviceUrl }) =>
    serviceUrl.replace('127.0.0.1', 'localhost'),
  ),
  brokenHandshake('is reset', 'reset'),
  brokenHandshake('is broken off', 'close'),
  brokenHandshake('gets no answer', 'silence'),
  noTunnel('asks for credentials (407)', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
  noTunnel('answers 502', 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'),
  noTunnel('answers 404 with JSON', 'HTTP/1.1 404 Not Found\r\n\r\n{"error_code":"ERR_404","msg":"gone"}'),
  noTunnel('dies as it is asked', ''),
  noTunnel('dies in its answer', 'HTTP/1.1 200 Conn'),
  noTunnel('dies after its answer', 'HTTP/1.1 200 Connection established\r\n\r\n'),
  noTunnel('never answers', silence),
  ...interrupted('connection reset', 'reset'),
  ...interrupted('connection closed', 'close', onCreates),
  ...interrupted('no answer in time', 'timeout', anyOfTwoKinds),
  spoilt('body cut short, its length announced', () => ({ kind: 'cut', framing: 'length' }), {
    ways: overAllWays,
  }),
  spoilt('body cut short, in chunks', () => ({ kind: 'cut', framing: 'chunked' })),
  spoilt('body cut short, ended by the connection', () => ({ kind: 'cut', framing: 'close' }), {
    ways: overAllWays,
  }),
  spoilt('body that drips past the time of a request', () => ({ kind: 'drip', bytes: 1, intervalMs: 100 })),
  spoilt('body beyond 8 MiB', () => ({ kind: 'huge-body', sizeBytes: 9 * 2 ** 20 })),
  spoilt('gzip bomb', () => ({ kind: 'huge-body', sizeBytes: 24 * 2 ** 20, gzip: true })),
  spoilt('headers beyond what is read', () => ({
    kind: 'mutate',
    headers: { 'X-Padding': '0'.repeat(65_536) },
  })),
];
