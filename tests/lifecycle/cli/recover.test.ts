import { systemClock } from '../../../provider/src/api/clock';
import { CommandLine, type PulumiAnswers, stackHolding, noted, printed } from '../../support/command-line';
import { otherPolicyId, policyId, tcpEdgeId } from '../../support/ids';
import { type Service, startService } from '../../support/service-stack';
import { managing, providerOf, resource, secretOf, stackResource } from '../../support/state-resource';

const DEFAULT = 'urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::default';
const defaultProvider = { urn: DEFAULT, type: 'pulumi:providers:pulumi-nodejs', id: 'one' };
const provider = `${DEFAULT}::one`;

/** By this resource and its rule a key shows that it knows the account. */
const witness = { ...managing('witness', 'ipr_witness'), provider };
const known = [stackResource, defaultProvider, witness];

const startAccount: typeof startService = async (options) => {
  const service = await startService(options);
  service.emulator.seed({
    rules: [{ id: witness.id, cidr: '192.0.2.0/24', action: 'allow', ip_policy_id: otherPolicyId }],
  });
  return service;
};

const creating = (type: string, inputs: object, more: object = {}) => {
  const { urn, type: token } = resource(type, 'it', inputs);
  return { type: 'creating', resource: { urn, type: token, provider, inputs, ...more } };
};

const rule = { cidr: '10.0.0.0/8', action: 'allow', ipPolicyId: policyId };
const create = creating('IpPolicyRule', rule);
const live = { cidr: rule.cidr, action: 'allow', ip_policy_id: policyId } as const;
const trafficPolicy = {
  edgeId: tcpEdgeId,
  enabled: true,
  value: '{"inbound":[{"name":"a","expressions":[],"actions":[{"type":"deny"}]}]}',
};
const createModule = creating('TcpEdgeTrafficPolicyModule', trafficPolicy);

const native = (operation: ReturnType<typeof creating>) => ({
  ...operation,
  resource: { ...operation.resource, type: operation.resource.type.replace(/^.*[:/]/, 'edge-policy:index:') },
});
const secretRules = secretOf(`@rules\n${rule.cidr}: allow\n`);

const isWritten = (line: CommandLine): boolean => line.pulumiCalls('stack import').length > 0;

const recover = async (service: Service, answers: PulumiAnswers, ...args: string[]) => {
  const line = new CommandLine(service).withPulumi(answers);
  const { exitCode, stdout, stderr } = await line.run('recover', '--json', '--no-wait', ...args);
  const document = JSON.parse(stdout || '{}') as { operations?: { verdict: string }[] };
  const calls = line.pulumiCalls();
  return { exitCode, stdout, stderr, ...document, calls, isWritten: isWritten(line) };
};

const pending = (...operations: object[]): PulumiAnswers => stackHolding(known, operations);

test('recover: without anything pending there is nothing to do', async () => {
  const service = await startAccount();
  expect(await recover(service, pending())).toMatchObject({ exitCode: 0, isApplied: false, operations: [] });
  // The message of the provider, as `create-answer-lost` has it.
  const text = await new CommandLine(service).withPulumi(pending()).run('recover', '--no-wait');
  expect(text).toMatchObject(printed(0, /^Nothing was interrupted[^]*"Outcome unknown", see what it left/));
});

test('recover: a rule that the list still shows after others have deleted it is not brought in, even if told so', async () => {
  const service = await startAccount();
  const { id } = service.emulator.remote.createRule(live);
  service.emulator.setSwitches({ deletedListedMs: 8_000 });
  expect((await recover(service, pending(create))).operations).toMatchObject([{ verdict: 'take' }]);
  service.emulator.remote.deleteRule(id);
  expect((await recover(service, pending(create))).operations).toMatchObject([{ verdict: 'clear' }]);
  expect((await recover(service, pending(create), '--take', id, '--yes')).isWritten).toBe(false);
});

const same = { enabled: true, value: trafficPolicy.value.replaceAll(':', ' : ') };
const manager = { ...createModule.resource, urn: `${createModule.resource.urn}-other`, id: tcpEdgeId };

test.each<[string, { enabled: boolean; value: string } | undefined, string, ...object[]]>([
  ['none', undefined, 'clear'],
  ['the same', same, 'take'],
  ['the same, which another resource manages', same, 'clear', manager],
  ['an empty one', { enabled: true, value: '{}' }, 'clear'],
  ['one of other content', { enabled: false, value: trafficPolicy.value }, 'refuse'],
])('recover: a create of a module, of which there is %s', async (_what, found, verdict, ...others) => {
  const service = await startAccount();
  if (found !== undefined) service.emulator.remote.modules('tcpModules').set(tcpEdgeId, found);
  const answers = stackHolding([...known, ...others], [createModule]);
  expect((await recover(service, answers)).operations).toMatchObject([{ verdict }]);
  if (verdict === 'clear') return;
  const { operations } = await recover(service, answers, '--take', tcpEdgeId);
  expect(operations).toMatchObject([{ verdict: 'take', id: tcpEdgeId }]);
});

