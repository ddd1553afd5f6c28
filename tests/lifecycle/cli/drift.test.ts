import fc from 'fast-check';
import { secretInClear } from '../../../cli/src/pulumi/deployment';
import { providerReference, type ResourceType } from '../../../provider/src/resources/provider-reference';
import {
  CommandLine,
  type CommandResult,
  exportOf,
  type PulumiAnswers,
  stackHolding,
  noted,
  printed,
} from '../../support/command-line';
import { type Bag, type Scene, startScene } from '../../support/host';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { managing, resource } from '../../support/state-resource';

/** A stack whose resources are made by the provider, and the command on its state. */
class Stack {
  readonly resources: Bag[] = [];
  readonly line: CommandLine;
  pending: readonly object[] = [];
  /** The states of other stacks. */
  others: PulumiAnswers = {};

  private constructor(readonly scene: Scene) {
    this.line = new CommandLine({ emulator: scene.emulator, apiKey: scene.apiKey });
  }

  static async start(): Promise<Stack> {
    return new Stack(await startScene());
  }

  async add(type: ResourceType, name: string, args: Bag): Promise<void> {
    const { id, inputs, outs } = await this.scene.newProcess().create(type, args);
    const reference = { __provider: providerReference(type) };
    const held = { id, outputs: { ...reference, ...outs } };
    this.resources.push({ ...resource(type, name, { ...reference, ...inputs }, 4), ...held });
  }

  async drift(...args: string[]): Promise<CommandResult> {
    this.line.engine = { clock: this.scene.clock };
    this.line.withPulumi({ ...this.others, ...stackHolding(this.resources, this.pending) });
    this.scene.emulator.clearJournal();
    return this.line.run('drift', ...args);
  }

  /** The lines about what differs. */
  async lines(...args: string[]): Promise<{ readonly exitCode: number; readonly lines: string[] }> {
    const { exitCode, json } = await this.drift('--json', ...args);
    const { findings } = json as {
      findings: { id: string; reason: string; notes?: string[] }[];
    };
    const own = findings.filter(({ id }) => /^drift-|^rule-unmanaged$/.test(id));
    return { exitCode, lines: own.map(({ reason, notes }) => [reason, ...(notes ?? [])].join(' ')).sort() };
  }

  /** The requests of the command, as `METHOD path`. */
  get requests(): string[] {
    return this.scene.emulator.journal.map(({ method, path: asked }) => `${method} ${asked}`).sort();
  }
}

const office = {
  ...{ ipPolicyId: policyId, cidr: '192.0.2.0/24', action: 'allow' },
  ...{ description: 'Office', metadata: '{}' },
};
/** Of any rule that others make. */
const live = { ip_policy_id: policyId, action: 'allow' } as const;
const traffic = {
  edgeId: tcpEdgeId,
  enabled: true,
  value: JSON.stringify({
    inbound: [{ name: 'bad', expressions: ["conn.client_ip == '192.0.2.1'"], actions: [{ type: 'deny' }] }],
  }),
};
const agents = { edgeId: httpsEdgeId, routeId, enabled: true, allow: [], deny: ['(?i)curl', '(?i)masscan'] };
const setOf = (rules: object): Bag => ({ ipPolicyId: policyId, rules: JSON.stringify(rules) });
const sites = (count: number): Bag =>
  setOf(
    Array.from({ length: count }, (_, index) => {
      return { cidr: `10.0.${index}.0/24`, action: 'allow', description: `site ${index}` };
    }),
  );

async function wholeStack(): Promise<Stack> {
  const stack = await Stack.start();
  await stack.add('IpPolicyRule', 'office', office);
  await stack.add('TcpEdgeTrafficPolicyModule', 'tcp', traffic);
  await stack.add('HttpsEdgeRouteUserAgentFilterModule', 'agents', agents);
  await stack.add('IpPolicyRuleSet', 'sites', sites(3));
  return stack;
}

const idOf = (stack: Stack, cidr: string): string =>
  stack.scene.emulator.state().rules.find((rule) => rule.cidr === cidr)?.id ?? '';

