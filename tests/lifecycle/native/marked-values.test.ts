// The engine tells the plugin which values are secret. None of them may be in a failure, which it prints and keeps in state.
import type { ServiceError } from '@grpc/grpc-js';
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import { policyId, tcpEdgeId } from '../../support/ids';
import { calls } from '../../support/native-calls';
import { type Bag, keptBy, NativePlugin, secretValue, urnOf } from '../../support/native-plugin';

const rule = { ipPolicyId: policyId, action: 'allow', cidr: '10.0.0.0/8' };
const ruleOfSet = { cidr: '192.0.2.0/24', action: 'deny' };
const held = { cidr: '10.77.0.0/16', action: 'allow' } as const;

const rules = (declared: unknown): readonly [ResourceType, Bag] => ['IpPolicyRuleSet', { rules: declared }];
const field = (more: Bag): readonly [ResourceType, Bag] => ['IpPolicyRule', { ...rule, ...more }];

test.each<[what: string, declared: readonly [ResourceType, Bag], hidden: readonly string[]]>([
  ['a network', field({ cidr: secretValue('10.77.1.2/8') }), ['10.77', '10.0.0.0']],
  ['an action', field({ action: secretValue('alow') }), ['alow', 'allow']],
  ['a policy', field({ ipPolicyId: secretValue('edghts_77') }), ['edghts_77']],
  ['a network of a set', rules([{ ...ruleOfSet, cidr: secretValue('10.7.1.2/8') }]), ['10.']],
  ['an end', rules([{ ...ruleOfSet, until: secretValue('2031-02-30') }]), ['2031', '2031-02-28']],
  ['a list', rules(secretValue([{ ...ruleOfSet, cidr: '10.7.1.2/8' }])), ['10.7', '10.0.0.0']],
  ['a map', rules(secretValue({ '10.7.1.2/8': { action: 'deny' } })), ['10.7', '10.0.0.0']],
  ['a text', rules(secretValue('[{"cidr":"1.2.3.4/33","action":"deny"}]')), ['1.2.3.4']],
])('check: %s that is marked secret is in no failure', async (_what, [type, news], hidden) => {
  const plugin = await NativePlugin.configured();
  const { failures } = await calls(plugin, type).check({ ipPolicyId: policyId, ...news });
  expect(failures).toEqual([{ property: '', reason: expect.stringContaining(': is refused') as string }]);
  for (const value of hidden) expect(failures[0]?.reason).not.toContain(value);
});

test('check: failures of values that are not marked say why, whatever else is secret', async () => {
  const plugin = await NativePlugin.configured();
  const news = { ...rule, cidr: '10.0.0.0/33', description: secretValue('of the vault') };
  const { failures } = await calls(plugin, 'IpPolicyRule').check(news);
  expect(failures[0]?.reason).toContain('10.0.0.0/33');
});

test('check: a warning about a rule of a secret map names neither its network nor its end', async () => {
  const plugin = await NativePlugin.configured();
  const rules = secretValue({ '198.51.100.7': { action: 'deny', until: '2020-01-31' } });
  const { inputs } = await calls(plugin, 'IpPolicyRuleSet').check({ ipPolicyId: policyId, rules });
  expect(plugin.warnings).toEqual([expect.stringContaining('has already passed') as string]);
  expect(plugin.warnings[0]).not.toMatch(/198|2020/);
  expect(plugin.warnedUrns).toEqual([urnOf('IpPolicyRuleSet')]);
  expect(inputs?.['rules']).toEqual(secretValue('@rules\nleft out 198.51.100.7/32: deny until 2020-01-31\n'));
});

/** What the engine gets of a create that fails: its message, and what it keeps. */
async function failedCreate(plugin: NativePlugin, type: ResourceType, news: Bag) {
  const { check, create } = calls(plugin, type);
  const { inputs = {} } = await check(news);
  const failure = (await create(inputs).catch((error: unknown) => error)) as ServiceError;
  const { reasonsList = [] } = keptBy(failure) ?? {};
  return { message: failure.details, reasons: reasonsList.join('\n') };
}

const otherPolicy = '{"inbound":[{"name":"a","expressions":[],"actions":[{"type":"deny"}]}]}';
const inSet = (rules: unknown): Bag => ({ ipPolicyId: policyId, rules });
const inTheWay: readonly (readonly [
  type: ResourceType,
  news: Bag,
  says: string,
  hidden: readonly string[],
])[] = [
  [
    'IpPolicyRule',
    { ipPolicyId: secretValue(policyId), action: secretValue('deny'), cidr: secretValue(held.cidr) },
    'was not created: the policy already has a rule for this CIDR',
    [policyId, 'deny', 'allow', '10.77'],
  ],
  ...[
    secretValue([ruleOfSet, held]),
    [ruleOfSet, { ...held, cidr: secretValue(held.cidr) }],
    secretValue(JSON.stringify([ruleOfSet, held])),
  ].map((rules) => ['IpPolicyRuleSet', inSet(rules), '1 of 2 requests done', ['10.77']] as const),
  [
    'TcpEdgeTrafficPolicyModule',
    { edgeId: secretValue(tcpEdgeId), value: '{"inbound":[]}', enabled: true },
    'already exists with different content',
    [tcpEdgeId],
  ],
];

// Each waits for what is in its way, all at the same time.
test('create: what is marked secret, and meets what others have made, is in no message', async () => {
  const met = await Promise.all(
    inTheWay.map(async ([type, news, says, hidden]) => {
      const plugin = await NativePlugin.configured();
      plugin.emulator.remote.createRule({ ...held, ip_policy_id: policyId });
      plugin.emulator.remote.modules('tcpModules').set(tcpEdgeId, { enabled: true, value: otherPolicy });
      const { message, reasons } = await failedCreate(plugin, type, news);
      const said = `${message}\n${reasons}`;
      return [said.includes(says), hidden.filter((value) => said.includes(value))];
    }),
  );
  expect(met).toEqual(inTheWay.map(() => [true, []]));
});
