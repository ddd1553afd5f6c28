import { systemClock } from '../../../provider/src/api/clock';
import { CommandLine, type PulumiAnswers, stackHolding, noted } from '../../support/command-line';
import { otherPolicyId, policyId, tcpEdgeId } from '../../support/ids';
import { type Service, startService as startEmptyService } from '../../support/service-stack';

const prefix = 'pulumi-nodejs:dynamic/edge-policy:';
const provider = 'urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::default';
const stackResource = {
  urn: 'urn:pulumi:dev::project::pulumi:pulumi:Stack::project-dev',
  type: 'pulumi:pulumi:Stack',
  created: '2020-01-01T00:00:00Z',
};
const defaultProvider = { urn: provider, type: 'pulumi:providers:pulumi-nodejs', id: 'one' };

/** By this resource and its rule a key shows that it knows the account. */
const witness = {
  urn: `urn:pulumi:dev::project::${prefix}IpPolicyRule::witness`,
  type: `${prefix}IpPolicyRule`,
  id: 'ipr_witness',
  provider: `${provider}::one`,
};

const startService: typeof startEmptyService = async (options) => {
  const service = await startEmptyService(options);
  const rule = {
    id: witness.id,
    cidr: '192.0.2.0/24',
    action: 'allow' as const,
    ip_policy_id: otherPolicyId,
  };
  service.emulator.seed({ rules: [rule] });
  return service;
};

const creating = (type: string, inputs: object) => ({
  type: 'creating',
  resource: {
    urn: `urn:pulumi:dev::project::${prefix}${type}::it`,
    type: prefix + type,
    provider: `${provider}::one`,
    inputs,
  },
});

const rule = { cidr: '10.0.0.0/8', action: 'allow', ipPolicyId: policyId };
const trafficPolicy = {
  edgeId: tcpEdgeId,
  enabled: true,
  value: '{"inbound":[{"name":"a","expressions":[],"actions":[{"type":"deny"}]}]}',
};

const recover = async (service: Service, answers: PulumiAnswers, ...args: string[]) => {
  const line = new CommandLine(service).withPulumi(answers);
  const result = await line.run('recover', '--json', '--no-wait', ...args);
  const { operations } = JSON.parse(result.stdout || '{}') as {
    operations?: { verdict: string; why: string }[];
  };
  return { ...result, operations, calls: line.pulumiCalls() };
};

const pending = (...operations: object[]): PulumiAnswers =>
  stackHolding([stackResource, defaultProvider, witness], operations);

test('recover: without anything pending there is nothing to do', async () => {
  const { exitCode, operations, stdout } = await recover(await startService(), pending());
  expect(exitCode).toBe(0);
  expect(operations).toEqual([]);
  expect(JSON.parse(stdout)).toEqual({ isApplied: false, operations: [] });
});

test.each<[string, { enabled: boolean; value: string } | undefined, string, string]>([
  ['none', undefined, 'clear', ''],
  ['the same', { enabled: true, value: trafficPolicy.value.replaceAll(':', ' : ') }, 'take', 'take'],
  ['an empty one', { enabled: true, value: '{}' }, 'clear', ''],
  ['one of other content', { enabled: false, value: trafficPolicy.value }, 'refuse', 'take'],
])('recover: a create of a module, of which there is %s', async (_what, live, verdict, told) => {
  const service = await startService();
  if (live !== undefined) service.emulator.remote.modules('tcpModules').set(tcpEdgeId, live);
  const answers = pending(creating('TcpEdgeTrafficPolicyModule', trafficPolicy));
  expect((await recover(service, answers)).operations).toMatchObject([{ verdict }]);
  if (told === '') return;
  const { operations } = await recover(service, answers, '--take', tcpEdgeId);
  expect(operations).toMatchObject([{ verdict: told, id: tcpEdgeId }]);
});

test('recover: a module that another resource manages is not brought in a second time', async () => {
  const service = await startService();
  service.emulator.remote.modules('tcpModules').set(tcpEdgeId, trafficPolicy);
  const operation = creating('TcpEdgeTrafficPolicyModule', trafficPolicy);
  const manager = { ...operation.resource, urn: `${operation.resource.urn}-other`, id: tcpEdgeId };
  const answers = stackHolding([stackResource, defaultProvider, witness, manager], [operation]);
  expect((await recover(service, answers)).operations).toMatchObject([{ verdict: 'clear' }]);
});

test('recover: what the state holds already is not brought in a second time, even if told so', async () => {
  const service = await startService();
  const made = makeRule(service);
  const operation = creating('IpPolicyRule', rule);
  const answers = stackHolding(
    [stackResource, defaultProvider, witness, { ...operation.resource, id: 'ipr_1' }],
    [operation],
  );
  for (const args of [[], ['--take', made.id]])
    expect((await recover(service, answers, ...args)).operations).toMatchObject([
      { verdict: 'refuse', candidates: [expect.stringContaining(made.id)] },
    ]);
});

