import { edgePolicy } from '../support/edge-policy-cli';
import { policyId } from '../support/ids';
import { stackOnService } from '../support/service-stack';

const office = `const { IpPolicyRule } = require('pulumi-edge-policy');
new IpPolicyRule('office', { ipPolicyId: '${policyId}', action: 'allow', cidr: '203.0.113.0/24' });`;

test.each([
  ['as it is', {}],
  ['compressed', { PULUMI_SELF_MANAGED_STATE_GZIP: 'true' }],
])('explain --at reads the history that the CLI has written, %s', async (_form, env) => {
  const { stack } = await stackOnService({ program: { js: office }, env });
  await stack.up();
  const { stdout } = await stack.call(['stack', 'history', '--json']);
  const [run] = JSON.parse(stdout) as { startTime: string; endTime: string }[];
  const asked = (near = '', seconds: number) => {
    const at = new Date(Date.parse(near) + 1000 * seconds).toISOString();
    return edgePolicy(stack, ['explain', '203.0.113.7', '--stack=dev', `--policy=${policyId}`, '--at', at]);
  };
  const after = await asked(run?.endTime, 1);
  expect(after.stdout).toContain('let in: "203.0.113.7/32" is let in by the allow rule "203.0.113.0/24"');
  expect(after.stderr).toContain('As recorded at ');
  expect(after.isSuccess).toBe(true);
  expect((await asked(run?.startTime, -60)).stderr).toContain('No run is recorded');
});