test('a stack as the last up left it has no drift: exit code 0, with the requests of a refresh', async () => {
  const stack = await wholeStack();
  const { exitCode, stdout, stderr } = await stack.drift();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('Drift of "dev" in "project" since the last up or refresh');
  expect(stdout).toContain('No drift.');
  expect(stack.requests).toEqual([
    `GET /edges/https/${httpsEdgeId}/routes/${routeId}/user_agent_filter`,
    `GET /edges/tcp/${tcpEdgeId}/traffic_policy`,
    'GET /ip_policy_rules',
    // Few single rules are cheaper one by one.
    `GET /ip_policy_rules/${idOf(stack, office.cidr)}`,
  ]);
});

describe('every field that is live otherwise is a line', () => {
  /** A rule that is edited, or deleted. */
  const rule =
    (cidr: string, edit?: Bag) =>
    (stack: Stack): void => {
      const { remote } = stack.scene.emulator;
      if (edit) remote.updateRule(idOf(stack, cidr), edit);
      else remote.deleteRule(idOf(stack, cidr));
    };
  const policy = (edit: Partial<typeof traffic>) => (stack: Stack) => {
    stack.scene.emulator.remote.modules('tcpModules').set(tcpEdgeId, { ...traffic, ...edit });
  };
  const filter = (allow: string[]) => (stack: Stack) => {
    stack.scene.emulator.remote
      .modules('httpsModules')
      .set(`${httpsEdgeId}/${routeId}`, { ...agents, allow });
  };

  const SITE = '(allow, description "site 1")';
  const WIDE = { cidr: '10.0.0.0/16' };

  test.each<[string, (stack: Stack) => void]>([
    ['cidr is "192.0.0.0/16" instead of "192.0.2.0/24".', rule(office.cidr, { cidr: '192.0.0.0/16' })],
    ['" no longer exists.', rule(office.cidr)],
    ['switched off on the service: enabled is false instead of true.', policy({ enabled: false })],
    ['value is "{\\"inbound\\":[]}" instead of "', policy({ value: '{"inbound":[]}' })],
    ['allow is ["^x$"] instead of [].', filter(['^x$'])],
    [`"10.0.0.0/16" ${SITE} is live instead of "10.0.1.0/24" ${SITE}.`, rule('10.0.1.0/24', WIDE)],
    [`"10.0.1.0/24" ${SITE} no longer exists.`, rule('10.0.1.0/24')],
  ])('%s', async (line, edit) => {
    const stack = await wholeStack();
    edit(stack);
    const { exitCode, lines } = await stack.lines();
    expect(lines).toEqual([expect.stringContaining(line)]);
    expect(exitCode).toBe(1);
    expect((await stack.drift()).stdout).toContain('run pulumi refresh and then pulumi up');
  });

  test('one that is gone counts as gone, whatever the engine would do with its resource', async () => {
    const stack = await wholeStack();
    Object.assign(stack.resources[0] ?? {}, { retainOnDelete: true });
    stack.scene.emulator.remote.deleteRule(String(stack.resources[0]?.['id']));
    expect((await stack.drift()).stdout).toMatch(/192\.0\.2\.0\/24.* could get in before and no longer can/);
  });
});

test('the effect is judged as that of a change: who gets in that should not', async () => {
  const stack = await wholeStack();
  stack.scene.emulator.remote.updateRule(idOf(stack, office.cidr), { cidr: '192.0.0.0/16' });
  stack.scene.emulator.remote.modules('tcpModules').set(tcpEdgeId, { ...traffic, enabled: false });
  const { stdout, exitCode } = await stack.drift();
  expect(stdout).toMatch(/MEDIUM.*can get in and could not before/);
  expect(stdout).toMatch(/HIGH.*"tcp"/);
  expect(exitCode).toBe(1);
  expect((await stack.drift('--format', 'markdown')).stdout).toContain('## Drift of');
});

test('a rule that the program only looks up is no gain; one that nobody looks up is', async () => {
  const stack = await wholeStack();
  const { remote } = stack.scene.emulator;
  const { id, cidr, created_at: createdAt } = remote.createRule({ ...live, cidr: '203.0.113.0/24' });
  const outputs = { ipPolicyId: policyId, cidr, action: 'allow', createdAt };
  const inputs = { __provider: providerReference('IpPolicyRule') };
  const lookUp = { ...managing('partner', id), external: true, inputs, outputs };
  const gains = async () => (await stack.drift()).stdout.includes('can get in and could not before');
  expect(await gains()).toBe(true);
  stack.resources.push(lookUp);
  expect(await gains()).toBe(false);
});