test('recover: what the state holds already is not brought in a second time, even if told so', async () => {
  const service = await startAccount();
  const { id } = service.emulator.remote.createRule(live);
  const answers = stackHolding([...known, { ...create.resource, id: 'ipr_1' }], [create]);
  for (const args of [[], ['--take', id]])
    expect((await recover(service, answers, ...args)).operations).toMatchObject([
      { verdict: 'refuse', candidates: [expect.stringContaining(id)] },
    ]);
});

test.each([
  ['young', -3_600_000, 'take'],
  ['too old', 3_600_000, 'refuse'],
])('recover: a rule is %s by the clock of the service, not by ours', async (_age, skewMs, verdict) => {
  const service = await startAccount({ clock: () => Date.now() + skewMs });
  const before = (ms: number) => new Date(Date.now() - ms).toISOString();
  const created_at = before((verdict === 'take' ? 0 : 1_200_000) - skewMs);
  service.emulator.seed({ rules: [{ ...live, created_at }] });
  const success = { kind: 'update', result: 'succeeded', endTime: before(600_000) };
  const answers = { ...pending(create), 'stack history': { stdout: JSON.stringify([success]) } };
  expect((await recover(service, answers)).operations).toMatchObject([{ verdict }]);
});

test('recover: everything is settled in one write of the state, or nothing', async () => {
  const service = await startAccount();
  const done = await recover(service, pending(create), '--yes');
  expect(done.exitCode).toBe(0);
  expect(done.calls.filter((call) => call.startsWith('stack import'))).toHaveLength(1);

  const urn = 'urn:pulumi:dev::project::other:index:Thing::x';
  const both = pending(create, { type: 'creating', resource: { urn, type: 'other:index:Thing' } });
  expect(await recover(service, both, '--yes')).toMatchObject({
    ...{ exitCode: 1, isWritten: false },
    operations: [{ verdict: 'clear' }, { verdict: 'refuse' }],
  });
  expect((await recover(service, both, '--yes', '--clear', urn)).exitCode).toBe(0);
});

test.each([
  ['--take', 'ipr_nobody'],
  ['--clear', 'urn:pulumi:dev::project::x::nobody'],
] as const)(
  'recover: %s of something that is not there is an error, with and without anything pending',
  async (...decision) => {
    const service = await startAccount();
    for (const answers of [pending(create), pending()]) {
      const refused = await recover(service, answers, '--yes', ...decision);
      expect(refused).toMatchObject({ ...noted(3, decision[1]), isWritten: false });
    }
  },
);

test('recover: two providers with different keys for one account get one rule once', async () => {
  const service = await startAccount();
  const { id } = service.emulator.remote.createRule(live);
  const accounts = ['one', 'other'].map((name) => providerOf(name, service, 'pulumi-nodejs'));
  const creates = accounts.map(({ urn }, at) =>
    creating('IpPolicyRule', rule, { provider: `${urn}::id`, urn: `${create.resource.urn}-${at}` }),
  );
  const answers = stackHolding([stackResource, ...accounts], creates);
  const refused = await recover(service, answers, '--yes');
  expect(refused.operations).toMatchObject([{ verdict: 'refuse' }, { verdict: 'refuse' }]);
  const told = await recover(service, answers, '--yes', '--take', id);
  expect(told.exitCode).toBe(0);
  expect(told.operations?.map(({ verdict }) => verdict).sort()).toEqual(['clear', 'take']);
});

test('recover: two creates under one URN are refused until one object has been deleted', async () => {
  const service = await startAccount({ switches: { duplicateCidr: 'accepted' } });
  const { id } = service.emulator.remote.createRule(live);
  service.emulator.remote.createRule({ ...live, description: 'later' });
  const answers = pending(create, creating('IpPolicyRule', { ...rule, description: 'later' }));
  const { urn } = create.resource;
  expect((await recover(service, answers)).operations).toMatchObject([
    { verdict: 'refuse', urn, candidates: [expect.stringContaining(id)] },
    { verdict: 'refuse', urn },
  ]);
  service.emulator.remote.deleteRule(id);
  expect(await recover(service, answers, '--yes')).toMatchObject({
    exitCode: 0,
    operations: [{ verdict: 'clear' }, { verdict: 'take' }],
  });
});

test('recover: an update of a resource that is being renamed is settled under the name that the state still has', async () => {
  const urn = create.resource.urn.replace(/it$/, 'former');
  const renamed = { type: 'updating', resource: { ...create.resource, aliases: [urn] } };
  const former = { ...create.resource, urn, id: 'ipr_1', outputs: rule };
  const done = await recover(await startAccount(), stackHolding([...known, former], [renamed]), '--yes');
  expect(done.operations).toMatchObject([{ urn, verdict: 'refresh' }]);
  expect(done.calls.find((call) => call.startsWith('refresh'))).toContain(`--target ${urn}`);
});

