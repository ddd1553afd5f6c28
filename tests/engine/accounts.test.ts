import { policyId, tcpEdgeId } from '../support/ids';
import { program } from '../support/programs';
import { SecretsScan } from '../support/secrets-scan';
import { startService, stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

/** One resource of each kind under a provider, whose key and address the environment names. */
const under = (key: string, url: string, name = 'one') =>
  program(`
    const provider = new Provider('${name}', { apiKey: process.env.${key}, baseUrl: process.env.${url} });
    const ipPolicyId = '${policyId}';
    new IpPolicyRule('rule', { ipPolicyId, action: 'deny', cidr: '10.0.0.0/8' }, { provider });
    new IpPolicyRuleSet('set', { ipPolicyId, rules: [{ cidr: '192.0.2.0/24', action: 'allow' }] }, { provider });
    new TcpEdgeTrafficPolicyModule('policy', { edgeId: '${tcpEdgeId}', value: { inbound: [] } }, { provider });
    return {};
  `);

test.each(['dynamic', 'native'] as const)(
  '%s: what another account does not hold stays live and in state, whatever is run, and the former key brings all back',
  async (host) => {
    const service = await startService();
    const { stack, emulator } = await stackOnService({ program: under('KEY', 'URL'), host }, service);
    const otherKey = SecretsScan.makeUp('other-account');
    stack.secrets.watch('other-account', otherKey);
    emulator.issueKey(otherKey, 'another');
    const env = { KEY: service.apiKey, OTHER: otherKey, URL: emulator.url };
    await stack.up({ env });
    const made = emulator.state();

    stack.writeProgram(under('OTHER', 'URL', 'two'));
    const moved = await stack.up({ env });
    expect(moved.changes).toEqual({});
    expect(moved.output).toContain('last written or read with a key');
    for (const lost of [
      await stack.refresh({ env, expect: 'failure' }),
      await stack.destroy({ env, expect: 'failure' }),
    ])
      expect(lost.errors.join('\n')).toMatch(
        /not count as gone[^]*docs\/rotate-keys\.md in the package pulumi-edge-policy/,
      );
    expect(emulator.state()).toEqual(made);
    expect(ownResources(await stack.state())).toHaveLength(3);

    stack.writeProgram(under('KEY', 'URL', 'three'));
    const back = await stack.up({ env });
    expect(back.changes).toEqual({});
    expect(back.output).not.toContain('last written or read with a key');
    expect((await stack.refresh({ env })).changes).toEqual({});

    // What moves to a provider of another address is deleted here and made there.
    const { emulator: elsewhere } = await startService();
    elsewhere.issueKey(service.apiKey);
    stack.writeProgram(under('KEY', 'ELSEWHERE', 'four'));
    const there = { ...env, ELSEWHERE: elsewhere.url };
    expect((await stack.up({ env: there })).changes).toMatchObject({ replace: 3 });
    expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {} });
    expect(elsewhere.state().rules).toHaveLength(2);
  },
);

/** Rules of a component with accounts in three forms, and a dynamic resource of somebody else. */
const inComponents = program(`
  class Office extends pulumi.ComponentResource {
    constructor(name, opts) {
      super('acme:index:Office', name, {}, opts);
      new IpPolicyRule(name, { ipPolicyId: '${policyId}', action: 'deny', cidr: '10.0.0.0/8' }, { parent: this });
      const foreign = {
        configure: async ({ config }) => void (foreign.colour = config.get('harness:colour')),
        create: async () => ({ id: 'x', outs: { colour: foreign.colour } }),
      };
      const Foreign = class extends pulumi.dynamic.Resource {};
      this.colour = new Foreign(foreign, name, { colour: undefined }, { parent: this }).colour;
      this.isGiven = Provider.isInstance(this.getProvider('edge-policy:index:IpPolicyRule'));
    }
  }
  const [one, two, three] = ['ONE', 'TWO', 'THREE'].map(
    (key) => new Provider(key, { apiKey: process.env[key], baseUrl: process.env.URL }),
  );
  const offices = [
    new Office('listed', { providers: [one] }),
    new Office('mapped', { providers: { 'edge-policy': two } }),
    new Office('alone', { provider: three }),
  ];
  if (process.env.BARE) new Office('bare', {});
  return { colours: offices.map(({ colour }) => colour), isGiven: offices.map(({ isGiven }) => isGiven) };
`);

test.each(['dynamic', 'native'] as const)(
  '%s: a component hands its account to its rules, and to no foreign resource; without one, a stack may allow no default',
  async (host) => {
    const service = await startService();
    const { stack, emulator } = await stackOnService({ program: inComponents, host }, service);
    await stack.setConfig({
      'harness:colour': 'blue',
      'pulumi:disable-default-providers': '["edge-policy"]',
    });
    const env: NodeJS.ProcessEnv = { URL: emulator.url };
    for (const name of ['ONE', 'TWO', 'THREE'])
      emulator.issueKey((env[name] = SecretsScan.makeUp(name)), name);
    expect((await stack.up({ env })).output).not.toContain('warning');
    const rules = ['default', 'ONE', 'TWO', 'THREE'].map((name) => emulator.state(name).rules.length);
    expect(rules).toEqual([0, 1, 1, 1]);
    expect(await stack.outputs()).toEqual({ colours: ['blue', 'blue', 'blue'], isGiven: [true, true, true] });
    const refused = await stack.preview({ env: { ...env, BARE: '1' }, expect: 'failure' });
    expect(refused.output).toMatch(/default-providers lists edge-policy, so every|'edge-policy' disabled/);
  },
);
