import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { PulumiStack } from '../support/pulumi-stack';
import { ownResources } from '../support/stack-state';

const base = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };
const rule = program(`new IpPolicyRule('rule', ${literal(base)}); return {};`);

test('a missing key and address: previews on the dynamic host need neither, the first operation says how to set both', async () => {
  const stack = await PulumiStack.create({ program: rule, host: 'dynamic' });
  expect((await stack.preview()).changes).toEqual({ create: 1 });
  const said = (await stack.up({ expect: 'failure' })).errors.join('\n');
  expect(said).toContain('edge-policy:apiKey is not set: set the environment variable EDGE_POLICY_API_KEY');
  expect(said).toContain('edge-policy:baseUrl is not set');
  expect(said).toContain('EDGE_POLICY_BASE_URL');
  expect(ownResources(await stack.state())).toEqual([]);
});
