import { startConnectProxy } from '../../support/connect-proxy';
import { freePort } from '../../support/listening';
import { trafficPolicyOf } from '../../support/modules';
import { startRawServer, startTlsServer } from '../../support/raw-server';
import { runApiChild } from '../../support/run-api-child';
import { canaryKey, createClient } from '../../support/api-client';

jest.setTimeout(60_000);

const policy = { edgeId: 'edgtcp_1', enabled: true, value: '{}' };

const startService = async () => {
  const { server, trusting } = await startTlsServer((_request, response) =>
    response.end(JSON.stringify(policy)),
  );
  return { service: server, environment: trusting };
};

test('https goes through one tunnel of the configured proxy, which sees neither the key nor the path', async () => {
  const { service, environment } = await startService();
  const proxy = await startConnectProxy();
  const settings = { baseUrl: service.url, proxy: proxy.url };
  const answers = await runApiChild({ settings, environment, times: 3 });
  expect(answers).toEqual([{ value: policy }, { value: policy }, { value: policy }]);
  expect(proxy.tunnels).toEqual([`127.0.0.1:${service.port}`]);
  expect(proxy.credentials).toEqual([undefined]);
  expect(proxy.requests).toHaveLength(0);
  expect(proxy.traffic()).not.toMatch(new RegExp(`${canaryKey}|traffic_policy`));
  expect(proxy.traffic().length).toBeGreaterThan(0);
});

test('user name and password of the proxy go to the proxy alone', async () => {
  const { service, environment } = await startService();
  const proxy = await startConnectProxy();
  const settings = { baseUrl: service.url, proxy: proxy.url.replace('://', '://user:p%40ss@') };
  expect(await runApiChild({ settings, environment })).toEqual([{ value: policy }]);
  expect(proxy.credentials).toEqual([`Basic ${Buffer.from('user:p@ss').toString('base64')}`]);
});

test('a proxy that is not there has sent nothing, and its password is not told', async () => {
  const { service, environment } = await startService();
  const proxy = `http://user:canary-password@127.0.0.1:${await freePort()}`;
  const [missing] = await runApiChild({ settings: { baseUrl: service.url, proxy }, environment });
  expect(missing).toMatchObject({ outcome: 'not-sent', reason: 'proxy' });
  expect(JSON.stringify(missing)).not.toContain('canary');
});

test('a loopback address in clear is reached without the proxy', async () => {
  const service = await startRawServer((_request, response) => response.end(JSON.stringify(policy)));
  const proxy = await startConnectProxy();
  const client = createClient(service.url, { proxy: proxy.url });
  expect(await trafficPolicyOf(client).get(client.startOperation())).toMatchObject(policy);
  expect(proxy.connections()).toBe(0);
});
