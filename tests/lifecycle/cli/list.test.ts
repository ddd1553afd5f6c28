import { CommandLine, exportOf, noted, printed, stackHolding } from '../../support/command-line';
import { otherPolicyId, policyId } from '../../support/ids';
import { serviceWith } from '../../support/service-stack';
import { managing, providerOf } from '../../support/state-resource';

const RULES = [
  { id: 'ipr_one', cidr: '10.0.0.0/8', description: 'a\u001b[31m\nb' },
  { id: 'ipr_two', cidr: '10.1.0.0/16', action: 'deny' },
  { id: 'ipr_three', cidr: '2001:db8::/32', action: 'deny', ip_policy_id: otherPolicyId },
] as const;

/** The account with the rules above, and a stack that holds these resources. */
const lineHolding = async (...resources: object[]) =>
  new CommandLine(await serviceWith(...RULES)).withPulumi(stackHolding(resources));

test('list: rules by policy, each with the resource that manages it', async () => {
  const outputs = { ruleIdList: 'ipr_three\nipr_gone\n' };
  const set = { ...managing('set', 'x', 'IpPolicyRuleSet'), outputs };
  const line = await lineHolding(managing('office', 'ipr_one'), set);
  const { exitCode, stdout } = await line.run('list');
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`${policyId}: 2 rules, 1 managed by stack dev`);
  expect(stdout).toMatch(/allow {2}10\.0\.0\.0\/8 +ipr_one +office/);
  expect(stdout).toMatch(/deny +10\.1\.0\.0\/16 +ipr_two +-/);
  expect(stdout).toMatch(/deny +2001:db8::\/32 +ipr_three +set/);
  // Nothing that a terminal acts on.
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toContain('a\ufffd[31m\ufffdb');
});

test('list: as JSON, and only what is asked for', async () => {
  const line = await lineHolding(managing('office', 'ipr_one'));
  const { json } = await line.run('list', '--json', '--unmanaged', '--policy', policyId);
  const createdAt = expect.any(String) as string;
  const rule = { id: 'ipr_two', action: 'deny', cidr: '10.1.0.0/16', createdAt, managedBy: null };
  expect(json).toEqual({ stacks: ['dev'], policies: [{ id: policyId, rules: [rule] }] });
});

test('list --json: a text that a terminal acts on means the same', async () => {
  const description = 'a\u009b31m\u202eb';
  const line = new CommandLine(await serviceWith({ cidr: '10.0.0.0/8', description }));
  expect((await line.run('list', '--json')).json).toMatchObject({ policies: [{ rules: [{ description }] }] });
});

test('list: without a stack the rules are listed, and it is said that nothing is known of their management', async () => {
  const line = new CommandLine(await serviceWith(...RULES));
  const { exitCode, stdout } = await line.run('list', '--policy', otherPolicyId);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Cannot determine which rules are managed: There is no Pulumi project/);
  expect(stdout).not.toContain('ipr_one');
});

test('list: what is read, pending its replacement or of another package is not managed', async () => {
  const line = await lineHolding(
    { ...managing('read', 'ipr_one'), external: true },
    { ...managing('replaced', 'ipr_two'), pendingReplacement: true },
    { urn: 'urn:pulumi:dev::project::other:index:Thing::x', type: 'other:index:Thing', id: 'ipr_three' },
  );
  expect((await line.run('list', '--json', '--unmanaged')).json).toMatchObject({
    policies: [{ rules: { length: 2 } }, { rules: { length: 1 } }],
  });
});

test('list: missing settings are named with both places, and with why the stack was not asked', async () => {
  const { exitCode, stderr } = await new CommandLine().run('list');
  expect(exitCode).toBe(3);
  expect(stderr).toContain('edge-policy:apiKey is not set');
  expect(stderr).toContain('EDGE_POLICY_BASE_URL');
  expect(stderr).toContain('is not in a Pulumi project');
});

test('list --unmanaged: that there is nothing is said in so many words, and why no module is listed', async () => {
  const line = await lineHolding(...RULES.map(({ id }) => managing(id, id)));
  expect(await line.run('list', '--unmanaged')).toMatchObject(
    printed(0, /^No unmanaged rules\.\n\nModules are not listed: the service lists only rules/),
  );
});

test('list: rules of several stacks are managed if they are all named', async () => {
  const line = new CommandLine(await serviceWith(...RULES)).withPulumi({
    'stack export --show-secrets --stack dev': exportOf([managing('office', 'ipr_one')]),
    'stack export --show-secrets --stack prod': exportOf([managing('blocked', 'ipr_two')]),
    ...stackHolding(),
  });
  const { json } = await line.run('list', '--unmanaged', '--json', '--stack', 'dev', '--stack', 'prod');
  expect(json).toMatchObject({
    stacks: ['dev', 'prod'],
    policies: [{ rules: [{ id: 'ipr_three' }] }],
  });
});

test('list --provider: the rules of the account of a Provider of the program', async () => {
  const line = new CommandLine().withPulumi(
    stackHolding([providerOf('partner', await serviceWith(...RULES))]),
  );
  expect(await line.run('list', '--provider', 'partner')).toMatchObject(printed(0, 'ipr_three'));
  expect(await line.run('list', '--provider', 'nobody')).toMatchObject(noted(3, '  partner\n'));
});

test('list: a wrong passphrase is said before any setting', async () => {
  const passphrase = { stderr: 'error: incorrect passphrase', exitCode: 255 };
  const locked = new CommandLine().withPulumi({ config: passphrase, 'stack export': passphrase });
  const first = await locked.run('list');
  expect(first.exitCode).toBe(3);
  expect(first.stderr.split('\n').slice(0, 2).join(' ')).toContain('incorrect passphrase');
  const named = new CommandLine(await serviceWith(...RULES)).withPulumi({
    'stack export': passphrase,
    config: { stdout: '{}' },
  });
  expect(await named.run('list', '--stack', 'prod')).toMatchObject({ exitCode: 3, stdout: '' });
});