test.each([
  ['young', -3_600_000, 'take'],
  ['too old', 3_600_000, 'refuse'],
])('recover: a rule is %s by the clock of the service, not by ours', async (_age, skewMs, verdict) => {
  const service = await startService({ clock: () => Date.now() + skewMs });
  const ageMs = verdict === 'take' ? 0 : 1_200_000;
  const created_at = new Date(Date.now() + skewMs - ageMs).toISOString();
  service.emulator.seed({
    rules: [{ cidr: rule.cidr, action: 'allow', ip_policy_id: policyId, created_at }],
  });
  const success = {
    kind: 'update',
    result: 'succeeded',
    endTime: new Date(Date.now() - 600_000).toISOString(),
  };
  const history = { 'stack history': { stdout: JSON.stringify([success]) } };
  const answers = { ...pending(creating('IpPolicyRule', rule)), ...history };
  expect((await recover(service, answers)).operations).toMatchObject([{ verdict }]);
});

test('recover: everything is settled in one write of the state, or nothing', async () => {
  const service = await startService();
  const own = creating('IpPolicyRule', rule);
  const done = await recover(service, { ...pending(own), 'stack import': {} }, '--yes');
  expect(done.exitCode).toBe(0);
  expect(done.calls.filter((call) => call.startsWith('stack import'))).toHaveLength(1);

  const foreign = {
    type: 'creating',
    resource: { urn: 'urn:pulumi:dev::project::other:index:Thing::x', type: 'other:index:Thing' },
  };
  const refused = await recover(service, pending(own, foreign), '--yes');
  expect(refused.exitCode).toBe(1);
  expect(refused.operations).toMatchObject([{ verdict: 'clear' }, { verdict: 'refuse' }]);
  expect(refused.calls.some((call) => call.startsWith('stack import'))).toBe(false);

  const told = await recover(
    service,
    { ...pending(own, foreign), 'stack import': {} },
    '--yes',
    '--clear',
    foreign.resource.urn,
  );
  expect(told.exitCode).toBe(0);
});

const named = (name: string, inputs: object, more: object = {}): object => {
  const { type, resource } = creating('IpPolicyRule', inputs);
  return { type, resource: { ...resource, urn: resource.urn.replace(/it$/, name), ...more } };
};

const makeRule = ({ emulator }: Service, more: object = {}) =>
  emulator.remote.createRule({ cidr: '10.0.0.0/8', action: 'allow', ip_policy_id: policyId, ...more });

const isWritten = (calls: readonly string[]): boolean =>
  calls.some((call) => call.startsWith('stack import'));

test.each([
  ['--take', 'ipr_nobody'],
  ['--clear', 'urn:pulumi:dev::project::x::nobody'],
])(
  'recover: %s of something that is not there is an error, with and without anything pending',
  async (...decision) => {
    const service = await startService();
    for (const answers of [pending(creating('IpPolicyRule', rule)), pending()]) {
      const { exitCode, stderr, calls } = await recover(service, answers, '--yes', ...decision);
      expect(exitCode).toBe(3);
      expect(stderr).toContain(decision[1]);
      expect(isWritten(calls)).toBe(false);
    }
  },
);

test('recover: two providers with different keys for one account get one rule once', async () => {
  const service = await startService();
  const { emulator, apiKey } = service;
  const made = makeRule(service);
  const accountOf = (name: string) => ({
    urn: `urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::${name}`,
    type: 'pulumi:providers:pulumi-nodejs',
    id: 'x',
    inputs: {
      'edge-policy:apiKey': apiKey,
      'edge-policy:baseUrl': emulator.url,
      'edge-policy:apiVersion': '2',
    },
  });
  const [one, other] = [accountOf('one'), accountOf('other')];
  const answers = stackHolding(
    [stackResource, one, other],
    [named('a', rule, { provider: `${one.urn}::x` }), named('b', rule, { provider: `${other.urn}::x` })],
  );
  const refused = await recover(service, answers, '--yes');
  expect(refused.operations).toMatchObject([{ verdict: 'refuse' }, { verdict: 'refuse' }]);
  const told = await recover(service, { ...answers, 'stack import': {} }, '--yes', '--take', made.id);
  expect(told.exitCode).toBe(0);
  expect(told.operations?.map(({ verdict }) => verdict).sort()).toEqual(['clear', 'take']);
});

test('recover: two creates under one URN are refused until one object has been deleted', async () => {
  const service = await startService({ switches: { duplicateCidr: 'accepted' } });
  const [first, second] = [named('it', rule), named('it', { ...rule, description: 'later' })];
  const made = makeRule(service);
  makeRule(service, { description: 'later', cidr: '10.0.0.0/8' });
  const { urn } = (first as { resource: { urn: string } }).resource;
  const answers = { ...pending(first, second), 'stack import': {} };
  const shown = await recover(service, answers);
  expect(shown.operations).toMatchObject([
    { verdict: 'refuse', urn, candidates: [expect.stringContaining(made.id)] },
    { verdict: 'refuse', urn },
  ]);
  service.emulator.remote.deleteRule(made.id);
  const done = await recover(service, answers, '--yes');
  expect(done.exitCode).toBe(0);
  expect(done.operations).toMatchObject([{ verdict: 'clear' }, { verdict: 'take' }]);
});

