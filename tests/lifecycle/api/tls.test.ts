import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { startConnectProxy } from '../../support/connect-proxy';
import { startTlsServer } from '../../support/raw-server';
import { runApiChild } from '../../support/run-api-child';

jest.setTimeout(60_000);

/** Answers creates of rules, but breaks the connection of every nth; counts how often each network arrived. */
function ruleService(breaksEvery: number) {
  const arrivals = new Map<string, number>();
  let count = 0;
  const listener: RequestListener = (request, response) => {
    void json(request).then((body) => {
      const { cidr, action } = body as { cidr: string; action: string };
      arrivals.set(cidr, (arrivals.get(cidr) ?? 0) + 1);
      count += 1;
      if (count % breaksEvery === 0) return void response.socket?.destroy();
      const rule = { id: `ipr_${count}`, uri: 'u', created_at: '2030-01-01T00:00:00Z', cidr, action };
      response.writeHead(201).end(JSON.stringify({ ...rule, ip_policy: { id: 'ipp_1', uri: 'u' } }));
    });
  };
  return { listener, arrivals };
}

const policy = { edgeId: 'edgtcp_1', enabled: true, value: '{}' };

const answer =
  (body: object): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(body));

test.each([
  ['', {}],
  [
    ', even where the environment says not to verify it',
    { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
  ],
])(
  'a certificate that nobody vouches for is refused before anything is sent, and the error says how to trust it%s',
  async (_where, environment) => {
    const { server } = await startTlsServer(answer({}));
    const [error] = await runApiChild({ settings: { baseUrl: server.url }, environment });
    expect(error).toMatchObject({
      ...{ name: 'ConnectionError', reason: 'tls', outcome: 'not-sent' },
      message: expect.stringMatching(/NODE_EXTRA_CA_CERTS.*DEPTH_ZERO_SELF_SIGNED_CERT/) as unknown,
      inspected: expect.not.stringMatching(/canary|axios/i) as unknown,
    });
    expect(server.requests).toHaveLength(0);
  },
);

test("an authority named in Node's own variable is trusted, and its connections are kept", async () => {
  const { server, trusting: environment } = await startTlsServer(answer(policy));
  const answers = await runApiChild({ settings: { baseUrl: server.url }, environment, times: 3 });
  expect(answers).toEqual([{ value: policy }, { value: policy }, { value: policy }]);
  expect(server.connections()).toBe(1);
});

test('TLS below 1.2 is refused, even where the options of Node allow it', async () => {
  const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  const { server, trusting } = await startTlsServer(answer({}), old);
  const environment = {
    ...trusting,
    NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0',
  };
  const [error] = await runApiChild({ settings: { baseUrl: server.url }, environment });
  expect(error).toMatchObject({ name: 'ConnectionError', reason: 'tls', outcome: 'not-sent' });
  expect(server.requests).toHaveLength(0);
});

test('requests that share one connection leave no listeners on it', async () => {
  const { listener, arrivals } = ruleService(Infinity);
  const { server, trusting: environment } = await startTlsServer(listener);
  // Node warns of a leak at eleven listeners, and a warning of the process fails.
  await runApiChild({
    settings: { baseUrl: server.url, maxConcurrency: 1 },
    ...{ environment, mode: 'attempts', times: 40 },
  });
  expect(arrivals.size).toBe(40);
  expect(server.connections()).toBe(1);
});

describe.each([
  ['a connection', () => Promise.resolve({})],
  ['a tunnel', async () => ({ proxy: (await startConnectProxy()).url })],
])('over %s that others break', (_way, throughProxy) => {
  const askAll = async (mode: 'creates' | 'attempts', times: number, settings: object) => {
    const { listener, arrivals } = ruleService(3);
    const { server, trusting: environment } = await startTlsServer(listener);
    const all = { baseUrl: server.url, ...(await throughProxy()), ...settings };
    const answers = await runApiChild({ settings: all, environment, mode, times });
    expect(arrivals.size).toBe(times);
    return { arrivals, answers };
  };

  test('creates reach the service once each', async () => {
    const { arrivals, answers } = await askAll('creates', 120, { maxConcurrency: 8, maxAttempts: 4 });
    expect([...arrivals].filter(([, times]) => times > 1)).toEqual([]);
    const failed = answers.filter((answer) => 'outcome' in answer);
    expect(failed).toHaveLength(40);
    for (const answer of failed) expect(answer).toMatchObject({ outcome: 'ambiguous' });
  });

  test('no attempt that reached the service counts as not sent, however it waited', async () => {
    const { answers } = await askAll('attempts', 60, { maxConcurrency: 2 });
    const unanswered = answers.filter((reply) => 'wasSent' in reply);
    expect(unanswered).toHaveLength(20);
    for (const reply of unanswered) expect(reply).toMatchObject({ reason: 'broken', wasSent: true });
  });
});
