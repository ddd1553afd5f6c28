import { createSelfSigned } from '../../support/certificate';
import { startRawServer } from '../../support/raw-server';
import { runApiChild } from '../../support/run-api-child';

jest.setTimeout(60_000);

const policy = { enabled: true, value: '{}' };

test('a certificate that nobody vouches for is refused before anything is sent, and the error says how to trust it', async () => {
  const server = await startRawServer((_request, response) => response.end('{}'), {
    tls: createSelfSigned(),
  });
  const [error] = await runApiChild({ settings: { baseUrl: server.url } });
  expect(error).toMatchObject({
    ...{ name: 'ConnectionError', reason: 'tls', outcome: 'not-sent' },
    message: expect.stringMatching(/NODE_EXTRA_CA_CERTS.*DEPTH_ZERO_SELF_SIGNED_CERT/) as unknown,
    inspected: expect.not.stringMatching(/canary|axios/i) as unknown,
  });
  expect(server.requests).toHaveLength(0);
});

test('the certificate is verified even where the environment says not to', async () => {
  const server = await startRawServer((_request, response) => response.end('{}'), {
    tls: createSelfSigned(),
  });
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
  const [error] = await runApiChild({ settings: { baseUrl: server.url }, environment });
  expect(error).toMatchObject({ reason: 'tls' });
  expect(server.requests).toHaveLength(0);
});

test("an authority named in Node's own variable is trusted, and its connections are kept", async () => {
  const certificate = createSelfSigned();
  const server = await startRawServer((_request, response) => response.end(JSON.stringify(policy)), {
    tls: certificate,
  });
  const environment = { NODE_EXTRA_CA_CERTS: certificate.certFile };
  const answers = await runApiChild({ settings: { baseUrl: server.url }, environment, times: 3 });
  expect(answers).toEqual([{ value: policy }, { value: policy }, { value: policy }]);
  expect(server.connections()).toBe(1);
});

test('a certificate for another address is refused', async () => {
  const certificate = createSelfSigned('127.0.0.2');
  const server = await startRawServer((_request, response) => response.end('{}'), { tls: certificate });
  const environment = { NODE_EXTRA_CA_CERTS: certificate.certFile };
  const [error] = await runApiChild({ settings: { baseUrl: server.url }, environment });
  expect(error).toMatchObject({ reason: 'tls', message: expect.stringContaining('ALTNAME') as unknown });
  expect(server.requests).toHaveLength(0);
});
