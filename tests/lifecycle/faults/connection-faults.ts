import { silence } from '../../support/connect-proxy';
import type { HandshakeEnd } from '../../support/tls-gate';
import {
  always,
  anyOfTwoKinds,
  type FaultRow,
  hasAnswerObject,
  onRules,
  overAllWays,
  overTls,
  type Place,
} from './fault-row';

const unreachable = (
  name: string,
  baseUrl: (place: Place) => string,
  ways: FaultRow['ways'] = overTls,
): FaultRow => ({
  ...{ name, ways, outcome: 'N', reaches: onRules },
  settings: (place) => ({ baseUrl: baseUrl(place) }),
});

const brokenHandshake = (name: string, how: HandshakeEnd): FaultRow => ({
  ...{ name: `TLS handshake ${name}`, outcome: 'N', reaches: onRules, ways: overTls },
  obstacle: { at: 'handshake', how },
});

const noTunnel = (name: string, answer: string | typeof silence): FaultRow => ({
  ...{ name: `proxy ${name}`, outcome: 'N', reaches: onRules, ways: ['proxy'] },
  obstacle: { at: 'tunnel', answer },
});

const interrupted = (name: string, kind: 'reset' | 'close' | 'timeout'): FaultRow[] =>
  (['before', 'after'] as const).map((when) => ({
    ...{ name: `${name} ${when} the effect`, outcome: 'A', hasEffect: when === 'after', ways: overAllWays },
    reaches: when === 'after' ? always : anyOfTwoKinds,
    fault: () => ({ kind, when }),
  }));

const spoilt = (
  name: string,
  fault: NonNullable<FaultRow['fault']>,
  { ways = ['http'], reaches = hasAnswerObject }: Partial<FaultRow> = {},
): FaultRow => ({
  ...{ name, outcome: 'A', hasEffect: true, ways, fault },
  reaches: (operation) => anyOfTwoKinds(operation) && reaches(operation),
});

/** Faults of the way to the service and back. */
export const connectionFaults: readonly FaultRow[] = [
  unreachable('connection refused', ({ serviceUrl }) => serviceUrl.replace(/:\d+$/, ':1'), overAllWays),
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
  ...interrupted('connection closed', 'close'),
  ...interrupted('no answer in time', 'timeout'),
  spoilt('body cut short, its length announced', () => ({ kind: 'cut', framing: 'length' }), {
    ways: overAllWays,
  }),
  spoilt('body cut short, in chunks', () => ({ kind: 'cut', framing: 'chunked' })),
  spoilt('body cut short, ended by the connection', () => ({ kind: 'cut', framing: 'close' }), {
    ways: overAllWays,
  }),
  spoilt('body that drips past the time of a request', () => ({ kind: 'drip', bytes: 1, intervalMs: 100 })),
  spoilt('body beyond 8 MiB, of a list 64 MiB', ({ operation }) => ({
    kind: 'huge-body',
    sizeBytes: (operation.verb === 'list' ? 65 : 9) * 2 ** 20,
  })),
  spoilt('gzip bomb', () => ({ kind: 'huge-body', sizeBytes: 24 * 2 ** 20, gzip: true })),
  spoilt(
    'headers beyond what is read',
    () => ({ kind: 'mutate', headers: { 'X-Padding': '0'.repeat(65_536) } }),
    { reaches: always },
  ),
];
