import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { stateFile, withoutPlaces } from '../support/stack-files';
import { testedHost } from '../support/tested-host';

const recordings = path.join(__dirname, 'recorded-states');
const identity = { project: 'upgrade', stack: 'dev' };

/** Never edited but for resources that are new: it has to mean the same to every later version. */
const recorded = program(`
  const ipPolicyId = '${policyId}';
  new IpPolicyRule('rule', { ipPolicyId, action: 'deny', cidr: '10.0.0.0/8', description: 'recorded', metadata: '{}' });
  new IpPolicyRule('secret', { ipPolicyId, action: 'allow', cidr: '2001:db8::1', description: pulumi.secret('recorded') });
  new IpPolicyRuleSet('set', {
    ipPolicyId: '${otherPolicyId}',
    rules: [{ cidr: '192.0.2.0/24', action: 'allow' }, { cidr: '2001:db8::/32', action: 'deny', description: 'recorded' }],
  });
  new TcpEdgeTrafficPolicyModule('policy', {
    edgeId: '${tcpEdgeId}',
    value: { inbound: [{ name: 'one', expressions: ["conn.client_ip == '192.0.2.1'"], actions: [{ type: 'deny' }] }] },
  });
  new HttpsEdgeRouteUserAgentFilterModule('filter', {
    edgeId: '${httpsEdgeId}', routeId: '${routeId}', allow: ['^Mozilla/'], deny: ['curl', 'wget'], enabled: false,
  });
  return {};
`);

if (process.env['RECORD_STATE'] !== undefined) {
  test('a state of this version is recorded', async () => {
    const { stack } = await stackOnService({ program: recorded, ...identity });
    await stack.up();
    const state = readFileSync(stateFile(stack.folder.backend, identity), 'utf8');
    mkdirSync(recordings, { recursive: true });
    writeFileSync(
      path.join(recordings, `${process.env['RECORD_STATE'] ?? ''}.json`),
      `${withoutPlaces(state)}\n`,
    );
  });
}

test.each(readdirSync(recordings))('a state recorded as %s previews without a change', async (file) => {
  const { stack, emulator } = await stackOnService({ program: recorded, ...identity });
  writeFileSync(stateFile(stack.folder.backend, identity), readFileSync(path.join(recordings, file)));
  const result = await stack.preview({ args: ['--diff'] });
  // The plugin adds the list that other languages read to a set of the dynamic host.
  const sets = testedHost === 'native' ? 1 : 0;
  expect(result.changes).toEqual(sets === 0 ? {} : { update: sets });
  expect(result.steps.filter(({ op }) => op === 'same')).toHaveLength(5 - sets);
  expect(emulator.journal).toEqual([]);
});
