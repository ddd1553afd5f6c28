import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { start } from '../../emulator/src/index';
import { deferCleanup } from '../support/cleanup';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { program } from '../support/programs';
import { PulumiStack } from '../support/pulumi-stack';
import { stateFile, withoutPlaces } from '../support/stack-files';

const recordings = path.join(__dirname, 'recorded-states');
const identity = { project: 'upgrade', stack: 'dev' };

/** State holds the settings of the explicit provider and marks of both, so address and key are those of the recording. */
const PORT = 28_417;
const settings = {
  baseUrl: `http://127.0.0.1:${PORT}`,
  apiKey: 'key-of-the-recorded-states-5f0c7a1e93b24d68',
};

/** A resource of each type. */
const each = (name: string, edge: string, options = '') => `
  new IpPolicyRule('${name}rule', { ipPolicyId, action: 'deny', cidr: '10.0.0.0/8', description: 'recorded', metadata: '{}' }${options});
  new IpPolicyRule('${name}secret', { ipPolicyId, action: 'allow', cidr: '2001:db8::1', description: pulumi.secret('recorded') }${options});
  new IpPolicyRuleSet('${name}set', {
    ipPolicyId: otherPolicyId,
    rules: [{ cidr: '192.0.2.0/24', action: 'allow' }, { cidr: '2001:db8::/32', action: 'deny', description: 'recorded' }],
  }${options});
  new TcpEdgeTrafficPolicyModule('${name}policy', {
    edgeId: '${tcpEdgeId}${edge}',
    value: { inbound: [{ name: 'one', expressions: ["conn.client_ip == '192.0.2.1'"], actions: [{ type: 'deny' }] }] },
  }${options});
  new HttpsEdgeRouteUserAgentFilterModule('${name}filter', {
    edgeId: '${httpsEdgeId}', routeId: '${routeId}${edge}', allow: ['^Mozilla/'], deny: ['curl', 'wget'], enabled: false,
  }${options});
`;

/** Never edited but for resources that are new: it has to mean the same to every later version. */
const recorded = program(`
  let [ipPolicyId, otherPolicyId] = ['${policyId}', '${otherPolicyId}'];
  ${each('', '')}
  const provider = new Provider('account', { apiKey: '${settings.apiKey}', baseUrl: '${settings.baseUrl}', maxConcurrency: 4 });
  [ipPolicyId, otherPolicyId] = ['${policyId}2', '${otherPolicyId}2'];
  ${each('its-', '2', ', { provider }')}
  return {};
`);

if (process.env['RECORD_STATE'] !== undefined) {
  test.each(['dynamic', 'native'] as const)('a state of this version is recorded: %s', async (host) => {
    const service = await start({ accounts: { [settings.apiKey]: 'default' }, port: PORT });
    deferCleanup(() => service.close());
    const stack = await PulumiStack.create({ program: recorded, ...identity, ...settings, host });
    await stack.up();
    const state = readFileSync(stateFile(stack.folder.backend, identity), 'utf8');
    mkdirSync(recordings, { recursive: true });
    const file = path.join(recordings, `${process.env['RECORD_STATE'] ?? ''}.${host}.json`);
    writeFileSync(file, `${withoutPlaces(state)}\n`);
  });
}

// Nothing listens at the address: a preview that sends a request fails.
test.each(readdirSync(recordings))('a state recorded as %s previews without a change', async (file) => {
  const host = file.includes('native') ? 'native' : 'dynamic';
  const stack = await PulumiStack.create({ program: recorded, ...identity, ...settings, host });
  writeFileSync(stateFile(stack.folder.backend, identity), readFileSync(path.join(recordings, file)));
  const result = await stack.preview({ args: ['--diff'] });
  expect(result.changes).toEqual({});
  expect(result.steps.filter(({ op }) => op === 'same')).toHaveLength(10);
  // Providers count, too.
  expect(result.stdout).toMatch(/^Resources:\n +\d+ unchanged\n/m);
  expect(result.markedProperties).toEqual([]);
});