test('what others did is no reason to change the program', async () => {
  const stack = await wholeStack();
  const { remote } = stack.scene.emulator;
  remote.createRule({ ...live, cidr: '0.0.0.0/1' });
  remote.modules('tcpModules').set(tcpEdgeId, { ...traffic, enabled: false });
  const { stdout } = await stack.drift();
  expect(stdout).toContain('The module was switched off on the service');
  expect(stdout).not.toMatch(/Nothing depends on|Remove it|is declared with enabled: false|set enabled/);
});

describe('rules that no stack manages', () => {
  const guest = { ...live, cidr: '203.0.113.9/32' };

  test('are shown in the policies of the stack, with the command that adopts them, and counted', async () => {
    const stack = await wholeStack();
    stack.scene.emulator.remote.createRule(guest);
    stack.scene.emulator.remote.createRule({ ...guest, ip_policy_id: otherPolicyId });
    const { exitCode, lines } = await stack.lines();
    expect(lines).toEqual([
      expect.stringMatching(
        `^"203\\.0\\.113\\.9/32 allow" \\(created .*\\) is in the policy, .* import --policy ${policyId} --cidr 203\\.0\\.113\\.9/32 --run`,
      ),
    ]);
    expect(exitCode).toBe(1);
    expect((await stack.drift()).stdout).toContain(
      '"203.0.113.9/32" (1 address) can get in and could not before',
    );
  });

  test('that no program can declare count as possible, with what to do about it', async () => {
    const stack = await wholeStack();
    stack.scene.emulator.remote.createRule({ ...guest, cidr: '203.0.113.9/28' });
    expect((await stack.lines()).lines).toEqual([
      expect.stringMatching(
        '^"203\\.0\\.113\\.9/28 allow" .* No program can declare its network: set its cidr',
      ),
    ]);
    expect((await stack.drift()).stdout).toContain('at most "203.0.113.0/28" (16 addresses) may gain access');
  });

  test('are none of those that another stack manages', async () => {
    const stack = await wholeStack();
    const { id } = stack.scene.emulator.remote.createRule(guest);
    stack.others = {
      'stack export --show-secrets --stack acme/other/prod': exportOf([managing('guest', id)]),
    };
    expect(await stack.lines('--also-managed-by', 'acme/other/prod')).toEqual({ exitCode: 0, lines: [] });
  });

  test('are lines of an exclusive set, which deletes them', async () => {
    const stack = await Stack.start();
    await stack.add('IpPolicyRuleSet', 'all', { ...sites(1), exclusive: true });
    stack.scene.emulator.remote.createRule(guest);
    expect((await stack.lines()).lines).toEqual([
      expect.stringMatching(/^"203\.0\.113\.9\/32" \(allow\) is live as well\.$/),
    ]);
  });
});

test('a list that lags makes no drift', async () => {
  const stack = await Stack.start();
  stack.scene.emulator.setSwitches({ listLagMs: 10_000 });
  await stack.add('IpPolicyRuleSet', 'sites', sites(4));
  await stack.add('IpPolicyRule', 'office', office);
  expect(await stack.lines()).toEqual({ exitCode: 0, lines: [] });
});

