import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { CommandLine, noted, printed, type PulumiAnswers, stackHolding } from '../../support/command-line';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { serviceWith } from '../../support/service-stack';
import { providerOf } from '../../support/state-resource';

const importFileOf = (line: CommandLine): unknown => JSON.parse(line.read('adopted/adopted.import.json'));

const isWritten = (line: CommandLine, name: string): boolean => existsSync(path.join(line.folder, name));

test('import: code and import file are written, the service is only read, and what comes next is said', async () => {
  const service = await serviceWith(
    { cidr: '203.0.113.0/24', description: 'Office' },
    { cidr: '10.0.0.0/8', ip_policy_id: otherPolicyId },
  );
  const line = new CommandLine(service);
  const { exitCode, stdout, stderr } = await line.run('import', '--policy', policyId);
  expect(exitCode).toBe(0);
  expect(line.read('adopted/adopted.ts')).toContain('new IpPolicyRule("office", {');
  const [live] = service.emulator.state().rules;
  expect(importFileOf(line)).toMatchObject({
    resources: [{ type: 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule', name: 'office', id: live?.id }],
  });
  expect(stdout).toContain('import "./adopted/adopted";');
  expect(stdout).toContain(
    'pulumi import --file adopted/adopted.import.json --generate-code=false --protect=false --yes',
  );
  expect(stderr).toContain('Not compared with any stack');
  expect(service.emulator.journal.every(({ method }) => method === 'GET')).toBe(true);
});

test('import: a rule that the list still shows after others have deleted it is not adopted', async () => {
  const service = await serviceWith({ cidr: '10.0.0.0/8' }, { cidr: '10.1.0.0/16' });
  const { emulator } = service;
  emulator.setSwitches({ deletedListedMs: 8_000 });
  emulator.remote.deleteRule(emulator.state().rules[0]?.id ?? '');
  const line = new CommandLine(service);
  await line.run('import', '--policy', policyId);
  const { resources } = importFileOf(line) as { resources: { id: string }[] };
  expect(resources.map(({ id }) => id)).toEqual(emulator.state().rules.map(({ id }) => id));
});

test('import: before the ids of one stack go into a program that others share, it shows how to take them from the configuration', async () => {
  const service = await serviceWith(
    { cidr: '10.0.0.0/8' },
    { cidr: '10.1.0.0/16', ip_policy_id: otherPolicyId },
  );
  const sharedBy = (...names: readonly object[]): CommandLine =>
    new CommandLine(service).withPulumi({ 'stack ls': { stdout: JSON.stringify(names) }, ...stackHolding() });
  const prod = sharedBy({ name: 'acme/dev', current: true }, { name: 'prod' });
  const { stderr, exitCode } = await prod.run('import', '--all', '--stack', 'acme/infra/prod');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('WARNING: The code will name ids of prod, and this program is that of dev, too');
  expect(stderr).toContain(`  pulumi config set ipPolicyId ${policyId} --stack prod\n`);
  expect(stderr).toContain(
    `    new pulumi.Config().require('ipPolicyId2') in the code, instead of '${otherPolicyId}'\n`,
  );
  const alone = await sharedBy({ name: 'dev', current: true }).run('import', '--all');
  expect(alone.stderr).not.toContain('WARNING');
});

test('import: no file is ever overwritten, not even a link to nothing', async () => {
  const line = new CommandLine(await serviceWith({ cidr: '10.0.0.0/8' })).withPulumi(stackHolding());
  line.write('infra/adopted.ts', '// mine');
  symlinkSync('/nowhere/at/all', path.join(line.folder, 'infra', 'adopted-2.ts'));
  expect((await line.run('import', '--all', '--out', 'infra')).exitCode).toBe(0);
  expect(line.read('infra/adopted.ts')).toBe('// mine');
  expect(line.read('infra/adopted-3.ts')).toContain('10.0.0.0/8');
});

test('import: more than 20 rules of a policy become a set, unless asked otherwise', async () => {
  const rules = Array.from({ length: 21 }, (_, index) => ({ cidr: `10.0.${index}.0/24` }));
  const service = await serviceWith(...rules);
  const types = async (...form: string[]): Promise<string[]> => {
    const { json } = await new CommandLine(service).run('import', '--all', '--json', ...form);
    const { resources } = json as { resources: { type: string }[] };
    return [...new Set(resources.map(({ type }) => type))];
  };
  expect(await types()).toEqual(['IpPolicyRuleSet']);
  expect(await types('--as', 'rules')).toEqual(['IpPolicyRule']);
  expect(await types('--as', 'set', '--cidr', '10.0.0.0/24')).toEqual(['IpPolicyRuleSet']);
});

test('import: a rule that no program may declare is left out with the reason, and the exit code says so', async () => {
  const line = new CommandLine(await serviceWith({ cidr: '10.0.0.1/8' }, { cidr: '10.1.0.0/16' }));
  const result = await line.run('import', '--all');
  expect(result).toMatchObject(printed(1, 'has bits set after its first 8'));
  expect(result).toMatchObject(printed(1, 'set its cidr on the service'));
  expect(line.read('adopted/adopted.ts')).not.toContain('10.0.0.1');
});

test('import: an edge without a module, and a policy without rules, are failures that write nothing', async () => {
  const line = new CommandLine(await serviceWith());
  const route = `${httpsEdgeId}/${routeId}`;
  const places = ['--policy', policyId, '--tcp-edge', tcpEdgeId, '--route', route];
  const { exitCode, stderr } = await line.run('import', ...places);
  expect(exitCode).toBe(3);
  expect(stderr).toContain(`TCP edge ${tcpEdgeId} has no traffic policy module`);
  expect(stderr).toContain(`HTTPS edge route ${route} has no user agent filter module`);
  expect(stderr).toContain(policyId);
  expect(isWritten(line, 'adopted')).toBe(false);
});

const failing = (stderr: string): PulumiAnswers => ({ 'stack export': { stderr, exitCode: 255 } });
const pending = [{ type: 'creating', resource: { urn: 'urn:pulumi:dev::project::x::office', inputs: {} } }];

test.each<[string, PulumiAnswers, string]>([
  ['no stack selected', failing('error: no stack selected; please'), 'pulumi stack select NAME'],
  ['a state that cannot be read', failing('error: incorrect passphrase'), 'incorrect passphrase'],
  ['a CLI that is too old', { version: { stdout: 'v3.253.1\n' } }, '3.254.0 or newer is needed'],
  ['operations that are pending', stackHolding([], pending), 'pulumi-edge-policy-cli recover'],
])('import: %s is explained, and nothing is written', async (_what, answers, advice) => {
  const line = new CommandLine(await serviceWith({ cidr: '10.0.0.0/8' }));
  line.withPulumi({ ...stackHolding(), ...answers });
  expect(await line.run('import', '--all', '--run')).toMatchObject(noted(3, advice));
  expect(isWritten(line, 'adopted')).toBe(false);
});

test('import: if the engine refuses, as for a name that is taken, its reason is shown, the files stay, and the way to go on is told', async () => {
  const said = "error: resource 'urn:pulumi:dev::project::x::office' already exists";
  const answers = { ...stackHolding(), import: { stdout: said, exitCode: 255 } };
  const line = new CommandLine(await serviceWith({ cidr: '10.0.0.0/8' })).withPulumi(answers);
  const { exitCode, stdout } = await line.run('import', '--all', '--run');
  expect(exitCode).toBe(1);
  expect(stdout).toContain('already exists');
  expect(stdout).toContain(
    'Once the cause is fixed, import what is missing:\n  pulumi import --file adopted/adopted.import.json',
  );
  expect(isWritten(line, 'adopted/adopted.ts')).toBe(true);
});

test('import: if the plugin serves the stack, its own tokens come into the state', async () => {
  const config = JSON.stringify({ 'edge-policy:host': { value: 'native', secret: false } });
  const line = new CommandLine(await serviceWith({ cidr: '10.0.0.0/8' })).withPulumi({
    ...stackHolding(),
    config: { stdout: config },
  });
  await line.run('import', '--all', '--run');
  expect(importFileOf(line)).toMatchObject({ resources: [{ type: 'edge-policy:index:IpPolicyRule' }] });
  expect(JSON.stringify(importFileOf(line))).not.toContain('__provider');
});

test.each([
  ['pulumi-nodejs', 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule'],
  ['edge-policy', 'edge-policy:index:IpPolicyRule'],
] as const)(
  'import --provider: a Provider of %s gives its account and its host',
  async (packageName, token) => {
    const second = await serviceWith({ cidr: '10.0.0.0/8' });
    const provider = providerOf('second', second, packageName);
    const other = new CommandLine(await serviceWith({ cidr: '10.9.0.0/16' }));
    const line = other.withPulumi(stackHolding([provider]));
    const { stdout, exitCode } = await line.run('import', '--all', '--run', '--provider', 'second');
    expect(exitCode).toBe(0);
    expect(importFileOf(line)).toMatchObject({
      nameTable: { 'its provider': provider.urn },
      resources: [{ type: token, provider: 'its provider', inputs: { cidr: '10.0.0.0/8' } }],
    });
    expect(line.read('adopted/adopted.ts')).toContain('export function adopted(provider: Provider): void {');
    expect(stdout).not.toContain('10.9.0.0');
  },
);

test('import: for a program in another language the import file alone is written, and the engine prints the code', async () => {
  const service = await serviceWith({ cidr: '203.0.113.0/24', description: 'Office' });
  const line = new CommandLine(service).withPulumi(stackHolding());
  line.write('Pulumi.yaml', 'name: project\nruntime: python\n');
  const refused = await line.run('import', '--all', '--run');
  expect(refused).toMatchObject(noted(3, /^This is a program in python[^]*Run the command without --run/));
  expect(service.emulator.journal).toEqual([]);
  expect(isWritten(line, 'adopted')).toBe(false);

  const { exitCode, stdout } = await line.run('import', '--all');
  expect(exitCode).toBe(0);
  expect(isWritten(line, 'adopted/adopted.ts')).toBe(false);
  expect(stdout).not.toMatch(/adopted\.ts|Add to the program/);
  expect(stdout).toContain('pulumi import --file adopted/adopted.import.json --protect=false --yes\n');
  expect(importFileOf(line)).toMatchObject({
    resources: [{ type: 'edge-policy:index:IpPolicyRule', name: 'office' }],
  });
  const { json } = await line.run('import', '--all', '--json', '--out', 'other');
  expect(json).toMatchObject({ files: { program: null } });
});
