import * as pulumi from '@pulumi/pulumi';
import { validateResourceOfType } from '@pulumi/policy';
import {
  AccessAssertions,
  getIpPolicyRule,
  getTcpEdgeTrafficPolicyModuleOutput,
  HttpsEdgeRouteUserAgentFilterModule,
  IpPolicyRule,
  IpPolicyRuleSet,
  listIpPolicyRules,
  listIpPolicyRulesOutput,
  Provider,
  TcpEdgeTrafficPolicyModule,
} from '../../provider/src/index';

/** What the classes have sent, by the names of the resources. */
const sent: Record<string, Record<string, unknown>> = {};

/** What the mock returns for a resource, if that is not what the class has sent. */
const states: Record<string, object> = {};

/** The calls of functions, and what they are answered. */
const calls: pulumi.runtime.MockCallArgs[] = [];
let answer: object = {};

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      sent[name] = inputs as Record<string, unknown>;
      return { id: `${name}-id`, state: states[name] ?? (inputs as object) };
    },
    call: (call) => {
      calls.push(call);
      return answer;
    },
  });
});

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

test('under mocks, where check never runs, the classes show their defaults: in place of nothing that the program says, nor in what is only read', async () => {
  const filter = new HttpsEdgeRouteUserAgentFilterModule('filter', {
    edgeId: 'edghts_1',
    routeId: 'edghtsrt_1',
  });
  expect(await valueOf(filter.enabled)).toBe(true);
  expect(await valueOf(filter.allow)).toEqual([]);
  expect(await valueOf(filter.deny)).toEqual([]);
  const module = new TcpEdgeTrafficPolicyModule('module', { edgeId: 'edgtcp_1', value: '{}' });
  expect(await valueOf(module.enabled)).toBe(true);
  const set = new IpPolicyRuleSet('set', { ipPolicyId: 'ipp_1', rules: [] });
  expect(await valueOf(set.exclusive)).toBe(false);
  const off = { edgeId: 'edghts_1', routeId: 'edghtsrt_1', enabled: false, deny: ['x'] };
  const said = new HttpsEdgeRouteUserAgentFilterModule('off', off);
  expect([await valueOf(said.enabled), await valueOf(said.deny)]).toEqual([false, ['x']]);
  const read = HttpsEdgeRouteUserAgentFilterModule.get('read', 'edghts_1/edghtsrt_1');
  expect(await valueOf(read.enabled)).toBeUndefined();
});

test('under mocks the rules of a set have no ids, under the networks that the program declares', async () => {
  const rules = [{ cidr: '203.0.113.0/24', action: 'allow' as const }];
  const listed = new IpPolicyRuleSet('listed', { ipPolicyId: 'ipp_1', rules });
  const mapped = new IpPolicyRuleSet('mapped', {
    ipPolicyId: 'ipp_1',
    rules: { '203.0.113.0/24': { action: 'allow' } },
  });
  for (const set of [listed, mapped]) {
    expect(await valueOf(set.ruleIds)).toEqual({ '203.0.113.0/24': '' });
    expect(await valueOf(set.ruleList)).toEqual(rules);
  }
});

test('what a mock leaves out is undefined, a list or a document is read, and what cannot be is an error that names the mock', async () => {
  const rules = [{ cidr: '203.0.113.0/24', action: 'allow' as const }];
  const [none, listed] = [{ ipPolicyId: 'ipp_1' }, { rules, ruleIdList: 'ipr_1' }];
  Object.assign(states, { none, listed, document: { value: { inbound: [] } }, absent: {} });
  const read = IpPolicyRuleSet.get('none', 'ipp_1');
  expect([await valueOf(read.ruleList), await valueOf(read.ruleIds)]).toEqual([undefined, undefined]);
  const set = IpPolicyRuleSet.get('listed', 'ipp_1');
  expect(await valueOf(set.ruleList)).toEqual(rules);
  expect(await valueOf(set.ruleIds)).toEqual({ '203.0.113.0/24': 'ipr_1' });
  const values = ['document', 'absent'].map((name) => TcpEdgeTrafficPolicyModule.get(name, 'edgtcp_1').value);
  expect(await Promise.all(values.map(valueOf))).toEqual(['{"inbound":[]}', undefined]);
  const wrong = new IpPolicyRuleSet('wrong', {
    ipPolicyId: 'ipp_1',
    rules: [{ cidr: 'x', action: 'allow' }],
  });
  // An error in an output fails each of these.
  const { isKnown, isSecret } = wrong.ruleList as unknown as Record<'isKnown' | 'isSecret', Promise<boolean>>;
  for (const part of await Promise.allSettled([isKnown, isSecret]))
    expect(part).toMatchObject({
      reason: {
        message: expect.stringMatching(
          /^The mock newResource has returned rules of a set that are not valid\. rules\[0\]\.cidr: "x" is not/,
        ) as string,
      },
    });
});