describe('exit code 2: nobody can tell', () => {
  const setAside = (stack: Stack) => {
    const [, , , set = {}] = stack.resources;
    set['outputs'] = { ...(set['outputs'] as Bag), unsettledSince: '2030-01-01T00:00:00Z' };
  };
  const doom = ({ resources }: Stack) => resources.map((resource) => (resource['delete'] = true));
  const begin = (stack: Stack) => (stack.pending = [{ type: 'creating', resource: {} }]);
  const breakDown = ({ scene }: Stack) =>
    scene.emulator.fault({ method: 'GET', kind: 'status', status: 503, times: 99 });

  test.each<[string, (stack: Stack) => unknown, string]>([
    ['a pending operation', begin, 'run "npx --no-install pulumi-edge-policy-cli recover"'],
    ['a set that is not settled', setAside, 'did not settle sites: run "pulumi up"'],
    ['a resource that is still to be deleted', doom, 'did not settle office, tcp, agents, sites'],
    ['a service that does not answer', breakDown, 'returned 503'],
  ])('%s', async (_name, spoil, why) => {
    const stack = await wholeStack();
    spoil(stack);
    const { exitCode, stdout, stderr } = await stack.drift();
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(why);
    expect((await stack.drift('--json')).json).toMatchObject({
      notDecidable: expect.stringContaining(why) as string,
    });
  });

  const rules = setOf({ '10.0.1.0/24': { action: 'allow' } });
  test.each<[ResourceType, string, Bag, Bag]>([
    ['IpPolicyRuleSet', 'rules', rules, { cidr: '172.16.0.0/24' }],
    ['IpPolicyRule', 'description', { ...office, cidr: '10.0.1.0/24' }, { description: 'Bureau' }],
  ])('a secret that differs is drift, and is not shown: %s %s', async (type, name, args, edit) => {
    const stack = await Stack.start();
    await stack.add(type, 'it', args);
    const [resource = {}] = stack.resources;
    for (const side of ['inputs', 'outputs']) {
      const values = resource[side] as Bag;
      resource[side] = { ...values, [name]: secretInClear(values[name]) };
    }
    expect((await stack.lines()).exitCode).toBe(0);
    if (name === 'rules') {
      const policies = [{ ipPolicyId: policyId, mustAllow: ['10.0.1.0/24'] }];
      stack.line.write('hidden.json', JSON.stringify({ policies }));
      expect((await stack.lines('--assertions', 'hidden.json')).exitCode).toBe(2);
    }
    stack.scene.emulator.remote.updateRule(idOf(stack, '10.0.1.0/24'), edit);
    const { exitCode, stdout } = await stack.drift('--json');
    expect(exitCode).toBe(1);
    expect(stdout).not.toMatch(/172\.16|Office|Bureau/);
    if (name === 'rules') expect(stdout).not.toContain('10.0.1.0');
  });
});

test('exit code 3: nothing was compared', async () => {
  expect(await (await Stack.start()).drift()).toMatchObject(noted(3, 'The stack holds nothing yet'));
  const stack = await wholeStack();
  expect((await stack.drift('--format', 'html')).exitCode).toBe(3);
  stack.line.setEnvironment('EDGE_POLICY_API_KEY', '');
  expect((await stack.drift()).exitCode).toBe(3);
});

test('assertions are checked on what is live: one that does not hold is exit code 1', async () => {
  const stack = await wholeStack();
  const policies = [{ ipPolicyId: policyId, mustAllow: ['192.0.2.7'] }];
  stack.line.write('edge-policy.assertions.json', JSON.stringify({ policies }));
  expect((await stack.drift()).exitCode).toBe(0);
  stack.scene.emulator.remote.updateRule(idOf(stack, office.cidr), { cidr: '192.0.2.0/30' });
  expect(await stack.drift()).toMatchObject(printed(1, /CRITICAL.*"192\.0\.2\.7" must be let in/));
});

test('a state against its own service has no drift, whatever is in it', async () => {
  const text = fc.string({ maxLength: 20 }).filter((value) => value.isWellFormed());
  const until = fc.constantFrom('2031-01-01', '2031-01-01T10:00:00+02:00');
  const optional = { description: text, metadata: text, until };
  const rule = fc.record(
    { action: fc.constantFrom('allow', 'deny'), ...optional },
    { requiredKeys: ['action'] },
  );
  const cidr = fc.oneof(
    fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `10.${a}.${b}.0/24`),
    fc.nat(65535).map((part) => `2001:DB8:${part.toString(16)}::/48`),
  );
  const patterns = fc.uniqueArray(fc.constantFrom('(?i)curl', '^kube-probe/', 'bot', '(?:a|b)+'));
  const lists = fc.record({ allow: patterns, deny: patterns, enabled: fc.boolean() });
  const sets = fc.array(fc.dictionary(cidr, rule, { maxKeys: 6 }), { maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(sets, fc.boolean(), lists, async (ofSets, hasTraffic, ofAgents) => {
      const stack = await Stack.start();
      for (const [index, rules] of ofSets.entries())
        await stack.add('IpPolicyRuleSet', `set-${index}`, {
          ...setOf(rules),
          ipPolicyId: [policyId, otherPolicyId][index],
        });
      if (hasTraffic) await stack.add('TcpEdgeTrafficPolicyModule', 'tcp', traffic);
      await stack.add('HttpsEdgeRouteUserAgentFilterModule', 'agents', { ...agents, ...ofAgents });
      expect(await stack.lines()).toEqual({ exitCode: 0, lines: [] });
    }),
    { numRuns: 25 },
  );
});
