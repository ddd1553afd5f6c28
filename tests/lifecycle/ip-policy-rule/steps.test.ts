import { startScene } from '../../support/host';
import { policyId } from '../../support/ids';

const inputs = { cidr: '10.0.0.0/8', action: 'allow', ipPolicyId: policyId };
const office = { type: 'IpPolicyRule', name: 'office', inputs } as const;

test('update: another network and a description change the rule in place', async () => {
  const { emulator, stack } = await startScene();
  expect(await stack.up(office)).toEqual(['create']);
  const [created] = emulator.state().rules;
  const edited = { ...inputs, cidr: '10.0.0.0/9', description: 'office' };
  expect(await stack.up({ ...office, inputs: edited })).toEqual(['update']);
  expect(emulator.state().rules).toMatchObject([
    { id: created?.id, cidr: '10.0.0.0/9', description: 'office' },
  ]);
});

test('update: another action replaces the rule', async () => {
  const { emulator, stack } = await startScene();
  await stack.up(office);
  const denied = { ...office, inputs: { ...inputs, action: 'deny' } };
  expect(await stack.up(denied)).toEqual(['replace', 'create-replacement']);
  expect(emulator.state().rules).toMatchObject([{ action: 'deny' }]);
  expect(await stack.up(denied)).toEqual([]);
});

test('delete: a rule that is already gone counts as deleted', async () => {
  const { emulator, stack } = await startScene();
  await stack.up(office);
  emulator.remote.deleteRule(stack.state[0]?.id ?? '');
  expect(await stack.destroy()).toEqual(['delete']);
  expect(stack.state).toEqual([]);
});
