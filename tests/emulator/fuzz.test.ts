import { connect } from 'node:net';

import fc from 'fast-check';

import type { Seed } from '../../emulator/src/index';
import { Contract, type Operation } from './support/contract';
import { send, type HttpAnswer } from './support/http';
import { bodyFor } from './support/schema-arbitrary';
import { callEmulator, useService } from './support/service';

const service = useService();
let contract: Contract;

beforeAll(async () => {
  const answer = await send({ method: 'GET', url: `${service.emulator.url}/openapi.json` });
  contract = new Contract(answer.json() as ConstructorParameters<typeof Contract>[0]);
});

/** One request to an operation, right or wrong in any part. */
interface Shot {
  readonly operation: Operation;
  /** Names of the path, some of which are replaced by an identifier that exists. */
  readonly segments: readonly string[];
  readonly query: string;
  readonly headers: Record<string, string | undefined>;
  readonly body: string | undefined;
}

/** What exists before each volley, so that requests have something to succeed with. */
const existing: Seed = {
  rules: [{ id: 'ipr_own', cidr: '203.0.113.0/24', ip_policy_id: 'ipp_1', action: 'deny' }],
  tcpModules: { edgtcp_1: { enabled: true, value: '{}' } },
  httpsModules: { 'edghts_1/edghtsrt_1': { enabled: true, allow: [], deny: [] } },
};

const identifiers = ['ipr_own', 'edgtcp_1', 'edghts_1', 'edghtsrt_1', 'ipr_none'];
const hostile = fc.constantFrom(
  '..',
  '.',
  '%2e%2e',
  '%00',
  '%ff',
  '%',
  'a%2Fb',
  '~',
  '__proto__',
  'constructor',
  '',
);
const query = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('?limit=2', '?before_id=ipr_own', '?limit=x', '?__proto__=1', '?a=1&a=2'),
  },
  { weight: 1, arbitrary: fc.string().map((text) => `?${encodeURIComponent(text)}`) },
);
const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string | undefined>>(
      { Authorization: undefined },
      { Authorization: 'Bearer  ' },
      { 'Service-Version': '3' },
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': ';' },
      { Expect: '100-continue' },
      { 'Content-Encoding': 'gzip' },
    ),
  },
);

/** The right identifier at this place of the path, as a rule. */
function segment(path: string, name: string): fc.Arbitrary<string> {
  const right = {
    '/ip_': 'ipr_own',
    '/edges/t': 'edgtcp_1',
    '/edges/h': name === 'id' ? 'edghtsrt_1' : 'edghts_1',
  };
  const own = Object.entries(right).find(([start]) => path.startsWith(start))?.[1] ?? '';
  return fc.oneof(
    { weight: 16, arbitrary: fc.constant(own) },
    { weight: 2, arbitrary: fc.constantFrom(...identifiers) },
    { weight: 2, arbitrary: hostile },
    { weight: 1, arbitrary: fc.string().map(encodeURIComponent) },
  );
}

function shots(operation: Operation): fc.Arbitrary<Shot> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  const body =
    operation.bodySchema === undefined ? fc.constant(undefined) : bodyFor(contract, operation.bodySchema);
  return fc.record({
    operation: fc.constant(operation),
    segments: fc.tuple(...parameters.map(({ name }) => segment(operation.path, name))),
    query,
    headers,
    body,
  });
}

function fire({ operation, segments, query: search, headers: extra, body }: Shot): Promise<HttpAnswer> {
  let index = 0;
  const path = operation.path.replace(/\{\w+\}/g, () => segments[index++] ?? '');
  return callEmulator(service.emulator.url, {
    method: operation.method,
    path: path + search,
    body,
    more: { headers: extra },
  });
}

/** Whether the description allows the body that was sent. */
function isBodyAllowed({ operation, body }: Shot): boolean {
  if (operation.bodySchema === undefined) return true;
  try {
    return contract.allows(operation.bodySchema, JSON.parse(body ?? ''));
  } catch {
    return false;
  }
}

/** A path that does not lead to its operation any more is answered by another one, or by none. */
function isRouted({ segments }: Shot): boolean {
  return segments.every((text) => /^[A-Za-z0-9_-]+$/.test(text));
}

test('no request makes a 5xx, an answer that is not described, or passes against the description', async () => {
  const shot = fc.constantFrom(...contract.operations).chain(shots);
  const successes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(shot, { minLength: 1, maxLength: 6 }), async (volley) => {
      service.emulator.reset();
      service.emulator.seed(existing);
      for (const each of volley) {
        const answer = await fire(each);
        expect(answer.status).toBeLessThan(500);
        if (!isRouted(each)) continue;
        expect(contract.violations(each.operation, answer)).toEqual([]);
        if (answer.status >= 300) continue;
        successes.add(each.operation.operationId);
        expect([each.body, isBodyAllowed(each)]).toEqual([each.body, true]);
      }
    }),
    { numRuns: 400 },
  );
  // A fuzzer that hardly ever gets in would prove nothing; which operations it gets into is a matter of chance.
  expect(successes.size).toBeGreaterThan(contract.operations.length / 2);
}, 60_000);

test('bytes that are hardly HTTP leave the service alive', async () => {
  const line = fc.constantFrom(
    'GET / HTTP/1.1\r\n',
    'POST /ip_policy_rules HTTP/1.1\r\n',
    'Host: x\r\n',
    '\r\n',
  );
  const noise = fc.oneof(
    line,
    fc.constantFrom('Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n'),
    fc.string(),
  );
  const port = Number(new URL(service.emulator.url).port);
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { maxLength: 8 }), async (parts) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end(parts.join(''));
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
      expect((await send({ method: 'GET', url: `${service.emulator.url}/healthz` })).status).toBe(200);
    }),
    { numRuns: 200 },
  );
}, 60_000);
