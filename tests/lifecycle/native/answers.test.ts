/* eslint-disable @typescript-eslint/unbound-method -- `NativePlugin.ask` calls the methods on their client */
// What the plugin answers beside what a resource does: at a preview, about secrets and settings, to functions and listings.
import { DiffRequest } from '@pulumi/pulumi/proto/provider_pb';
import { httpsEdgeId, otherPolicyId, policyId, routeId } from '../../support/ids';
import { calls } from '../../support/native-calls';
import { type Bag, NativePlugin, secretValue, unknown, urnOf } from '../../support/native-plugin';

const rule = { ipPolicyId: policyId, action: 'allow', cidr: '10.0.0.0/8' };
const setOf = (...cidrs: string[]): Bag => ({
  ipPolicyId: policyId,
  rules: cidrs.map((cidr) => ({ cidr, action: 'allow' })),
});

test('preview: a create and an update need no settings, and values may be unknown', async () => {
  const plugin = await NativePlugin.start();
  const { create, update } = calls(plugin, 'IpPolicyRule');
  const open = { ...rule, description: unknown.string };
  expect((await create(open, true)).state).toMatchObject({ description: unknown.string });
  const olds = { ...rule, uri: 'https://service.example/1', createdAt: '2030-01-01T00:00:00Z' };
  const updated = await update('ipr_1', { olds, news: open, preview: true });
  expect(updated.state).toMatchObject({ ...olds, description: unknown.string });
  expect(plugin.emulator.journal).toEqual([]);
});

test('preview of an update: what follows from a changed field is unknown, and all else is what it was', async () => {
  const plugin = await NativePlugin.configured();
  const { check, create } = calls(plugin, 'IpPolicyRuleSet');
  const inputsOf = async (news: Bag) => (await check(news)).inputs ?? {};
  const { id, state } = await create(await inputsOf(setOf('10.0.0.0/8')));
  const { update } = calls(await plugin.next(), 'IpPolicyRuleSet');
  const previewOf = async (news: Bag) =>
    (await update(id, { olds: state, news: await inputsOf(news), preview: true })).state;
  const { ruleIdList } = state;
  expect(await previewOf({ ...setOf('10.0.0.0/8'), overwriteExisting: true })).toMatchObject({ ruleIdList });
  expect(await previewOf(setOf('10.0.0.0/8', '192.0.2.0/24'))).toMatchObject({ ruleIdList: unknown.string });
});

test('update: a set without its list that has other rules as well is written', async () => {
  const plugin = await NativePlugin.configured();
  const { check, create } = calls(plugin, 'IpPolicyRuleSet');
  const { id, state } = await create((await check(setOf('10.0.0.0/8'))).inputs ?? {});
  const { ruleList: _ruleList, ...olds } = state;
  const { inputs: news = {} } = await check(setOf('10.0.0.0/8', '192.0.2.0/24'));
  await calls(await plugin.next(), 'IpPolicyRuleSet').update(id, { olds, news });
  expect(plugin.emulator.state().rules).toHaveLength(2);
});

test('only an exclusive set asks to be read first', async () => {
  const plugin = await NativePlugin.configured();
  const ofRule = await calls(plugin, 'IpPolicyRule').create(rule);
  const { check, create } = calls(plugin, 'IpPolicyRuleSet');
  const { inputs = {} } = await check({ ...setOf('192.0.2.0/24'), ipPolicyId: otherPolicyId });
  const ofSet = await create(inputs);
  expect([ofRule.isReadFirst, ofSet.isReadFirst]).toEqual([false, false]);
});

test('check: one secret of a list makes the list secret', async () => {
  const plugin = await NativePlugin.configured();
  const deny = ['curl/', secretValue('bad.*bot')];
  const { inputs } = await calls(plugin, 'HttpsEdgeRouteUserAgentFilterModule').check({
    edgeId: httpsEdgeId,
    routeId,
    deny,
  });
  expect(inputs).toMatchObject({ deny: secretValue(['curl/', 'bad.*bot']) });
});

test('diff: how a resource treats what is there is no change of the object', async () => {
  const plugin = await NativePlugin.configured();
  const { check, create } = calls(plugin, 'IpPolicyRule');
  const { inputs = {} } = await check(rule);
  const { id, state } = await create(inputs);
  const { diff } = calls(await plugin.next(), 'IpPolicyRule');
  const answer = await diff(id, {
    olds: state,
    oldInputs: inputs,
    news: { ...inputs, overwriteExisting: true, description: 'office' },
  });
  expect(answer.getDiffsList()).toEqual(['description']);
  expect(answer.getHasdetaileddiff()).toBe(true);
});

test.each([
  ['IpPolicyRuleSet', 'rules[0].description', 'rules'],
  ['IpPolicyRuleSet', 'rules["10.0.0.0/8"]', 'rules'],
  ['TcpEdgeTrafficPolicyModule', 'value.inbound[0]', 'value'],
] as const)('%s: ignoreChanges: %s has no effect, and a warning says so', async (type, ignored, name) => {
  const plugin = await NativePlugin.configured();
  const request = new DiffRequest().setUrn(urnOf(type)).setId(`${policyId}/1`);
  const diff = async (...paths: string[]) =>
    plugin.ask(plugin.client.diff, request.setIgnorechangesList(paths));
  await diff(name, 'enabled', 'of.no.property');
  expect(plugin.warnings).toEqual([]);
  await diff(ignored);
  expect(plugin.warnings).toEqual([
    expect.stringMatching(`^ignoreChanges: .*has no effect.* as a single text.*ignore ${name}\\.$`) as string,
  ]);
  expect(plugin.warnings[0]).toContain(ignored);
});

test("a path into a list is the engine's own affair", async () => {
  const plugin = await NativePlugin.configured();
  const urn = urnOf('HttpsEdgeRouteUserAgentFilterModule');
  const request = new DiffRequest().setUrn(urn).setIgnorechangesList(['allow[0]']);
  await plugin.ask(plugin.client.diff, request.setId(`${httpsEdgeId}/${routeId}`));
  expect(plugin.warnings).toEqual([]);
});