test('recover: an update of a resource that is being renamed is settled under the name that the state still has', async () => {
  const service = await startService();
  const { resource } = creating('IpPolicyRule', rule);
  const urn = resource.urn.replace(/it$/, 'former');
  const renamed = { type: 'updating', resource: { ...resource, aliases: [urn] } };
  const former = { ...resource, urn, id: 'ipr_1', outputs: rule };
  const state = stackHolding([stackResource, defaultProvider, witness, former], [renamed]);
  const done = await recover(service, { ...state, 'stack import': {}, refresh: {} }, '--yes');
  expect(done.operations).toMatchObject([{ urn, verdict: 'refresh' }]);
  expect(done.calls.find((call) => call.startsWith('refresh'))).toContain(`--target ${urn}`);
});

test('recover: where the refresh behind the written state fails, the state is settled, and that something is left to do is told', async () => {
  const service = await startService();
  const update = { ...creating('IpPolicyRule', rule), type: 'updating' };
  const refresh = { stderr: 'error: it is down', exitCode: 255 };
  const answers = { ...pending(update), 'stack import': {}, refresh };
  const { exitCode, stdout } = await recover(service, answers, '--yes');
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    isApplied: true,
    problem: expect.stringContaining('pulumi refresh') as string,
  });
});

test('recover: a lock is told at the only write', async () => {
  const stderr = 'error: the stack is currently locked by 1 lock(s)';
  const answers = { ...pending(creating('IpPolicyRule', rule)), 'stack import': { stderr, exitCode: 255 } };
  expect(await recover(await startService(), answers, '--yes')).toMatchObject(noted(3, 'currently locked'));
});

test('recover: nothing is written in the wait, so that Ctrl-C leaves everything pending', async () => {
  const line = new CommandLine(await startService()).withPulumi(pending(creating('IpPolicyRule', rule)));
  line.engine = { clock: { ...systemClock, sleep: () => Promise.reject(new Error('Ctrl-C')) } };
  await expect(line.run('recover', '--yes')).rejects.toThrow('Ctrl-C');
  expect(isWritten(line.pulumiCalls())).toBe(false);
});

test.each(['creating', 'updating', 'deleting'])(
  'recover: with the service down, an operation that is %s stays pending',
  async (type) => {
    const service = await startService();
    service.emulator.fault({ kind: 'status', status: 503, times: 'always' });
    const operation = { ...creating('TcpEdgeTrafficPolicyModule', trafficPolicy), type };
    const { exitCode, stderr, calls } = await recover(service, pending(operation), '--yes');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('503');
    expect(isWritten(calls)).toBe(false);
  },
);

test('recover: a state that another run has written meanwhile is not written over', async () => {
  const service = await startService();
  const { emulator } = service;
  const answers: PulumiAnswers = { ...pending(creating('IpPolicyRule', rule)), 'stack import': {} };
  const line = new CommandLine(service).withPulumi(answers);
  const hold = emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'before' });
  const running = line.run('recover', '--yes', '--no-wait');
  await hold.reached;
  const text = (answers['stack export']?.stdout ?? '').replace('2030-01-01', '2030-01-02');
  line.withPulumi({ ...answers, 'stack export': { stdout: text } });
  hold.release();
  expect(await running).toMatchObject(noted(3, 'The state changed while it was being read'));
  expect(isWritten(line.pulumiCalls())).toBe(false);
});

test('recover --yes: a stack that is locked is named before anything is waited for', async () => {
  const service = await startService();
  const answers = pending(creating('IpPolicyRule', rule));
  const line = new CommandLine(service);
  line.withPulumi({ ...answers, whoami: { stdout: JSON.stringify({ url: `file://${line.folder}` }) } });
  line.write(
    '.pulumi/locks/organization/project/dev/a.json',
    JSON.stringify({ pid: 4711, username: 'ci', hostname: 'runner' }),
  );
  const { exitCode, stdout, stderr } = await line.run('recover', '--yes');
  expect([exitCode, stdout]).toEqual([3, '']);
  expect(stderr).toContain(
    'by ci@runner, process 4711. If that run is over, run "pulumi cancel --yes" and then this command again.',
  );
  expect(stderr).not.toContain('Waiting');
});

test('recover: sums up by verdict before the lines', async () => {
  const service = await startService();
  makeRule(service);
  const answers = pending(
    creating('IpPolicyRule', rule),
    creating('TcpEdgeTrafficPolicyModule', trafficPolicy),
  );
  const { stdout } = await new CommandLine(service).withPulumi(answers).run('recover', '--no-wait');
  expect(stdout).toMatch(/^2 operations interrupted: 1 [a-zA-Z ]+, 1 clear\n {2}creating IpPolicyRule it\n/);
});
