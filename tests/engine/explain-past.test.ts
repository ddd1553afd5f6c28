import { edgePolicy } from '../support/edge-policy-cli';
import { policyId } from '../support/ids';
import { startRawServer } from '../support/raw-server';
import { stackOnService } from '../support/service-stack';

const office = `const { IpPolicyRule } = require('pulumi-edge-policy');
new IpPolicyRule('office', { ipPolicyId: '${policyId}', action: 'allow', cidr: '203.0.113.0/24' });`;

test.each([
  ['as it is', {}],
  ['compressed', { PULUMI_SELF_MANAGED_STATE_GZIP: 'true' }],
])('explain --at reads the history that the CLI has written, %s', async (_form, env) => {
  const { stack } = await stackOnService({ program: { js: office }, env });
  await stack.up();
  const at = new Date(Date.now() + 1000).toISOString();
  const args = ['explain', '203.0.113.7', '--stack=dev', `--policy=${policyId}`, '--at', at];
  const after = await edgePolicy(stack, args);
  expect(after.stdout).toContain('let in: "203.0.113.7/32" is let in by the allow rule "203.0.113.0/24"');
  expect(after.stderr).toContain('As recorded at ');
  expect(after.isSuccess).toBe(true);
});

/** A backend of the CLI that numbers the states of the stack `me/harness/dev`, by the paths that the CLI calls. */
async function numberedBackend(runs: readonly object[], states: readonly unknown[]) {
  const stackPath = '/api/stacks/me/harness/dev';
  const answers: Record<string, unknown> = {
    '/api/user': { githubLogin: 'me', organizations: [] },
    '/api/capabilities': { capabilities: [] },
    [stackPath]: { orgName: 'me', projectName: 'harness', stackName: 'dev', version: states.length },
    [`${stackPath}/updates`]: { updates: runs },
    [`${stackPath}/export`]: states.at(-1),
    ...Object.fromEntries(states.map((state, index) => [`${stackPath}/export/${index + 1}`, state])),
  };
  const server = await startRawServer(({ url = '' }, response) => {
    const answer = answers[url];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { code: 404, message: `Not Found: ${url}` }));
  });
  return { PULUMI_BACKEND_URL: server.url, PULUMI_ACCESS_TOKEN: 'pul-test' };
}

test('explain --at reads the versions that a backend has numbered, each after its run', async () => {
  const { stack } = await stackOnService({ program: { js: office } });
  const exported = async (): Promise<unknown> => JSON.parse((await stack.call(['stack', 'export'])).stdout);
  await stack.up();
  const open = await exported();
  await stack.destroy();
  const hour = Date.UTC(2026, 2, 14, 2) / 1000;
  const run = (version: number, kind: string, startTime: number) => ({
    ...{ version, kind, startTime, endTime: startTime + 5, message: '', environment: {}, config: {} },
    result: 'succeeded',
  });
  const env = await numberedBackend(
    [run(2, 'destroy', hour + 3600), run(1, 'update', hour)],
    [open, await exported()],
  );
  const asked = (at: string) =>
    edgePolicy(stack, ['explain', '203.0.113.7', '--stack=me/dev', `--policy=${policyId}`, '--at', at], {
      env,
    });
  expect((await asked('2026-03-14T02:30Z')).stdout).toContain('let in: "203.0.113.7/32" is let in');
  expect((await asked('2026-03-14T01:30Z')).stderr).toContain('No run is recorded');
});
