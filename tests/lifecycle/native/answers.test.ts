// What the plugin answers beside what a resource does: at a preview, about secrets and settings, and to functions.
import { httpsEdgeId, policyId, routeId } from '../../support/ids';
import { calls } from '../../support/native-calls';
import { type Bag, NativePlugin, secretValue, unknown } from '../../support/native-plugin';

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
  const { ruleList: _ruleList, ruleIds: _ruleIds, ...olds } = state;
  const { inputs: news = {} } = await check(setOf('10.0.0.0/8', '192.0.2.0/24'));
  await calls(await plugin.next(), 'IpPolicyRuleSet').update(id, { olds, news });
  expect(plugin.emulator.state().rules).toHaveLength(2);
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
