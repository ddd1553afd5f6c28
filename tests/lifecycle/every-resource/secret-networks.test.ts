// The dynamic host cannot know which networks of a state are secret, so no message about what leaves a state names one.
import type { Host, ResourceType } from '../../../provider/src/resources/provider-reference';
import { type Bag, startScene } from '../../support/host';
import { policyId } from '../../support/ids';
import { StandInEngine } from '../../support/stand-in-engine';
import { failureOf } from '../ip-policy-rule-set/driver';

const [secret, kept] = ['198.18.77.0/24', '192.0.2.0/24'];
const rulesOf = (...networks: string[]): Bag => ({
  ipPolicyId: policyId,
  rules: JSON.stringify(networks.map((cidr) => ({ cidr, action: 'deny' }))),
});
const single: Bag = { ipPolicyId: policyId, cidr: secret, action: 'deny' };
const hosts: readonly Host[] = ['dynamic', 'native'];
const types: readonly (readonly [ResourceType, Bag])[] = [
  ['IpPolicyRule', single],
  ['IpPolicyRuleSet', rulesOf(secret, kept)],
];

/** The inputs as the program gives them: the class names the secret ones, or the engine marks them. */
const marked = (type: ResourceType, inputs: Bag): Bag => ({
  ...inputs,
  __secretInputs: [type === 'IpPolicyRule' ? 'cidr' : 'rules'],
});

test.each(hosts.flatMap((host) => types.map(([type, inputs]) => [host, type, inputs] as const)))(
  '%s host: a refresh and a destroy of an %s hide its secret network in a message of the service',
  async (host, type, inputs) => {
    const scene = await startScene();
    const { id, outs } = await scene.newProcess({}, { host }).create(type, marked(type, inputs));
    const msg = `The rule for ${secret} is locked.`;
    scene.emulator.fault({ kind: 'status', status: 403, body: { status_code: 403, msg }, times: 'always' });
    const provider = scene.newProcess({}, { host }).provider(type);
    const messages = await Promise.all([
      failureOf(provider.read(id, marked(type, outs))),
      failureOf(provider.delete(id, marked(type, outs))),
    ]);
    for (const message of messages) expect(message).toMatch(/^(?![^]*198\.18\.77)[^]*is locked/);
  },
);

test('dynamic host: a destroy hides the networks of creates of a set that were lost', async () => {
  const scene = await startScene();
  const engine = new StandInEngine(() => scene.newProcess({}, { host: 'dynamic' }));
  const msg = `The list with ${kept} and ${secret} is locked.`;
  scene.emulator.fault({ method: 'POST', kind: 'reset', when: 'after', times: 2 });
  const locked = { kind: 'status', status: 403, body: { status_code: 403, msg }, times: 'always' } as const;
  scene.emulator.fault({ method: 'GET', ...locked });
  await engine.up([
    { type: 'IpPolicyRuleSet', name: 'set', inputs: marked('IpPolicyRuleSet', rulesOf(secret, kept)) },
  ]);
  const { errors } = await engine.destroy();
  expect(String(errors)).toMatch(/is locked/);
  expect(String(errors)).not.toMatch(/198\.18\.77|192\.0\.2/);
});

test('dynamic host: an update of a set hides the network that leaves, and no other', async () => {
  const scene = await startScene();
  const { id, outs } = await scene
    .newProcess({}, { host: 'dynamic' })
    .create('IpPolicyRuleSet', rulesOf(secret, kept));
  const host = scene.newProcess({}, { host: 'dynamic' });
  const news = await host.checked('IpPolicyRuleSet', rulesOf(kept), outs);
  const msg = `The rules for ${secret} and ${kept} are locked.`;
  scene.emulator.fault({ method: 'DELETE', kind: 'status', status: 403, body: { status_code: 403, msg } });
  const failure = host.provider('IpPolicyRuleSet').update(id, outs, news);
  await expect(failure).rejects.toMatchObject({
    reasons: expect.arrayContaining([expect.stringContaining(`for *** and ${kept} are`)]) as string[],
  });
});
