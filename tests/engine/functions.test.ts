import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { SecretsScan } from '../support/secrets-scan';
import { stackOnService } from '../support/service-stack';

const rule = (cidr: string) => literal({ cidr, action: 'deny', ipPolicyId: policyId });

/** A second account, whose key is known as soon as a rule of the first one exists; and a component in it. */
const twoAccounts = program(`
  const here = new IpPolicyRule('here', ${rule('10.0.0.0/8')});
  const apiKey = here.createdAt.apply(() => process.env.OTHER);
  // What is left out may be an output, too.
  const other = new Provider('other', { apiKey, baseUrl: process.env.EDGE_POLICY_BASE_URL, proxy: pulumi.secret(undefined) });
  class Site extends pulumi.ComponentResource {
    constructor(name, opts) {
      super('test:index:Site', name, {}, opts);
      this.rule = new IpPolicyRule('there', ${rule('192.0.2.0/24')}, { parent: this });
      this.registerOutputs();
    }
  }
  const site = new Site('site', { providers: [other] });
  const networks = (rules) => rules.map(({ cidr }) => cidr);
  if (process.env.PLAIN) return { plain: edge.listIpPolicyRules({}, { parent: site }) };
  return {
    ofStack: edge.listIpPolicyRulesOutput({}, { dependsOn: [here, site] }).apply(networks),
    ofParent: edge.listIpPolicyRulesOutput({ ipPolicyId: site.rule.ipPolicyId }, { parent: site }).apply(networks),
    ofRule: site.rule.id.apply((id) => edge.getIpPolicyRule({ id }, { parent: site.rule })).cidr,
    ofProvider: edge.getIpPolicyRuleOutput(
      { id: site.rule.id },
      { provider: site.getProvider('edge-policy:index:IpPolicyRule') },
    ).cidr,
  };
`);

test.each(['dynamic', 'native'] as const)(
  '%s: a function asks the account of its provider or parent, once that and what it depends on are known',
  async (host) => {
    const { stack, emulator } = await stackOnService({ program: twoAccounts, host });
    const otherKey = SecretsScan.makeUp('other-account');
    stack.secrets.watch('other-account', otherKey);
    emulator.issueKey(otherKey, 'another');
    const env = { OTHER: otherKey };
    const plain = await stack.preview({ env: { ...env, PLAIN: '1' }, expect: 'failure' });
    expect(plain.errors.join()).toMatch(
      /The settings of the provider are not known yet during this preview.*whose name ends in "Output"/,
    );
    await stack.preview({ env });
    expect(emulator.journal).toEqual([]);
    await stack.up({ env });
    // What the service answers is no secret because the key is one.
    expect(await stack.outputs()).toEqual({
      ofStack: ['10.0.0.0/8'],
      ofParent: ['192.0.2.0/24'],
      ofRule: '192.0.2.0/24',
      ofProvider: '192.0.2.0/24',
    });
  },
);
