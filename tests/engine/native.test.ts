import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_VERSION } from '../../provider/src/api/client-settings';
import { edgePolicy } from '../support/edge-policy-cli';
import { policyId } from '../support/ids';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';
import { checkout } from '../support/workspace';

const runPlugin = async (...args: string[]): Promise<string> => {
  const file = path.join(checkout, 'provider', 'plugin', 'pulumi-resource-edge-policy');
  return (await promisify(execFile)(process.execPath, [file, ...args], { timeout: 30_000 })).stdout;
};

test('native: the plugin prints its version and its use, and ends', async () => {
  expect(await runPlugin('--version')).toBe(`${PACKAGE_VERSION}\n`);
  const help = await runPlugin('--help');
  expect(help).toContain('Pulumi starts it by itself');
  await expect(runPlugin()).rejects.toMatchObject({ code: 2, stdout: help });
});

test('native: the address of the engine is found behind the flags of its log: without an engine the plugin ends', async () => {
  await expect(runPlugin('-logtostderr', '-v=9', '127.0.0.1:1')).rejects.toMatchObject({
    killed: false,
    code: 1,
  });
});

test('native: "pulumi import", the option "import" and the command "import" bring a rule in, and nothing is left to do', async () => {
  const account = `const provider = new Provider('second', { apiKey: process.env.EDGE_POLICY_API_KEY, baseUrl: process.env.EDGE_POLICY_BASE_URL });`;
  const { stack, emulator } = await stackOnService({ program: program('return {};'), host: 'native' });
  const seeds = ['10.0.0.0/8', '192.0.2.0/24', '198.51.100.0/24'].map((cidr) => ({
    cidr,
    action: 'allow' as const,
    ip_policy_id: policyId,
  }));
  const [one, other, third] = emulator.seed({ rules: seeds });
  await stack.call(
    ['import', 'edge-policy:index:IpPolicyRule', 'one', one?.id ?? '', '--yes', '--skip-preview'],
    { args: ['--protect=false', '--generate-code=false'] },
  );
  const two = `${account}
    new IpPolicyRule('one', { ipPolicyId: '${policyId}', action: 'allow', cidr: '10.0.0.0/8' });
    new IpPolicyRule('other', { ipPolicyId: '${policyId}', action: 'allow', cidr: '192.0.2.0/24' }, { import: '${other?.id ?? ''}' });
  `;
  stack.writeProgram(program(`${two} return {};`));
  emulator.clearJournal();
  expect((await stack.up()).changes).toEqual({ import: 1 });
  expect(emulator.journal.map(({ method }) => method)).toEqual(['GET']);

  const args = ['import', '--stack', 'dev', '--all', '--provider', 'second', '--run'];
  await edgePolicy(stack, args);
  stack.writeProgram(
    program(
      `${two} new IpPolicyRule('allow-198.51.100.0-24', { ipPolicyId: '${policyId}', action: 'allow', cidr: '198.51.100.0/24' }, { provider }); return {};`,
    ),
  );
  await stack.expectEmptyPreview();
  expect(ownResources(await stack.state()).map(({ id }) => id)).toEqual([third?.id, one?.id, other?.id]);
});
