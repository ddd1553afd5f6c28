import { CommandLine, type PulumiAnswers, stackHolding } from '../support/command-line';
import { policyId, tcpEdgeId } from '../support/ids';
import { type Service, startService } from '../support/service-stack';

const prefix = 'pulumi-nodejs:dynamic/edge-policy:';
const provider = 'urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::default';
const stackResource = {
  urn: 'urn:pulumi:dev::project::pulumi:pulumi:Stack::project-dev',
  type: 'pulumi:pulumi:Stack',
  created: '2020-01-01T00:00:00Z',
};
const defaultProvider = { urn: provider, type: 'pulumi:providers:pulumi-nodejs', id: 'one' };

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
  stackHolding([stackResource, defaultProvider], operations);

test('recover: without anything pending there is nothing to do', async () => {
  const { exitCode, operations } = await recover(await startService(), pending());
  expect(exitCode).toBe(0);
  expect(operations).toEqual([]);
});

test.each<[string, { enabled: boolean; value: string } | undefined, string]>([
  ['none', undefined, 'clear'],
  ['the same', { enabled: true, value: trafficPolicy.value.replaceAll(':', ' : ') }, 'take'],
  ['other content', { enabled: false, value: trafficPolicy.value }, 'clear'],
])('recover: a create of a module, of which there is %s', async (_what, live, verdict) => {
  const service = await startService();
  if (live !== undefined) service.emulator.remote.setTcpModule(tcpEdgeId, live);
  const { operations } = await recover(
    service,
    pending(creating('TcpEdgeTrafficPolicyModule', trafficPolicy)),
  );
  expect(operations).toMatchObject([{ verdict }]);
});

test('recover: only shown, nothing is written, and the exit code says that something is pending', async () => {
  const service = await startService();
  const { exitCode, calls } = await recover(service, pending(creating('IpPolicyRule', rule)));
  expect(exitCode).toBe(1);
  expect(calls.some((call) => /^(stack import|import|refresh|up)/.test(call))).toBe(false);
  expect(service.emulator.journal.every(({ method }) => method === 'GET')).toBe(true);
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

test('recover: an account that cannot be read settles nothing', async () => {
  const service = await startService();
  service.emulator.fault({ kind: 'status', status: 503, times: 'always' });
  const { exitCode, stderr, calls } = await recover(
    service,
    pending(creating('IpPolicyRule', rule)),
    '--yes',
  );
  expect(exitCode).toBe(3);
  expect(stderr).toContain('503');
  expect(calls.some((call) => call.startsWith('stack import'))).toBe(false);
});

test('recover: a failed run is looked at by its preview, where nothing is pending', async () => {
  const service = await startService();
  const made = service.emulator.remote.createRule({
    cidr: '10.0.0.0/8',
    action: 'allow',
    ip_policy_id: policyId,
  });
  const { resource } = creating('IpPolicyRule', rule);
  const preview = (inputs: object): PulumiAnswers => ({
    ...pending(),
    preview: { stdout: JSON.stringify({ steps: [{ op: 'create', newState: { ...resource, inputs } }] }) },
  });
  expect((await recover(service, preview(rule), '--failed-run')).operations).toMatchObject([
    { verdict: 'take', id: made.id },
  ]);
  const secret = { ...rule, description: '[secret]' };
  expect((await recover(service, preview(secret), '--failed-run')).operations).toMatchObject([
    { verdict: 'refuse' },
  ]);
  const other = { ...rule, cidr: '10.1.0.0/16' };
  expect((await recover(service, preview(other), '--failed-run')).operations).toEqual([]);
  const both = await recover(service, pending(creating('IpPolicyRule', rule)), '--failed-run');
  expect(both.exitCode).toBe(3);
  expect(both.stderr).toContain('without --failed-run');
});
