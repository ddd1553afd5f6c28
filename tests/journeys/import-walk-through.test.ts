import { commandsOf, emptyProjectOnService, runLine } from '../support/documentation';
import { policyId } from '../support/ids';
import { ownResources } from '../support/stack-state';

test('docs/adopt.md: the walk-through works as it is written', async () => {
  const { stack, emulator } = await emptyProjectOnService();
  const cidrs = Array.from({ length: 12 }, (_, index) => `10.${index}.0.0/16`);
  emulator.seed({ rules: cidrs.map((cidr) => ({ cidr, action: 'allow', ip_policy_id: policyId })) });

  for (const line of commandsOf('adopt.md')) await runLine(stack, line);
  expect(ownResources(await stack.state())).toHaveLength(12);
});
