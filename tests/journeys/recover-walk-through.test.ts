import { commandsOf, installedModules, runLine } from '../support/documentation';
import { policyId } from '../support/ids';
import { killBehindEffect } from '../support/killed-run';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';

test('docs/recovery.md: the steps after a killed run work as they are written', async () => {
  const site = await stackOnService({
    program: program(`
      for (const cidr of ['10.0.0.0/16', '10.1.0.0/16']) {
        new IpPolicyRule(cidr, { ipPolicyId: '${policyId}', action: 'allow', cidr });
      }
      return {};`),
    nodeModules: installedModules(),
    // Recover waits for so long, among other things.
    env: { EDGE_POLICY_REQUEST_TIMEOUT_SECONDS: '5' },
  });
  const { stack, emulator } = site;
  await killBehindEffect(site, 'up', { methods: ['POST'], count: 2 });
  emulator.remote.deleteRule(emulator.state().rules[0]?.id ?? '');
  await stack.call(['stack', 'select']);

  for (const line of commandsOf('recovery.md'))
    await runLine(stack, line, line === 'npx --no-install pulumi-edge-policy-cli recover' ? 1 : 0);
  expect(emulator.state().rules).toHaveLength(2);
});
