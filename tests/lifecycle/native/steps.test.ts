/* eslint-disable @typescript-eslint/unbound-method -- `NativePlugin.ask` calls the methods on their client */
import { type ServiceError, status } from '@grpc/grpc-js';
import { CheckRequest, DiffResponse, PropertyDiff } from '@pulumi/pulumi/proto/provider_pb';
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { withoutService } from '../../../provider/src/fields/field';
import { failureIn } from '../../support/native-messages';
import { moduleSamples } from '../../support/module-samples';
import { calls } from '../../support/native-calls';
import { type Bag, keptBy, NativePlugin, secretValue, unknown } from '../../support/native-plugin';

const rule = { ipPolicyId: policyId, action: 'allow', cidr: '10.0.0.0/8' };
const document = {
  inbound: [{ name: 'one', expressions: ["conn.client_ip == '192.0.2.1'"], actions: [{ type: 'deny' }] }],
};

/** A plugin that is configured for a service of its own, and what the engine asks it about one type. */
async function configured(type: ResourceType) {
  const plugin = await NativePlugin.configured();
  return { plugin, ...calls(plugin, type) };
}

const { ADD, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;
const narrower = { ...rule, cidr: '10.0.0.0/9' };
const edited = { ...rule, overwriteExisting: true, description: 'office' };

test.each([
  ['a replacement', { olds: rule, news: { ...rule, action: 'deny' } }, 'action', UPDATE_REPLACE],
  // As after a partial failure: it is no edit of the program.
  ['what differs in state only', { olds: rule, oldInputs: narrower, news: narrower }, 'cidr', UPDATE],
  [
    'an edit, but not how the resource treats what is there',
    { olds: rule, news: edited },
    'description',
    ADD,
  ],
])('diff shows %s', async (_what, bags: { olds: Bag; oldInputs?: Bag; news: Bag }, name, kind) => {
  const { diff } = calls(await NativePlugin.configured(), 'IpPolicyRule');
  const answer = await diff('ipr_1', bags);
  const details = [...answer.getDetaileddiffMap().entries()].map(([of, detail]) => [of, detail.toObject()]);
  expect(details).toEqual([[name, { kind, inputdiff: bags.oldInputs === undefined }]]);
  expect(answer.getDiffsList()).toEqual([name]);
  expect(answer.getHasdetaileddiff()).toBe(true);
  expect(answer.getReplacesList()).toEqual(kind === UPDATE_REPLACE ? [name] : []);
  expect(answer.getDeletebeforereplace()).toBe(kind === UPDATE_REPLACE);
});

test.each<[ResourceType, Bag]>([
  ['IpPolicyRule', { ...rule, cidr: unknown.string, action: unknown.string, description: unknown.string }],
  ['IpPolicyRuleSet', { ipPolicyId: unknown.string, rules: unknown.array, exclusive: unknown.boolean }],
  ['TcpEdgeTrafficPolicyModule', { edgeId: unknown.string, value: unknown.object, enabled: unknown.boolean }],
  [
    'HttpsEdgeRouteUserAgentFilterModule',
    { edgeId: unknown.string, routeId: routeId, allow: unknown.array, deny: [unknown.string], enabled: true },
  ],
])(
  '%s: unknown values of every type pass check, preview and diff, stay unknown, and are never sent',
  async (type, given) => {
    const { plugin, check, create, update, diff } = await configured(type);
    const { inputs = {}, failures } = await check(given);
    expect(failures).toEqual([]);
    const still = Object.entries(given).map(([name, value]) => [
      name,
      isUnknown(value) ? unknown.string : value,
    ]);
    expect(inputs).toMatchObject(Object.fromEntries(still) as Bag);
    expect((await create(inputs, true)).state).toMatchObject(withoutService(inputs));
    expect((await diff('x', { olds: {}, news: inputs })).getChanges()).toBe(
      DiffResponse.DiffChanges.DIFF_SOME,
    );
    await expect(create(inputs)).rejects.toThrow('not known yet');
    const updating = update('x', { olds: { ...inputs, uri: 'u' }, news: inputs });
    await expect(updating).rejects.toThrow('not known yet');
    expect(plugin.emulator.journal).toEqual([]);
  },
);

const isUnknown = (value: unknown): boolean => Object.values<unknown>(unknown).includes(value);

test('a traffic policy may be a document or its text; a value in it that is unknown makes all of it unknown', async () => {
  const { plugin, check } = await configured('TcpEdgeTrafficPolicyModule');
  const asText = await check({ edgeId: tcpEdgeId, value: JSON.stringify(document) });
  const asDocument = await check({ edgeId: tcpEdgeId, value: document });
  expect(asDocument.failures).toEqual([]);
  expect((asText.inputs as Bag)['value']).toMatch(/^\{\n/);
  const { check: checkNext } = calls(await plugin.next(), 'TcpEdgeTrafficPolicyModule');
  const again = await checkNext({ edgeId: tcpEdgeId, value: document }, asText.inputs);
  expect(again.inputs).toEqual(asText.inputs);
  const { check: checkLast } = calls(await plugin.next(), 'TcpEdgeTrafficPolicyModule');
  const open = await checkLast({ edgeId: tcpEdgeId, value: { inbound: [unknown.object] } }, asText.inputs);
  expect(open).toMatchObject({ inputs: { value: unknown.string }, failures: [] });
});

test('import: every type is read by its id alone, with the inputs that a program has to give', async () => {
  const plugin = await NativePlugin.configured();
  const { emulator } = plugin;
  const [live] = emulator.seed({ rules: [{ cidr: '10.0.0.0/8', action: 'allow', ip_policy_id: policyId }] });
  const filter = { enabled: true, allow: [], deny: ['curl'] };
  emulator.remote.modules('httpsModules').set(`${httpsEdgeId}/${routeId}`, filter);
  emulator.remote.modules('tcpModules').set(tcpEdgeId, { enabled: true, value: JSON.stringify(document) });
  const inputs = async (type: ResourceType, id: string): Promise<Bag> => {
    const { read, check, diff } = calls(await plugin.next(), type);
    const found = await read(id);
    // An import and a look-up of nothing but an id ask alike: both keep the id, or every run would look up another resource.
    expect(found.id).toBe(id);
    const checked = await check(found.inputs as Bag);
    expect(checked.failures).toEqual([]);
    // As in the up that follows, and in a refresh before it.
    for (const news of [checked.inputs, found.inputs]) {
      const compared = await diff(found.id, { olds: found.state as Bag, news: news as Bag });
      expect(compared.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_NONE);
    }
    return found.inputs as Bag;
  };
  expect(await inputs('IpPolicyRule', live?.id ?? '')).toEqual(rule);
  expect(await inputs('IpPolicyRuleSet', policyId)).toEqual({
    ipPolicyId: policyId,
    rules: [{ cidr: '10.0.0.0/8', action: 'allow' }],
    exclusive: false,
  });
  expect(await inputs('HttpsEdgeRouteUserAgentFilterModule', `${httpsEdgeId}/${routeId}`)).toMatchObject(
    filter,
  );
  expect(await inputs('TcpEdgeTrafficPolicyModule', tcpEdgeId)).toMatchObject({
    enabled: true,
    value: document,
  });
});

test('only an exclusive set asks to be read first, after a failure too', async () => {
  const { plugin, create, update } = await configured('IpPolicyRuleSet');
  const inputs = { ipPolicyId: policyId, rules: '@rules\n10.0.0.0/8: allow\n', exclusive: true };
  const other = await create({ ...inputs, ipPolicyId: otherPolicyId, exclusive: false });
  const { id, state, isReadFirst } = await create(inputs);
  expect([other.isReadFirst, isReadFirst]).toEqual([false, true]);
  plugin.emulator.fault({ kind: 'status', status: 422, method: 'POST' });
  const news = { ...inputs, rules: '@rules\n10.0.0.0/8: allow\n192.0.2.0/24: allow\n' };
  const failed: unknown = await update(id, { olds: state, news }).catch((error: unknown) => error);
  expect(failed).toMatchObject({
    code: status.UNKNOWN,
    details: expect.stringContaining('1 failed') as string,
  });
  expect(keptBy(failed)).toMatchObject({ id, refreshBeforeUpdate: true });
});

test('cancel: a set that is cut short keeps what it has made, and sends nothing more', async () => {
  const plugin = await NativePlugin.configured({ maxConcurrency: '1' });
  const lines = Array.from({ length: 20 }, (_, index) => `10.0.${index}.0/24: allow\n`);
  const inputs = { ipPolicyId: policyId, rules: `@rules\n${lines.join('')}`, exclusive: false };
  const second = plugin.emulator.hold({ method: 'POST', nth: 2, when: 'before' });
  const creating = calls(plugin, 'IpPolicyRuleSet')
    .create(inputs)
    .catch((error: unknown) => error);
  await second.reached;
  await plugin.cancel();
  second.release();
  const failed = await creating;
  expect(plugin.emulator.state().rules).toHaveLength(2);
  expect(failed).toMatchObject({
    details: expect.stringContaining('because the run was cancelled') as string,
  });
  const kept = keptBy(failed)?.properties?.fieldsMap.find(([name]) => name === 'rules');
  expect(kept?.[1].stringValue.split('\n').filter((line) => line.endsWith('allow'))).toHaveLength(2);
});

test('cancel: what begins afterwards is refused and sends nothing, a delete above all', async () => {
  const earlier = await NativePlugin.configured();
  const { id, state } = await calls(earlier, 'IpPolicyRule').create(rule);
  const plugin = await earlier.next();
  const { create, read, update, delete: remove } = calls(plugin, 'IpPolicyRule');
  await plugin.cancel();
  plugin.emulator.clearJournal();
  await expect(remove(id, state)).rejects.toThrow('cancelled');
  const news = { ...rule, description: 'x' };
  await expect(update(id, { olds: state, news })).rejects.toThrow('cancelled');
  await expect(create({ ...rule, cidr: '192.0.2.0/24' })).rejects.toThrow('cancelled');
  await expect(read(id, state)).rejects.toThrow('cancelled');
  expect(plugin.emulator.journal).toEqual([]);
  expect(plugin.emulator.state().rules).toMatchObject([{ id }]);
});

test('secrets in envelopes and nulls, deep inside and in old state, are what they hold and nothing', async () => {
  const plugin = await NativePlugin.configured();
  const set = calls(plugin, 'IpPolicyRuleSet');
  const office = { action: 'allow', description: secretValue('hidden'), metadata: null };
  const { inputs = {}, failures } = await set.check({
    ipPolicyId: secretValue(policyId),
    rules: secretValue([{ cidr: secretValue('10.0.0.0/8'), ...office }]),
    exclusive: null,
  });
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({
    ipPolicyId: secretValue(policyId),
    rules: secretValue("@rules\n10.0.0.0/8: allow 'hidden'\n"),
  });

  const one = calls(await plugin.next(), 'IpPolicyRule');
  const { id, state } = await one.create(rule);
  const olds = { ...state, cidr: secretValue(rule.cidr), description: null };
  expect((await one.diff(id, { olds, news: rule })).getChanges()).toBe(DiffResponse.DiffChanges.DIFF_NONE);
  plugin.emulator.clearJournal();
  await one.update(id, { olds, news: { ...rule, description: secretValue('x') } });
  expect(plugin.emulator.journal[0]).toMatchObject({ method: 'PATCH', body: { description: 'x' } });
});

const listed = [
  { cidr: '192.0.2.0/24', action: 'deny', metadata: '{"ticket":41}' },
  { cidr: '10.0.0.0/8', action: 'allow', description: 'Office' },
];
const sorted = listed.toReversed();

test('a set answers its rules as a list, known at the preview already: what follows from a changed field is unknown there', async () => {
  const { plugin, check, create } = await configured('IpPolicyRuleSet');
  const { inputs = {} } = await check({ ipPolicyId: policyId, rules: listed });
  const planned = { ruleList: sorted, ruleIds: unknown.string };
  expect((await create(inputs, true)).state).toMatchObject(planned);
  const { id, state } = await create(inputs);
  const liveIds = Object.fromEntries(plugin.emulator.state().rules.map((live) => [live.cidr, live.id]));
  expect(state).toMatchObject({ rules: inputs['rules'], ruleList: sorted, ruleIds: liveIds });
  const fewer = await check({ ipPolicyId: policyId, rules: sorted.slice(0, 1) });
  const news = fewer.inputs ?? {};
  const preview = true;
  const { update, read } = calls(await plugin.next(), 'IpPolicyRuleSet');
  expect((await update(id, { olds: state, news, preview })).state).toMatchObject({
    ruleList: sorted.slice(0, 1),
    ruleIdList: unknown.string,
  });
  const taking = { ...inputs, overwriteExisting: true };
  expect((await update(id, { olds: state, news: taking, preview })).state).toMatchObject({
    ruleIdList: state['ruleIdList'],
  });
  expect((await update(id, { olds: state, news })).state).toMatchObject({ ruleList: sorted.slice(0, 1) });
  const old = { ...state, changedAt: '2020-01-01T00:00:00Z' };
  expect((await read(id, old)).state).toMatchObject({ ruleList: sorted.slice(0, 1) });
});

test('a set of which a part is not known answers no rules at a preview, while its inputs name what is', async () => {
  const { check, create, update } = calls(await NativePlugin.configured(), 'IpPolicyRuleSet');
  const open = { cidr: '198.51.100.0/24', action: 'deny', description: unknown.string };
  const { inputs = {} } = await check({ ipPolicyId: policyId, rules: [...listed, open] });
  expect(inputs['rules']).toContain('198.51.100.0/24: deny (unknown)');
  const notYet = { rules: unknown.string, ruleList: unknown.string };
  expect((await create(inputs, true)).state).toMatchObject(notYet);
  const olds = { ...inputs, rules: '@rules\n', ruleIdList: '', ruleList: [] };
  expect((await update('x', { olds, news: inputs, preview: true })).state).toMatchObject(notYet);
});

test('one secret text makes the rules of a set secret under both names, and nothing else', async () => {
  const { plugin, check, create, update, read } = await configured('IpPolicyRuleSet');
  const rules = [{ cidr: '10.0.0.0/8', action: 'allow', description: secretValue('hidden') }];
  const { inputs = {} } = await check({ ipPolicyId: policyId, rules });
  const isHidden = {
    ipPolicyId: policyId,
    rules: secretValue("@rules\n10.0.0.0/8: allow 'hidden'\n"),
    ruleList: secretValue([{ ...rules[0], description: 'hidden' }]),
    ruleIdList: expect.stringMatching(/^ipr_\w+\n$/) as string,
    ruleIds: secretValue({ '10.0.0.0/8': expect.stringMatching(/^ipr_\w+$/) as string }),
  };
  const { id, state } = await create(inputs);
  expect(state).toMatchObject(isHidden);
  expect((await read(id, state)).state).toMatchObject(isHidden);
  plugin.emulator.fault({ method: 'POST', kind: 'status', status: 422, times: 'always' });
  const news = {
    ...inputs,
    rules: secretValue("@rules\n10.0.0.0/8: allow 'hidden'\n10.1.0.0/16: deny 'hidden'\n"),
  };
  const failure: unknown = await update(id, { olds: state, news }).catch((error: unknown) => error);
  const kept = failureIn(failure as ServiceError)
    ?.getProperties()
    ?.toJavaScript();
  expect(kept).toMatchObject(isHidden);
});

test('a set that the other host has written gets its list by an update, which sends nothing but changed rules; one of an earlier version gets none', async () => {
  const { plugin, check, create } = await configured('IpPolicyRuleSet');
  const { inputs: news = {} } = await check({ ipPolicyId: policyId, rules: listed });
  const { id, state } = await create(news);
  const { ruleList: _ruleList, ruleIds: _ruleIds, ...earlier } = state;
  const olds = { ...earlier, __provider: 'exports.handler=…' };
  plugin.emulator.clearJournal();
  const next = calls(await plugin.next(), 'IpPolicyRuleSet');
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  expect((await next.diff(id, { olds, news })).getChanges()).toBe(DIFF_SOME);
  expect((await next.diff(id, { olds: earlier, news })).getChanges()).toBe(DIFF_NONE);
  expect((await next.update(id, { olds, news })).state).toMatchObject(state);
  expect((await next.diff(id, { olds: { ...olds, ...state }, news })).getChanges()).toBe(DIFF_NONE);
  expect((await next.diff(id, { olds: state, news })).getChanges()).toBe(DIFF_NONE);
  expect(plugin.emulator.journal).toEqual([]);
  const more = await next.check({
    ipPolicyId: policyId,
    rules: [...listed, { cidr: '10.9.0.0/16', action: 'deny' }],
  });
  await next.update(id, { olds, news: more.inputs ?? {} });
  expect(plugin.emulator.state().rules).toHaveLength(3);
});

test.each<[ResourceType, Bag, readonly string[]]>([
  ['IpPolicyRule', rule, ['DELETE', 'POST']],
  ['IpPolicyRuleSet', { ipPolicyId: policyId, rules: listed }, ['DELETE', 'DELETE', 'POST', 'POST']],
  ...moduleSamples.map(({ type, inputs }): [ResourceType, Bag, readonly string[]] => [
    type,
    inputs('declared'),
    ['DELETE', 'GET', 'PUT'],
  ]),
])(
  '%s: a replacement that somebody asks for, deleting first as the option says, neither waits nor warns',
  async (type, given, methods) => {
    const before = await NativePlugin.configured();
    const { inputs = {} } = await calls(before, type).check(given);
    const { id, state } = await calls(before, type).create(inputs);
    before.emulator.clearJournal();
    // The engine asks for no diff then.
    const plugin = await before.next();
    const next = calls(plugin, type);
    await next.check(given, inputs);
    await next.delete(id, state);
    await next.create(inputs);
    expect(plugin.emulator.journal.map(({ method }) => method)).toEqual(methods);
    expect(plugin.warnings).toEqual([]);
  },
);

test('what the engine has not configured reads and writes nothing, and checks and previews all the same', async () => {
  const plugin = await NativePlugin.start();
  const { create, read, update, delete: remove, check } = calls(plugin, 'IpPolicyRule');
  const refused = { code: status.UNKNOWN, details: 'The engine has not configured this provider yet.' };
  await expect(create(rule)).rejects.toMatchObject(refused);
  await expect(read('ipr_1')).rejects.toMatchObject(refused);
  await expect(update('ipr_1', { olds: rule, news: rule })).rejects.toMatchObject(refused);
  await expect(remove('ipr_1', rule)).rejects.toMatchObject(refused);
  expect((await check(rule)).failures).toEqual([]);
  const open = { ...rule, description: unknown.string };
  expect((await create(open, true)).state).toMatchObject({
    ...open,
    uri: unknown.string,
    createdAt: unknown.string,
  });
  const olds = { ...rule, uri: 'https://service.example/1', createdAt: '2030-01-01T00:00:00Z' };
  const updated = await update('ipr_1', { olds, news: open, preview: true });
  expect(updated.state).toMatchObject({ ...olds, description: unknown.string });
});

test('a type that is none of ours is not found', async () => {
  const plugin = await NativePlugin.configured();
  const urn = 'urn:pulumi:dev::project::edge-policy:index:Other::one';
  await expect(plugin.ask(plugin.client.check, new CheckRequest().setUrn(urn))).rejects.toMatchObject({
    code: status.NOT_FOUND,
  });
});

test('a set is not imported by an id of no policy: the error names the prefix, and nothing is read', async () => {
  const { plugin, read } = await configured('IpPolicyRuleSet');
  await expect(read(tcpEdgeId)).rejects.toThrow('an IP policy id starts with ipp_');
  expect(plugin.emulator.journal).toEqual([]);
});

test('a module that is there with other content: the engine can import it, by its id', async () => {
  const plugin = await NativePlugin.configured();
  plugin.emulator.remote
    .modules('tcpModules')
    .set(tcpEdgeId, { enabled: true, value: JSON.stringify(document) });
  const { check, create } = calls(plugin, 'TcpEdgeTrafficPolicyModule');
  const { inputs = {} } = await check({ edgeId: tcpEdgeId, value: { inbound: [] } });
  await expect(create(inputs)).rejects.toThrow(
    `pulumi import edge-policy:index:TcpEdgeTrafficPolicyModule NAME ${tcpEdgeId}. To replace it, set overwriteExisting: true`,
  );
});

test('customTimeouts: a step ends when its time is over, not when that of the settings is', async () => {
  const first = await NativePlugin.configured();
  const { check, create: createFirst } = calls(first, 'IpPolicyRule');
  const { inputs = {} } = await check(rule);
  const { id, state } = await createFirst(inputs);
  const plugin = await first.next();
  // Beyond what is left of its time, a step does not wait at all.
  plugin.emulator.fault({ kind: 'status', status: 503, headers: { 'Retry-After': '60' }, times: 'always' });
  const { create, read, update, delete: remove } = calls(plugin, 'IpPolicyRule', { seconds: 2 });
  const news = { ...inputs, description: 'new' };
  const late = /not done within 2 s.*raise customTimeouts/;
  await expect(read(id, state)).rejects.toThrow(late);
  await expect(remove(id, state)).rejects.toThrow(late);
  await expect(create(news)).rejects.toThrow(late);
  await expect(update(id, { olds: state, news })).rejects.toThrow(late);
  expect(plugin.emulator.state().rules).toHaveLength(1);
});
