import { DiffResponse } from '@pulumi/pulumi/proto/provider_pb';
import { moduleNames } from '../../../emulator/src/routes/modules';
import { type ResourceType, RESOURCE_TYPES } from '../../../provider/src/resources/provider-reference';
import { policyId } from '../../support/ids';
import { declaredSamples } from '../../support/module-samples';
import { aged } from '../../support/aged';
import { calls } from '../../support/native-calls';
import { type Bag, keptBy, NativePlugin, secretValue, unknown } from '../../support/native-plugin';

const NEW_KEY = 'another-key-of-nobody-knows-which-account';

/** A resource that was made with one key, and the plugin of a run with another, which the service takes, too. */
async function rotated(type: ResourceType) {
  const first = await NativePlugin.configured();
  const { emulator } = first;
  const { inputs = {} } = await calls(first, type).check(declaredSamples.get(type) ?? {});
  const { id, state: young } = await calls(first, type).create(inputs);
  const state = aged(young);
  emulator.issueKey(NEW_KEY);
  const second = await NativePlugin.configured({ apiKey: secretValue(NEW_KEY) }, first);
  const read = (plugin: NativePlugin, known = state) => calls(plugin, type).read(id, known);
  const diff = async (known: Bag) =>
    (await calls(second, type).diff(id, { olds: known, news: inputs })).getChanges();
  /** A diff of what the program declares, as it follows a check. */
  const declare = async (plugin: NativePlugin, known = state) => {
    const { inputs: news = {} } = await calls(plugin, type).check(inputs, inputs);
    return (await calls(plugin, type).diff(id, { olds: known, news })).getChanges();
  };
  const remove = () => calls(second, type).delete(id, state);
  /** What another account holds of it: nothing. */
  const lose = (): void => {
    for (const { id: rule } of emulator.state().rules) emulator.remote.deleteRule(rule);
    for (const name of moduleNames)
      for (const parent of Object.keys(emulator.state()[name])) emulator.remote.modules(name).delete(parent);
    emulator.clearJournal();
  };
  return { first, second, emulator, read, diff, declare, remove, lose };
}

const REFUSED = /not count as gone.*docs\/rotate-keys\.md in the package/;

test.each(RESOURCE_TYPES)(
  '%s: what a changed key finds is of its account, and no change is shown',
  async (type) => {
    const { second, read, diff, remove, emulator } = await rotated(type);
    const { state: found = {} } = await read(second);
    expect(found['account']).toMatch(/^[0-9a-f]{8}\.[0-9a-f]{8}$/);
    expect(await diff(found)).toBe(DiffResponse.DiffChanges.DIFF_NONE);
    await remove();
    const { rules, ...others } = emulator.state();
    expect([rules, ...moduleNames.map((name) => others[name])]).toEqual([[], ...moduleNames.map(() => ({}))]);
  },
);

test.each(RESOURCE_TYPES)('%s: an unchanged resource of another key is said to be so, once', async (type) => {
  const { first, second, read, declare } = await rotated(type);
  expect(await declare(second)).toBe(DiffResponse.DiffChanges.DIFF_NONE);
  expect(second.warnings).toEqual([expect.stringContaining('with a key or at an address') as string]);
  const sameKey = await first.next();
  await declare(sameKey);
  expect(sameKey.warnings).toEqual([]);
  const { state: refreshed } = await read(second);
  const next = await NativePlugin.configured({ apiKey: secretValue(NEW_KEY) }, first);
  await declare(next, refreshed);
  const unknownKey = await NativePlugin.configured({ apiKey: unknown.string }, first);
  await declare(unknownKey);
  expect([...next.warnings, ...unknownKey.warnings]).toEqual([]);
});

test.each(RESOURCE_TYPES)(
  '%s: what a changed key does not find, or has no mark, stays in state, at a refresh and at a destroy',
  async (type) => {
    const { first, second, read, remove, lose, emulator } = await rotated(type);
    const { account: _mark, ...unmarked } = (await read(first)).state ?? {};
    expect((await read(first, unmarked)).state).toHaveProperty('account');
    lose();
    await expect(read(second)).rejects.toThrow(REFUSED);
    await expect(remove()).rejects.toThrow(REFUSED);
    expect(emulator.journal.map(({ method }) => method)).not.toContain('DELETE');
    await expect(read(await first.next(), aged(unmarked))).rejects.toThrow(REFUSED);
    const { id, state = {} } = await read(await first.next());
    if (type === 'IpPolicyRuleSet') expect(state).toMatchObject({ ruleIdList: '' });
    else expect(id).toBe('');
  },
);

test('a look-up that finds nothing says so, whatever the account: no state could be lost', async () => {
  const { second, read, lose } = await rotated('IpPolicyRule');
  lose();
  await expect(read(second, {})).rejects.toThrow(/: IP policy rule ipr_\w+ does not exist/);
});

test('a set of which a part failed has the mark as well', async () => {
  const plugin = await NativePlugin.configured();
  const { check, create } = calls(plugin, 'IpPolicyRuleSet');
  const rules = ['10.0.0.0/8', '192.0.2.0/24'].map((cidr) => ({ cidr, action: 'allow' }));
  const { inputs = {} } = await check({ ipPolicyId: policyId, rules });
  plugin.emulator.fault({ method: 'POST', kind: 'status', status: 422, times: 1 });
  const kept = keptBy(await create(inputs).catch((error: unknown) => error));
  expect(JSON.stringify(kept?.properties)).toMatch(/"account"/);
});

test.each<ResourceType>(['IpPolicyRule', 'IpPolicyRuleSet'])(
  '%s: where a changed key finds another rule of the policy, what is missing is gone',
  async (type) => {
    const { second, read, lose, emulator } = await rotated(type);
    lose();
    emulator.remote.createRule({ cidr: '192.0.2.0/24', action: 'deny', ip_policy_id: policyId });
    expect((await read(second)).state?.['ruleIdList'] ?? '').toBe('');
  },
);
