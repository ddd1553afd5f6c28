import type { Emulator } from '../../emulator/src/index';
import { edgePolicy } from '../support/edge-policy-cli';
import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import type { PulumiStack } from '../support/pulumi-stack';
import { SecretsScan } from '../support/secrets-scan';
import { startService, stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const rule = program(
  `new IpPolicyRule('rule', ${literal({ cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId })}); return {};`,
);

/** A new key of the account that is watched for; the old one stays valid until it is revoked. */
const issueKey = (stack: PulumiStack, emulator: Emulator): string => {
  const key = SecretsScan.makeUp('rotated-key');
  stack.secrets.watch('rotated key', key);
  emulator.issueKey(key);
  return key;
};

/** The doctor's line about the key in state. */
const keyInState = async (
  stack: PulumiStack,
  env: NodeJS.ProcessEnv = {},
): Promise<{ status: string; detail: string }> => {
  const { stdout } = await edgePolicy(stack, ['doctor', '--json', '--stack', 'dev'], { env });
  const findings = JSON.parse(stdout) as { what: string; status: string; detail: string }[];
  const found = findings.find(({ what }) => what === 'key in state');
  if (found === undefined) throw new Error(`the doctor says nothing about the key in state: ${stdout}`);
  return found;
};

test('a key that is revoked too early locks refresh and destroy out, and the message tells both ways back', async () => {
  const service = await startService();
  const { stack, emulator } = await stackOnService({ program: rule, settingsIn: 'config' }, service);
  await stack.up();
  const second = issueKey(stack, emulator);
  await stack.setConfig({ 'edge-policy:apiKey': { secret: second } });
  expect(await keyInState(stack)).toMatchObject({
    status: 'red',
    detail: expect.stringContaining('a different key from the one set now') as string,
  });
  emulator.revokeKey(service.apiKey);
  for (const locked of [
    await stack.refresh({ expect: 'failure' }),
    await stack.up({ args: ['--refresh'], expect: 'failure' }),
    await stack.destroy({ expect: 'failure' }),
  ]) {
    const said = locked.errors.join('\n');
    expect(said).toContain('returned 401');
    expect(said).toContain('The key was read from edge-policy:apiKey. A refresh');
    expect(said).toContain('"pulumi refresh --run-program" or "pulumi destroy --run-program"');
  }
  expect(ownResources(await stack.state())).toHaveLength(1);

  await stack.refresh({ args: ['--run-program'] });
  expect(await keyInState(stack)).toMatchObject({ status: 'ok' });
  await stack.refresh();

  const third = issueKey(stack, emulator);
  await stack.setConfig({ 'edge-policy:apiKey': { secret: third } });
  emulator.revokeKey(second);
  await stack.destroy({ args: ['--run-program'] });
  expect(emulator.state().rules).toEqual([]);
});

test('rotated as documented, configuration first and then to the environment, every command goes on working', async () => {
  const service = await startService();
  const { stack, emulator } = await stackOnService({ program: rule, settingsIn: 'config' }, service);
  await stack.up();
  const second = issueKey(stack, emulator);
  await stack.setConfig({ 'edge-policy:apiKey': { secret: second } });
  await stack.refresh();
  await stack.up();
  emulator.revokeKey(service.apiKey);
  await stack.refresh();

  const third = { EDGE_POLICY_API_KEY: issueKey(stack, emulator) };
  await stack.call(['config', 'rm', 'edge-policy:apiKey']);
  expect(await keyInState(stack, third)).toMatchObject({ status: 'red' });
  await stack.up({ env: third });
  expect(await keyInState(stack, third)).toMatchObject({ status: 'ok', detail: 'none' });
  emulator.revokeKey(second);
  await stack.refresh({ env: third });
  await stack.destroy({ env: third });
  expect(emulator.state().rules).toEqual([]);
});
