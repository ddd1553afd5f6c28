import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const base = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };
const rule = program(`new IpPolicyRule('rule', ${literal(base)}); return {};`);

test('a missing key and address: previews on the dynamic host need neither but refuse a wrong one, the first operation says how to set both', async () => {
  const stack = await PulumiStack.create({ program: rule, host: 'dynamic' });
  expect((await stack.preview()).changes).toEqual({ create: 1 });
  const refused = await stack.preview({
    expect: 'failure',
    env: { EDGE_POLICY_BASE_URL: 'http://localhost:4010' },
  });
  expect(refused.errors.join()).toContain('read from EDGE_POLICY_BASE_URL, must start with https://');
  const said = (await stack.up({ expect: 'failure' })).errors.join('\n');
  expect(said).toContain(
    'edge-policy:apiKey is not set: run "pulumi config set --secret edge-policy:apiKey", or set the environment variable EDGE_POLICY_API_KEY',
  );
  expect(said).toContain('edge-policy:baseUrl is not set');
  expect(said).toContain('EDGE_POLICY_BASE_URL');
  expect(ownResources(await stack.state())).toEqual([]);
});

test('the stack configuration wins over the environment, bad values are all named with both places, and a misspelt name with the one that was meant', async () => {
  const { stack, emulator } = await stackOnService({
    program: rule,
    settingsIn: 'config',
    config: { 'edge-policy:requestPerMinute': 60 },
  });
  const made = await stack.up({
    env: { EDGE_POLICY_API_KEY: 'another', EDGE_POLICY_BASE_URL: 'http://127.0.0.1:9' },
  });
  expect(emulator.state().rules).toHaveLength(1);
  expect(made.output).toContain(
    'edge-policy:requestPerMinute is not a setting of this provider and has no effect: did you mean edge-policy:requestsPerMinute?',
  );

  await stack.setConfig({ 'edge-policy:maxConcurrency': 'many', 'edge-policy:apiVersion': '2 3' });
  stack.writeProgram(
    program(`new IpPolicyRule('rule', ${literal({ ...base, description: 'x' })}); return {};`),
  );
  const failed = await stack.up({ expect: 'failure', env: { EDGE_POLICY_MAX_ATTEMPTS: '0' } });
  const said = failed.errors.join('\n');
  expect(said).toContain(
    'edge-policy:maxConcurrency (or EDGE_POLICY_MAX_CONCURRENCY), read from edge-policy:maxConcurrency, must be a whole number from 1 to 256, not "many"',
  );
  expect(said).toContain('edge-policy:apiVersion (or EDGE_POLICY_API_VERSION)');
  expect(said).toContain('read from EDGE_POLICY_MAX_ATTEMPTS, must be a whole number from 1 to 20');
});
