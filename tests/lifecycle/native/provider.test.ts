/* eslint-disable @typescript-eslint/unbound-method -- `NativePlugin.ask` calls the methods on their client */
import { connect } from 'node:net';
import { status } from '@grpc/grpc-js';
import {
  CheckRequest,
  ConfigureRequest,
  DiffRequest,
  DiffResponse,
  GetSchemaRequest,
  InvokeRequest,
  ParameterizeRequest,
  ProviderHandshakeRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { PACKAGE_VERSION } from '../../../provider/src/api/client-settings';
import { startServer } from '../../../provider/src/hosts/native/provider-service';
import { Plugin } from '../../../provider/src/hosts/native/plugin';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { deferCleanup } from '../../support/cleanup';
import { writeFeedFiles } from '../../support/feeds/feed-files';
import { folderOf } from '../../support/folder';
import { struct } from '../../support/native-messages';
import { type Bag, NativePlugin, secretValue, unknown } from '../../support/native-plugin';

const urnOf = (name: string): string => `urn:pulumi:dev::project::pulumi:providers:edge-policy::${name}`;

async function checkConfig(plugin: NativePlugin, news: Bag, name = 'default') {
  const request = new CheckRequest().setUrn(urnOf(name)).setNews(struct(news));
  const answer = await plugin.ask(plugin.client.checkConfig, request);
  return {
    inputs: answer.getInputs()?.toJavaScript(),
    failures: answer.getFailuresList().map((failure) => failure.toObject()),
  };
}

async function invoke(plugin: NativePlugin, name: string, args: Bag) {
  const request = new InvokeRequest().setTok(`edge-policy:index:${name}`).setArgs(struct(args));
  const answer = await plugin.ask(plugin.client.invoke, request);
  const failures = answer
    .getFailuresList()
    .map((failure) => `${failure.getReason()} (${failure.getProperty()})`);
  return { found: answer.getReturn()?.toJavaScript(), failures };
}

test('what the engine asks of every plugin is answered', async () => {
  const plugin = await NativePlugin.start();
  const { client } = plugin;
  const shaken = await plugin.ask(client.handshake, new ProviderHandshakeRequest());
  expect(shaken.getAcceptSecrets()).toBe(true);
  expect((await plugin.ask(client.getPluginInfo, new Empty())).getVersion()).toBe(PACKAGE_VERSION);
  const schema = await plugin.ask(client.getSchema, new GetSchemaRequest());
  expect(JSON.parse(schema.getSchema())).toMatchObject({ name: 'edge-policy', version: PACKAGE_VERSION });
  await expect(plugin.ask(client.parameterize, new ParameterizeRequest())).rejects.toMatchObject({
    code: status.UNIMPLEMENTED,
  });
});

test('CheckConfig: a setting that is not known yet is neither missing nor wrong', async () => {
  const given = { apiKey: unknown.string, baseUrl: unknown.string, maxAttempts: 3 };
  expect((await checkConfig(await NativePlugin.start(), given)).failures).toEqual([]);
});

test('CheckConfig: all that is missing or wrong is told at once, and the key becomes a secret', async () => {
  const plugin = await NativePlugin.start();
  const { inputs, failures } = await checkConfig(plugin, {
    apiKey: 'a key with blanks',
    maxAttempts: 'often',
    requestPerMinute: 7,
    version: '0.1.0',
    proxy: null,
  });
  expect(failures.map(({ property }) => property)).toEqual(['', '', '']);
  expect(failures.map(({ reason }) => reason.split(' ')[0])).toEqual([
    'edge-policy:apiKey',
    'edge-policy:baseUrl',
    'edge-policy:maxAttempts',
  ]);
  expect(JSON.stringify(failures)).not.toContain('a key with blanks');
  expect(inputs).toMatchObject({ apiKey: secretValue('a key with blanks'), version: '0.1.0' });
  expect(plugin.warnings).toEqual([expect.stringContaining('did you mean edge-policy:requestsPerMinute?')]);
});

test('CheckConfig: a setting that is marked as secret stays one, the address of a proxy becomes one, and neither is in a failure', async () => {
  const plugin = await NativePlugin.start();
  const given = { apiKey: secretValue('key'), baseUrl: secretValue('https://hidden.example.com') };
  const proxy = 'http://user:hidden@proxy.example.com:3128';
  const right = await checkConfig(plugin, { ...given, proxy, apiVersion: '2' });
  expect(right).toEqual({ failures: [], inputs: { ...given, proxy: secretValue(proxy), apiVersion: '2' } });
  const { failures } = await checkConfig(plugin, {
    ...given,
    versionHeader: secretValue('hidden header'),
    maxAttempts: secretValue('hidden-number'),
    proxy: 'user:hidden',
  });
  expect(failures).toHaveLength(3);
  expect(JSON.stringify(failures)).not.toContain('hidden');
});

test('CheckConfig: an explicit provider is told of its arguments', async () => {
  const plugin = await NativePlugin.start();
  const reasonsFor = async (name: string) =>
    (await checkConfig(plugin, { maxAttempts: 'often' }, name)).failures.map(({ reason }) => reason);
  expect(await reasonsFor('second')).toEqual([
    'The argument apiKey of the provider "second" is not set: pass it, or set the environment variable EDGE_POLICY_API_KEY',
    'The argument baseUrl of the provider "second" is not set: pass it, or set the environment variable EDGE_POLICY_BASE_URL',
    expect.stringContaining('The argument maxAttempts of the provider "second" (or') as string,
  ]);
  for (const name of ['default', 'default_0_1_0'])
    expect((await reasonsFor(name))[0]).toMatch(
      /^edge-policy:apiKey is not set: set the environment variable EDGE_POLICY_API_KEY$/,
    );
});

test.each([
  ['second', 'https://one.example.com', 'https://two.example.com', ['baseUrl']],
  ['second', 'https://one.example.com/v2', 'HTTPS://One.example.com:443/v2', []],
  ['second', 'https://one.example.com', unknown.string, []],
  ['second', undefined, 'https://two.example.com', []],
  ['default', 'https://one.example.com', 'https://two.example.com', []],
])('DiffConfig of provider %s: from address %j to %j', async (name, before, now, replaces) => {
  const plugin = await NativePlugin.start();
  const request = new DiffRequest()
    .setUrn(urnOf(name))
    .setOlds(struct(before === undefined ? {} : { baseUrl: before }))
    .setNews(struct({ baseUrl: now }));
  const answer = await plugin.ask(plugin.client.diffConfig, request);
  expect(answer.getReplacesList()).toEqual(replaces);
});

test('DiffConfig: no other setting asks for a replacement', async () => {
  const plugin = await NativePlugin.start();
  const request = new DiffRequest()
    .setUrn(urnOf('default'))
    .setOlds(struct({ apiKey: 'one', version: '0.1.0' }))
    .setNews(struct({ apiKey: 'two', version: '0.2.0' }));
  const answer = await plugin.ask(plugin.client.diffConfig, request);
  expect(answer.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_SOME);
  expect(answer.getDiffsList()).toEqual(['apiKey']);
  expect(answer.getReplacesList()).toEqual([]);
  const same = await plugin.ask(plugin.client.diffConfig, request.setNews(request.getOlds()));
  expect([same.getChanges(), same.getDiffsList()]).toEqual([DiffResponse.DiffChanges.DIFF_NONE, []]);
});

test('functions answer what the service holds, as secrets if they are asked by one', async () => {
  const plugin = await NativePlugin.configured({ maxAttempts: 2 });
  const seeds = [
    { cidr: '10.0.0.0/8', action: 'allow' as const, ip_policy_id: policyId },
    { cidr: '192.0.2.0/24', action: 'deny' as const, ip_policy_id: otherPolicyId },
  ];
  const [first] = plugin.emulator.seed({ rules: seeds });
  const id = first?.id;
  plugin.emulator.remote.modules('tcpModules').set(tcpEdgeId, { enabled: true, value: '{"inbound":[]}' });
  const route = `${httpsEdgeId}/${routeId}`;
  const agents = { enabled: true, allow: [], deny: ['curl'] };
  plugin.emulator.remote.modules('httpsModules').set(route, agents);
  const found = async (name: string, args: Bag) => (await invoke(plugin, name, args)).found;
  const rule = { id, cidr: '10.0.0.0/8', ipPolicyId: policyId };
  expect(await found('getIpPolicyRule', { id })).toMatchObject(rule);
  const hidden = { cidr: secretValue('10.0.0.0/8') };
  expect(await found('getIpPolicyRule', { id: secretValue(id) })).toMatchObject(hidden);
  const missing = found('getIpPolicyRule', { id: secretValue('ipr_vault7') });
  await expect(missing).rejects.toThrow(/^(?![^]*vault7)/);
  const denying = { rules: [{ cidr: '192.0.2.0/24' }] };
  const list = (ipPolicyId: unknown) => found('listIpPolicyRules', { action: 'deny', ipPolicyId });
  expect(await list(null)).toMatchObject(denying);
  expect(await list(policyId)).toEqual({ rules: [] });
  const edge = await found('getTcpEdgeTrafficPolicyModule', { edgeId: tcpEdgeId });
  expect(edge).toMatchObject({ value: '{"inbound":[]}' });
  const ofRoute = (edgeId: string, routeId: string) =>
    found('getHttpsEdgeRouteUserAgentFilterModule', { edgeId, routeId });
  expect(await ofRoute(httpsEdgeId, routeId)).toMatchObject(agents);
  // In YAML, only the id of a resource waits for it: of a set, of a module.
  expect(await list(`${otherPolicyId}/set`)).toMatchObject(denying);
  expect(await ofRoute(route, route)).toMatchObject(agents);
});

test('before any setting is known, feedRules alone answers: what the lock holds, or what to do where it cannot', async () => {
  const folder = folderOf();
  writeFeedFiles(folder, {
    cdn: { source: { publisher: 'cloudflare' }, networks: ['20.0.0.0/24', '2a00:1450::/32'] },
    hooks: { source: { publisher: 'fastly' }, networks: ['20.0.0.0/24'] },
  });
  const plugin = await NativePlugin.start();
  const rules = [
    { cidr: '20.0.0.0/24', action: 'deny', description: 'feeds cdn, hooks' },
    { cidr: '2a00:1450::/32', action: 'deny', description: 'feed cdn' },
  ];
  const args = { path: folder, feeds: 'hooks, cdn', action: 'deny' };
  expect((await invoke(plugin, 'feedRules', args)).found).toEqual({ rules });
  await expect(invoke(plugin, 'feedRules', { ...args, feeds: 'cnd' })).rejects.toThrow(
    'There is no feed "cnd"; declared feeds: cdn, hooks.',
  );
  await expect(invoke(plugin, 'listIpPolicyRules', {})).rejects.toThrow(
    'The engine has not configured this provider yet.',
  );
});

test('functions refuse wrong arguments, unknown ones, and names that are none', async () => {
  const plugin = await NativePlugin.configured();
  const wrong = await invoke(plugin, 'listIpPolicyRules', { action: 'alow', policy: 1 });
  expect(wrong.failures).toEqual([
    'must be allow or deny, not "alow" (action)',
    'is not an argument of this function, which takes ipPolicyId, action (policy)',
  ]);
  expect((await invoke(plugin, 'getIpPolicyRule', {})).failures).toEqual(['is required (id)']);
  await expect(invoke(plugin, 'getIpPolicyRule', { id: unknown.string })).rejects.toThrow('not known yet');
  await expect(invoke(plugin, 'toString', {})).rejects.toMatchObject({ code: status.NOT_FOUND });
  expect(plugin.emulator.journal).toEqual([]);
});

test.each([
  ['getIpPolicyRule', { id: policyId }, 'an IP policy rule id starts with ipr_'],
  ['listIpPolicyRules', { ipPolicyId: 'foo' }, 'an IP policy id starts with ipp_'],
  [
    'getHttpsEdgeRouteUserAgentFilterModule',
    { edgeId: httpsEdgeId, routeId: httpsEdgeId },
    'an HTTPS edge route id starts with edghtsrt_',
  ],
] as const)('%s of %j names the prefix, and sends nothing', async (name, args, expected) => {
  const plugin = await NativePlugin.configured();
  await expect(invoke(plugin, name, args)).rejects.toThrow(expected);
  expect(plugin.emulator.journal).toEqual([]);
});

test('a second Configure with other settings is refused, and the first one stays in force', async () => {
  const plugin = await NativePlugin.configured();
  const configure = (settings: Bag) =>
    plugin.ask(plugin.client.configure, new ConfigureRequest().setArgs(struct(settings)));
  const elsewhere = { baseUrl: 'http://127.0.0.1:9', apiKey: plugin.apiKey };
  await expect(configure(elsewhere)).rejects.toMatchObject({ code: status.ALREADY_EXISTS });
  expect((await invoke(plugin, 'listIpPolicyRules', {})).found).toEqual({ rules: [] });
});

test('the plugin listens on the loopback interface and nowhere else', async () => {
  const { server, port } = await startServer(new Plugin(() => undefined));
  deferCleanup(() => {
    server.forceShutdown();
  });
  const canConnect = (host: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ host, port, timeout: 2_000 });
      const end = (isThere: boolean) => () => {
        socket.destroy();
        resolve(isThere);
      };
      socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
    });
  expect(await canConnect('127.0.0.1')).toBe(true);
  // The rest of 127/8 is on the same interface, and only a server that is bound to all of them answers there.
  expect(await canConnect('127.0.0.2')).toBe(false);
});
