/* eslint-disable @typescript-eslint/unbound-method -- `NativePlugin.ask` calls the methods on their client */
// What the plugin answers beside what a resource does: at a preview, about secrets and settings, to functions and listings.
import { DiffRequest, DiffResponse, InvokeRequest, ListRequest } from '@pulumi/pulumi/proto/provider_pb';
import { httpsEdgeId, otherPolicyId, policyId, routeId } from '../../support/ids';
import { calls } from '../../support/native-calls';
import { struct } from '../../support/native-messages';
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

test('DiffConfig: equal settings are no change, and another spelling of an address leads nowhere else', async () => {
  const plugin = await NativePlugin.start();
  const compare = (before: string, now: string) =>
    plugin.ask(
      plugin.client.diffConfig,
      new DiffRequest()
        .setUrn('urn:pulumi:dev::project::pulumi:providers:edge-policy::own')
        .setOlds(struct({ baseUrl: before }))
        .setNews(struct({ baseUrl: now })),
    );
  const address = 'https://service.example/v2';
  const same = await compare(address, address);
  expect([same.getChanges(), same.getDiffsList()]).toEqual([DiffResponse.DiffChanges.DIFF_NONE, []]);
  for (const [before, now] of [
    [address, `${address}//`],
    [`${address}//`, address],
    [address, 'HTTPS://Service.example:443/v2'],
  ] as const) {
    const spelled = await compare(before, now);
    expect(spelled.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_SOME);
    expect(spelled.getReplacesList()).toEqual([]);
  }
});

describe('rules by condition', () => {
  const start = async () => {
    const plugin = await NativePlugin.configured();
    plugin.emulator.seed({
      rules: [
        { cidr: '10.0.0.0/8', action: 'allow', ip_policy_id: policyId },
        { cidr: '192.0.2.0/24', action: 'deny', ip_policy_id: policyId },
        { cidr: '198.51.100.0/24', action: 'allow', ip_policy_id: otherPolicyId },
      ],
    });
    return plugin;
  };
  const call = async (plugin: NativePlugin, args: Bag) => {
    const request = new InvokeRequest().setTok('edge-policy:index:listIpPolicyRules').setArgs(struct(args));
    const answer = await plugin.ask(plugin.client.invoke, request);
    const found = answer.getReturn()?.toJavaScript() as { rules: { cidr: string }[] } | undefined;
    const failures = answer.getFailuresList().map((failure) => failure.getReason());
    return { cidrs: found?.rules.map(({ cidr }) => cidr).sort(), failures };
  };

  test('a function answers those that meet all conditions', async () => {
    const plugin = await start();
    expect((await call(plugin, {})).cidrs).toEqual(['10.0.0.0/8', '192.0.2.0/24', '198.51.100.0/24']);
    expect((await call(plugin, { action: 'allow' })).cidrs).toEqual(['10.0.0.0/8', '198.51.100.0/24']);
    expect((await call(plugin, { action: 'allow', ipPolicyId: policyId })).cidrs).toEqual(['10.0.0.0/8']);
    expect((await call(plugin, { ipPolicyId: 7 })).failures).toEqual(['ipPolicyId: must be a string']);
  });

  test('a listing names each by its action and network', async () => {
    const plugin = await start();
    const request = new ListRequest()
      .setToken('edge-policy:index:IpPolicyRule')
      .setQuery(struct({ action: 'deny' }));
    expect(await plugin.list(request)).toMatchObject([{ name: 'deny 192.0.2.0/24' }]);
  });
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
    expect.stringMatching(`^ignoreChanges: .*has no effect.* as one text.*ignore ${name}\\.$`) as string,
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
