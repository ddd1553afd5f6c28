import * as pulumi from '@pulumi/pulumi';
import {
  HttpsEdgeRouteUserAgentFilterModule,
  IpPolicyRule,
  IpPolicyRuleSet,
  TcpEdgeTrafficPolicyModule,
} from '../../provider/src/index';

/** What the classes have sent, by the names of the resources. */
const sent: Record<string, Record<string, unknown>> = {};

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      sent[name] = inputs as Record<string, unknown>;
      return { id: `${name}-id`, state: inputs as object };
    },
    call: ({ inputs }) => inputs as object,
  });
});

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

test('under mocks, where check never runs, the classes show their defaults', async () => {
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

test('a default never replaces what the program says, not even false', async () => {
  const filter = new HttpsEdgeRouteUserAgentFilterModule('off', {
    edgeId: 'edghts_1',
    routeId: 'edghtsrt_1',
    enabled: false,
    deny: ['x'],
  });
  expect(await valueOf(filter.enabled)).toBe(false);
  expect(await valueOf(filter.deny)).toEqual(['x']);
});

test('a resource that is only read sends no default', async () => {
  const read = HttpsEdgeRouteUserAgentFilterModule.get('read', 'edghts_1/edghtsrt_1');
  expect(await valueOf(read.enabled)).toBeUndefined();
});

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
