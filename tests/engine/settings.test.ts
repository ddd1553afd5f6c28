import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { PulumiStack } from '../support/pulumi-stack';
import { ownResources } from '../support/stack-state';

test('a missing key and address: previews on the dynamic host need neither but refuse a wrong one, the first operation says how to set both', async () => {
  const args = literal({ cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId });
  const rule = program(`new IpPolicyRule('rule', ${args}); return {};`);
  const stack = await PulumiStack.create({ program: rule, host: 'dynamic' });
  expect((await stack.preview()).changes).toEqual({ create: 1 });
  const env = { EDGE_POLICY_BASE_URL: 'http://localhost:4010' };
  const refused = await stack.preview({ expect: 'failure', env });
  expect(refused.errors.join()).toContain('read from EDGE_POLICY_BASE_URL, must start with https://');
  const said = (await stack.up({ expect: 'failure' })).errors.join('\n');
  expect(said).toContain('edge-policy:apiKey is not set: set the environment variable EDGE_POLICY_API_KEY');
  expect(said).toMatch(/edge-policy:baseUrl is not set: .*EDGE_POLICY_BASE_URL/);
  expect(ownResources(await stack.state())).toEqual([]);
});