test('recover: where the refresh behind the written state fails, the state is settled, and that something is left to do is told', async () => {
  const refresh = { stderr: 'error: it is down', exitCode: 255 };
  const answers = { ...pending({ ...create, type: 'updating' }), refresh };
  expect(await recover(await startAccount(), answers, '--yes')).toMatchObject({
    exitCode: 1,
    isApplied: true,
    problem: expect.stringContaining('pulumi refresh') as string,
  });
});

test('recover: a lock is told at the only write', async () => {
  const stderr = 'error: the stack is currently locked by 1 lock(s)';
  const answers = { ...pending(create), 'stack import': { stderr, exitCode: 255 } };
  expect(await recover(await startAccount(), answers, '--yes')).toMatchObject(noted(3, 'currently locked'));
});

test('recover: nothing is written in the wait, so that Ctrl-C leaves everything pending', async () => {
  const line = new CommandLine(await startAccount()).withPulumi(pending(create));
  line.engine = { clock: { ...systemClock, sleep: () => Promise.reject(new Error('Ctrl-C')) } };
  await expect(line.run('recover', '--yes')).rejects.toThrow('Ctrl-C');
  expect(isWritten(line)).toBe(false);
});

test.each(['creating', 'updating', 'deleting'])(
  'recover: with the service down, an operation that is %s stays pending',
  async (type) => {
    const service = await startAccount();
    service.emulator.fault({ kind: 'status', status: 503, times: 'always' });
    const refused = await recover(service, pending({ ...createModule, type }), '--yes');
    expect(refused).toMatchObject({ ...noted(3, '503'), isWritten: false });
  },
);

test('recover: a state that another run has written meanwhile is not written over', async () => {
  const service = await startAccount();
  const answers = pending(create);
  const line = new CommandLine(service).withPulumi(answers);
  const hold = service.emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'before' });
  const running = line.run('recover', '--yes', '--no-wait');
  await hold.reached;
  const text = (answers['stack export']?.stdout ?? '').replace('2030-01-01', '2030-01-02');
  line.withPulumi({ ...answers, 'stack export': { stdout: text } });
  hold.release();
  expect(await running).toMatchObject(noted(3, 'The state changed while it was being read'));
  expect(isWritten(line)).toBe(false);
});

test('recover --yes: a stack that is locked is named before anything is waited for', async () => {
  const line = new CommandLine(await startAccount());
  const whoami = { stdout: JSON.stringify({ url: `file://${line.folder}` }) };
  line.withPulumi({ ...pending(create), whoami });
  const lock = { pid: 4711, username: 'ci', hostname: 'runner' };
  line.write('.pulumi/locks/organization/project/dev/a.json', JSON.stringify(lock));
  const { exitCode, stdout, stderr } = await line.run('recover', '--yes');
  expect([exitCode, stdout]).toEqual([3, '']);
  expect(stderr).toContain(
    'by ci@runner, process 4711. If that run is over, run "pulumi cancel --yes" and then this command again.',
  );
  expect(stderr).not.toContain('Waiting');
});

test.each([
  ['a rule', 'dynamic', creating('IpPolicyRule', { ...rule, cidr: secretOf(rule.cidr) })],
  ['a set', 'native', native(creating('IpPolicyRuleSet', { ipPolicyId: policyId, rules: secretRules }))],
])(
  'recover: a network of %s that the state keeps secret is in no output, %s host',
  async (_what, _host, operation) => {
    const service = await startAccount({ switches: { duplicateCidr: 'accepted' } });
    const first = service.emulator.remote.createRule(live);
    const taking = await recover(service, pending(operation), '--yes');
    service.emulator.remote.createRule(live);
    const refusing = await recover(service, pending(operation));
    const line = new CommandLine(service).withPulumi(pending(operation));
    const text = await line.run('recover', '--no-wait');
    expect([taking, refusing].map(({ operations }) => operations?.[0]?.verdict)).toEqual(['take', 'refuse']);
    for (const { stdout, stderr } of [taking, refusing, text])
      expect(stdout + stderr).not.toContain('10.0.0.0');
    expect(text.stdout).toContain(first.id);
  },
);

test('recover: sums up by verdict before the lines', async () => {
  const service = await startAccount();
  service.emulator.remote.createRule(live);
  const line = new CommandLine(service).withPulumi(pending(create, createModule));
  expect(await line.run('recover', '--no-wait')).toMatchObject(
    printed(1, /^2 operations interrupted: 1 [a-zA-Z ]+, 1 clear\n {2}creating IpPolicyRule it\n/),
  );
});
