import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { ApiClient } from '../../../provider/src/api/client';
import { createClient } from '../../support/api-client';
import { deferCleanup } from '../../support/cleanup';
import { eventually } from '../../support/eventually';
import { trafficPolicyOf } from '../../support/modules';
import { startRawServer, type RawServer } from '../../support/raw-server';
import { startService } from '../../support/service-stack';

jest.setTimeout(60_000);

const policy = { enabled: true, value: '{"inbound":[]}' };
const policyJson = JSON.stringify(policy);

const get = (client: ApiClient) => trafficPolicyOf(client).get(client.startOperation());

const allClosed = (server: RawServer): Promise<boolean> =>
  eventually('all connections are closed', () => (server.sockets.size === 0 ? true : undefined), 5000);

/** Sends bytes as they are, and ends the connection. */
const raw =
  (...parts: readonly (string | Buffer)[]): RequestListener =>
  (_request, response) => {
    response.socket?.write(Buffer.concat(parts.map((part) => Buffer.from(part))));
    response.socket?.end();
  };

const head = (fields: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`;
const once = { maxAttempts: 1 };

test('connections are kept and shared: many requests, few connections', async () => {
  const server = await startRawServer((_request, response) => response.end(policyJson));
  const client = createClient(server.url, { maxConcurrency: 3 });
  await Promise.all(Array.from({ length: 30 }, () => get(client)));
  expect(server.requests).toHaveLength(30);
  expect(server.connections()).toBeLessThanOrEqual(3);
  client.close();
  await allClosed(server);
});

test.each<[string, RequestListener, string]>([
  [
    'cut inside its compression',
    raw(head('Content-Encoding: gzip\r\nConnection: close'), gzipSync(policyJson).subarray(0, 25)),
    'Error',
  ],
  [
    'not what its compression says',
    raw(head('Content-Encoding: gzip\r\nConnection: close'), 'x'.repeat(50)),
    'ConnectionError',
  ],
  ['followed by something else', raw(head('Connection: close'), `${policyJson}x`), 'AnswerError'],
  ['not HTTP', raw('SSH-2.0-OpenSSH_9.2\r\n'), 'ConnectionError'],
  ['nothing but the end of the connection', raw(), 'ConnectionError'],
])('a body that is %s is no success, and the outcome is ambiguous', async (_how, listener, name) => {
  const server = await startRawServer(listener);
  const client = createClient(server.url, once);
  const put = trafficPolicyOf(client).replace(policy, client.startOperation());
  const error = await put.catch((reason: unknown) => reason);
  expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/canary|axios/i);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: expect.stringMatching(name) as string,
    outcome: 'ambiguous',
    method: 'PUT',
    path: '/edges/tcp/edgtcp_1/traffic_policy',
  });
  expect(server.requests).toHaveLength(1);
});

test('a page of the list may be as large as 64 MiB', async () => {
  const { emulator, apiKey } = await startService();
  const client = createClient(emulator.url, { ...once, apiKey, requestTimeoutMs: 30_000 });
  const list = async (): Promise<number> => {
    let pages = 0;
    for await (const _page of client.listIpPolicyRules(client.startOperation())) pages += 1;
    return pages;
  };
  emulator.fault({ kind: 'huge-body', sizeBytes: 60 * 2 ** 20 });
  expect(await list()).toBe(1);
});

test('a compressed answer is read', async () => {
  const server = await startRawServer((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(policyJson));
  });
  await expect(get(createClient(server.url))).resolves.toEqual({ edgeId: 'edgtcp_1', ...policy });
});

test('proxy variables of the environment are not followed', async () => {
  const second = await startRawServer((_request, response) => response.end('{}'));
  const server = await startRawServer((_request, response) => response.end(policyJson));
  const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'HTTPS_PROXY'];
  const variables = Object.fromEntries(names.map((name) => [name, second.url]));
  const replaced = jest.replaceProperty(process, 'env', { ...process.env, ...variables });
  deferCleanup(() => {
    replaced.restore();
  });
  await expect(get(createClient(server.url))).resolves.toEqual({ edgeId: 'edgtcp_1', ...policy });
  expect(second.connections()).toBe(0);
});

test('a connection that the server closed while it was idle does not cost an attempt', async () => {
  const server = await startRawServer(({ socket }, response) => {
    response.end(policyJson);
    setTimeout(() => socket.destroy(), 20);
  });
  const client = createClient(server.url, once);
  for (let round = 0; round < 3; round += 1) {
    await expect(get(client)).resolves.toEqual({ edgeId: 'edgtcp_1', ...policy });
    await allClosed(server);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(server.connections()).toBe(3);
});