test.each([
  ['dynamic', 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule'],
  ['native', 'edge-policy:index:IpPolicyRule'],
])(
  '%s: each class knows its own, and names its type to policies and to the analysis of components',
  async (host, token) => {
    pulumi.runtime.setConfig('edge-policy:host', host);
    const made = [
      new IpPolicyRule(`of-${host}`, { ipPolicyId: 'ipp_1', action: 'deny', cidr: '10.0.0.0/8' }),
      new IpPolicyRuleSet(`set-of-${host}`, { ipPolicyId: 'ipp_1', rules: [] }),
      new TcpEdgeTrafficPolicyModule(`module-of-${host}`, { edgeId: 'edgtcp_1', value: '{}' }),
      new HttpsEdgeRouteUserAgentFilterModule(`filter-of-${host}`, { edgeId: 'e', routeId: 'r' }),
      new AccessAssertions(`access-of-${host}`, {}),
      new Provider(`account-of-${host}`),
    ];
    await Promise.all(made.map(({ urn }) => valueOf(urn)));
    pulumi.runtime.setConfig('edge-policy:host', 'dynamic');
    const classes = [
      ...[IpPolicyRule, IpPolicyRuleSet, TcpEdgeTrafficPolicyModule, HttpsEdgeRouteUserAgentFilterModule],
      ...[AccessAssertions, Provider],
    ];
    const known = classes.map((type) => made.map((each) => type.isInstance(each)).indexOf(true));
    expect(known).toEqual([0, 1, 2, 3, 4, 5]);
    expect(classes.some((type) => type.isInstance(undefined) || type.isInstance({}))).toBe(false);

    pulumi.runtime.setConfig('edge-policy:host', host);
    pulumi.runtime.setConfig('pulumi:disable-default-providers', '["edge-policy"]');
    await expect(listIpPolicyRules()).rejects.toThrow('needs a Provider');
    pulumi.runtime.setConfig('pulumi:disable-default-providers', '[]');
    expect(IpPolicyRule.__pulumiType).toBe(token);
    expect(validateResourceOfType(IpPolicyRule, () => undefined)).toHaveProperty('__pulumiType', token);
    pulumi.runtime.setConfig('edge-policy:host', 'dynamic');
  },
);

test('the classes name the arguments that are secret: as a whole, in a part, or by an option; and send nothing if there are none', async () => {
  const secret = pulumi.secret('hush');
  const rule = { ipPolicyId: 'ipp_1', action: 'deny', cidr: '10.0.0.0/8', description: 'x' } as const;
  const listed = { cidr: '10.0.0.0/8', action: 'deny', metadata: secret } as const;
  const made = [
    new IpPolicyRule('plain', { ...rule, metadata: pulumi.output('open') }),
    new IpPolicyRule('whole', { ...rule, metadata: secret, cidr: secret }),
    new IpPolicyRule('option', rule, { additionalSecretOutputs: ['description', 'uri'] }),
    new IpPolicyRuleSet('part', { ipPolicyId: 'ipp_1', rules: [listed] }),
    new TcpEdgeTrafficPolicyModule('value', {
      edgeId: pulumi.output('edgtcp_1'),
      value: { inbound: secret } as never,
    }),
  ];
  await Promise.all(made.map(({ urn }) => valueOf(urn)));
  const named = ['whole', 'option', 'part', 'value'].map((name) => sent[name]?.['__secretInputs']);
  expect(named).toEqual([['cidr', 'metadata'], ['description'], ['rules'], ['value']]);
  expect(sent['plain']).not.toHaveProperty('__secretInputs');
});

test('under mocks a function calls the mock, with the provider that it has or inherits, and never the service', async () => {
  const provider = new Provider('b', { apiKey: 'key' });
  const parent = new pulumi.ComponentResource('test:index:Site', 'site', {}, { providers: [provider] });
  const rules = [{ id: 'ipr_1', cidr: '10.0.0.0/8' }];
  answer = { rules };
  expect(await listIpPolicyRules({ action: 'deny' }, { provider })).toEqual(rules);
  const ipPolicyId = pulumi.output('ipp_1');
  expect(await valueOf(listIpPolicyRulesOutput({ ipPolicyId }, { parent, dependsOn: parent }))).toEqual(
    rules,
  );
  answer = { id: 'ipr_1' };
  expect(await getIpPolicyRule({ id: 'ipr_1' })).toEqual(answer);
  answer = { value: '{}' };
  expect(await valueOf(getTcpEdgeTrafficPolicyModuleOutput({ edgeId: 'edgtcp_1' }).value)).toBe('{}');
  const named = expect.stringMatching(/::b::b-id$/) as string;
  expect(calls).toEqual([
    { token: 'edge-policy:index:listIpPolicyRules', inputs: { action: 'deny' }, provider: named },
    { token: 'edge-policy:index:listIpPolicyRules', inputs: { ipPolicyId: 'ipp_1' }, provider: named },
    { token: 'edge-policy:index:getIpPolicyRule', inputs: { id: 'ipr_1' }, provider: '' },
    {
      token: 'edge-policy:index:getTcpEdgeTrafficPolicyModule',
      inputs: { edgeId: 'edgtcp_1' },
      provider: '',
    },
  ]);
});

test('a mock that answers a list in another form is named', async () => {
  answer = { action: 'deny' };
  await expect(listIpPolicyRules({ action: 'deny' })).rejects.toThrow(
    'The mock of edge-policy:index:listIpPolicyRules must return an object with a list "rules", not with nothing.',
  );
});
