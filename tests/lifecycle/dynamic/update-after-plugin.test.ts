// What the plugin served last, and the dynamic host serves from now on: a refresh finds the handler in the outputs only.
import { providerReference } from '../../../provider/src/resources/provider-reference';
import { startScene } from '../../support/host';
import { policyId } from '../../support/ids';

test('update: the first one gets the handler into state even if it fails, and loses nothing of it', async () => {
  const scene = await startScene();
  const wanted = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };
  const made = await scene
    .newProcess({}, { clock: scene.clock, host: 'native' })
    .provider('IpPolicyRule')
    .create(wanted);
  const reference = { __provider: providerReference('IpPolicyRule') };
  const host = scene.newProcess({}, { clock: scene.clock, host: 'dynamic' });
  scene.emulator.fault({ method: 'PATCH', path: '/ip_policy_rules/{id}', kind: 'status', status: 422 });
  const edited = { ...wanted, ...reference, description: 'office' };
  const failure: unknown = await host
    .provider('IpPolicyRule')
    .update(made.id, made.outs, edited)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ id: made.id, properties: { ...made.outs, ...reference } });
  expect(String(failure)).toContain('returned 422');
});
