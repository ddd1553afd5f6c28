import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { SecretsScan } from '../support/secrets-scan';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const rule = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };

/** A second account whose key is an output: known as soon as the rule exists, unknown at the first preview. */
const lateAccount = `
  const here = new IpPolicyRule('here', ${literal(rule)});
  const apiKey = here.createdAt.apply(() => process.env.EDGE_POLICY_API_KEY);
  const account = new Provider('late', { apiKey, baseUrl: process.env.EDGE_POLICY_BASE_URL });
`;

test('the Output form is unknown while the settings of its provider are, and then answers in clear', async () => {
  const { stack } = await stackOnService({
    program: program(`${lateAccount}
      const rules = edge.listIpPolicyRulesOutput({ ipPolicyId: here.ipPolicyId }, { provider: account });
      const found = edge.getIpPolicyRuleOutput({ id: here.id }, { provider: account });
      return { networks: rules.apply((list) => list.map(({ cidr }) => cidr)), action: found.action };
    `),
  });
  expect((await stack.preview()).changes).toMatchObject({ create: expect.any(Number) as number });
  await stack.up();
  // What the service answers is no secret because the key is one.
  expect(await stack.outputs()).toEqual({
    networks: ['10.0.0.0/8'],
    action: 'deny',
  });
});

test('the plain form rejects with a sentence where a preview does not know the settings', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`${lateAccount}
      return { count: edge.listIpPolicyRules({}, { provider: account }).then((rules) => rules.length) };
    `),
  });
  const said = (await stack.preview({ expect: 'failure' })).errors.join('\n');
  expect(said).toContain('The settings of the provider are not known yet during this preview');
  expect(said).toContain('whose name ends in "Output"');
  expect(emulator.journal).toEqual([]);
  await stack.up();
  expect(ownResources(await stack.state())).toHaveLength(1);
  expect(await stack.outputs()).toEqual({ count: 1 });
});

test.each(['dynamic', 'native'] as const)(
  '%s: a function asks the account of its provider or parent, once what it depends on exists',
  async (host) => {
    const { stack, emulator } = await stackOnService({
      program: program(`
      const other = new Provider('other', { apiKey: process.env.OTHER, baseUrl: process.env.EDGE_POLICY_BASE_URL });
      class Site extends pulumi.ComponentResource {
        constructor(name, opts) {
          super('test:index:Site', name, {}, opts);
          this.rule = new IpPolicyRule('there', ${literal(rule)}, { parent: this });
          this.registerOutputs();
        }
      }
      const site = new Site('site', { providers: [other] });
      const networks = (rules) => rules.map(({ cidr }) => cidr);
      const own = site.getProvider('edge-policy:index:IpPolicyRule');
      return {
        none: edge.listIpPolicyRulesOutput({}, { dependsOn: [site] }).apply(networks),
        ofParent: edge.listIpPolicyRulesOutput({}, { parent: site, dependsOn: site }).apply(networks),
        ofRule: site.rule.id.apply((id) => edge.getIpPolicyRule({ id }, { parent: site.rule })).cidr,
        ofProvider: edge.getIpPolicyRuleOutput({ id: site.rule.id }, { provider: own }).cidr,
      };
    `),
      host,
    });
    const otherKey = SecretsScan.makeUp('other-account');
    stack.secrets.watch('other-account', otherKey);
    emulator.issueKey(otherKey, 'another');
    const env = { OTHER: otherKey };
    await stack.preview({ env });
    expect(emulator.journal).toEqual([]);
    await stack.up({ env });
    const network = rule.cidr;
    expect(await stack.outputs()).toEqual({
      none: [],
      ofParent: [network],
      ofRule: network,
      ofProvider: network,
    });
  },
);
