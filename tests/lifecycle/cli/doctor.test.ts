import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  CommandLine,
  type CommandResult,
  exportOf,
  noted,
  type PulumiAnswers,
  stackHolding,
} from '../../support/command-line';
import { newest } from '../../../review/src/preview/cli-range.json';
import { type Service, serviceWith, startService } from '../../support/service-stack';
import { managing, providerOf, resource, secretOf } from '../../support/state-resource';

/** The lines of the doctor by what they are about. */
const lines = ({ json }: CommandResult): Record<string, Check> =>
  Object.fromEntries((json as (Check & { what: string })[]).map(({ what, ...rest }) => [what, rest]));

interface Check {
  readonly status: string;
  readonly detail: string;
  readonly fix?: string;
}

/** A line of the doctor: its status, and parts of what it says and of what to do. */
const said = (status: string, detail = '', fix = '') => ({
  status,
  detail: expect.stringContaining(detail) as string,
  ...(fix !== '' && { fix: expect.stringContaining(fix) as string }),
});

const examined = async (line: CommandLine) => lines(await line.run('doctor', '--json'));

const OLD_KEY = 'old-key-77aa';

type Config = Readonly<Record<string, { readonly value: string; readonly secret: boolean }>>;

/** The settings of a stack. */
const configOf = ({ emulator, apiKey }: Service, more: Config = {}): PulumiAnswers => {
  const config: Config = {
    'edge-policy:apiKey': { value: apiKey, secret: true },
    'edge-policy:baseUrl': { value: emulator.url, secret: false },
    ...more,
  };
  return { config: { stdout: JSON.stringify(config) } };
};

/** The state of a stack, and nothing else that it answers. */
const ofState = (...of: Parameters<typeof exportOf>): PulumiAnswers => ({ 'stack export': exportOf(...of) });

const projectOn = (answers: PulumiAnswers, service?: Service): CommandLine =>
  new CommandLine(service).withPulumi({ ...stackHolding(), ...answers });

test('doctor: all is well in a healthy project, and the key is not shown', async () => {
  const service = await startService();
  const line = projectOn(configOf(service));
  const text = await line.run('doctor');
  expect(text.stdout).toContain('All well.');
  expect(text.exitCode).toBe(0);
  expect(text.stdout).not.toContain(service.apiKey);
  const found = await examined(line);
  expect(Object.values(found).map(({ status }) => status)).not.toContain('red');
  expect(found['key stored as a secret']?.status).toBe('ok');
  expect(found['stack']?.detail).toBe('dev');
  expect(service.emulator.journal).toHaveLength(2);
});

test('doctor: the assertion files of the stack are read, and how to name who must get in is said until somebody is', async () => {
  const line = projectOn({});
  const examinedFiles = async (files: Readonly<Record<string, unknown>>) => {
    for (const [name, content] of Object.entries(files)) line.write(name, JSON.stringify(content));
    return (await examined(line))['assertion files'];
  };
  expect(await examinedFiles({})).toMatchObject(
    said('ok', 'none; "mustAllow" in edge-policy.assertions.json'),
  );
  const policies = [{ ipPolicyId: 'ipp_1', mustAllow: ['192.0.2.7'] }];
  const ofStack = {
    'edge-policy.assertions.dev.json': { policies },
    'edge-policy.assertions.prod.json': 'of no concern',
  };
  expect(await examinedFiles(ofStack)).toEqual({
    status: 'ok',
    detail: 'edge-policy.assertions.dev.json: 1 assertion, 0 waivers',
  });
  expect(await examinedFiles({ 'edge-policy.assertions.json': { gate: { failon: 'low' } } })).toMatchObject(
    said('red', 'failon'),
  );
});

test('doctor: rules that no program can declare are named, also behind the first page', async () => {
  const service = await serviceWith({ id: 'ipr_0', cidr: '10.0.0.1/8' }, { cidr: '10.1.0.0/16' });
  service.emulator.setSwitches({ pageSize: 1 });
  const found = await examined(projectOn(configOf(service), service));
  expect(found['rules readable']).toMatchObject(
    said('warning', 'ipr_0 (allow 10.0.0.1/8)', 'set its cidr on the service'),
  );
});

test('doctor, list and explain: a service that answers 404 to everything, as JSON, says to check the base URL', async () => {
  const { emulator, apiKey } = await startService();
  const line = projectOn({}, { emulator, apiKey });
  line.setEnvironment('EDGE_POLICY_BASE_URL', `${emulator.url}/v2`);
  const told = 'GET /ip_policy_rules returned 404';
  expect((await examined(line))['service reachable']).toMatchObject(
    said('red', told, 'check edge-policy:baseUrl'),
  );
  for (const args of [['list'], ['explain', '192.0.2.1', '--live']]) {
    const refused = noted(3, 'every account has this list: check the base URL');
    expect(await line.run(...args)).toMatchObject(refused);
  }
});

test('doctor: no word is cut, however long what it has to say is', async () => {
  const problem = `error: ${'the passphrase is wrong '.repeat(30)}end`;
  const line = projectOn({ config: { stderr: problem, exitCode: 1 } });
  const { stdout } = await line.run('doctor');
  expect(stdout).toContain('the passphrase is wrong end');
  expect(stdout).not.toContain('…');
});

test('doctor: in an empty folder without Pulumi every missing thing says what to do', async () => {
  const result = await new CommandLine().run('doctor', '--json');
  expect(result.exitCode).toBe(1);
  const found = lines(result);
  expect(found['Pulumi CLI']).toMatchObject(said('red'));
  expect(found['project']).toMatchObject(said('red'));
  expect(found['settings']).toMatchObject(said('red'));
  for (const { status, fix } of Object.values(found)) expect(status === 'red' ? fix : 'fine').toBeTruthy();
});

test('doctor: an old CLI and no stack are told one by one', async () => {
  const service = await startService();
  const line = new CommandLine(service).withPulumi({
    version: { stdout: 'v3.200.0' },
    config: { stderr: 'error: no stack selected', exitCode: 255 },
    stack: { stderr: 'error: no stack selected', exitCode: 255 },
  });
  const found = await examined(line);
  expect(found['Pulumi CLI']).toMatchObject(said('warning', '', '3.254.0'));
  line.withPulumi({ version: { stdout: 'v9.0.0' } });
  expect((await examined(line))['Pulumi CLI']).toMatchObject(said('ok', `9.0.0, later than ${newest}`));
  expect(found['stack']).toMatchObject(said('red', 'pulumi stack select'));
  expect(found['key accepted']).toMatchObject(said('ok'));
});

const defaultProvider = (key: object | undefined): object => ({
  urn: 'urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::default_3_270_0',
  type: 'pulumi:providers:pulumi-nodejs',
  inputs: key === undefined ? {} : { 'edge-policy:apiKey': key },
});
const failing = (stderr: string) => ({ stderr: `error: ${stderr}`, exitCode: 255 });
const passphrase = failing('incorrect passphrase');
const locked = () => ({ config: passphrase });

const withKey = (key?: string) => ofState([defaultProvider(key === undefined ? key : secretOf(key))]);
const killed = ofState([], [{ type: 'creating', resource: managing('office', 'ipr_1') }]);
const sealed = () => ({ 'stack export --show-secrets': passphrase, ...withKey(OLD_KEY) });
const inClear = ({ apiKey, emulator }: Service) => ({
  ...configOf({ apiKey, emulator }, { 'edge-policy:apiKey': { value: apiKey, secret: false } }),
  ...ofState([{ ...defaultProvider(undefined), inputs: { 'edge-policy:apiKey': apiKey } }]),
});
const at = (value: string) => (service: Service) =>
  configOf(service, { 'edge-policy:baseUrl': { value, secret: false } });
const atNobody = at('http://127.0.0.1:9');
const byName = at('http://localhost:4010');
const down = ({ emulator }: Service) => {
  emulator.fault({ kind: 'status', status: 503, times: 'always' });
  return {};
};
const RULES = `@rules
8.8.8.0/24: allow
ended 9.9.9.0/24: allow until 2026-01-01
left out 8.8.8.66/32: deny until 2025-11-30
`;
const ended = ofState([resource('IpPolicyRuleSet', 'site', { rules: RULES })]);
const NEVER_SENT =
  /^warning: 1 rule is never sent, as its until has already passed: deny 8\.8\.8\.66\/32 until 2025-11-30/;
const unread = { 'stack export': failing('unexpected end of JSON input') };

// A line is its status, what it says and what to do; one that is undefined must not be there.
test.each<[string, (service: Service) => PulumiAnswers, what: string, line: RegExp | undefined]>([
  ['a run that was killed', () => killed, 'no interrupted run', /^red: .*creating office: .*-cli recover/],
  ['its own key', ({ apiKey }) => withKey(apiKey), 'key in state', /^ok: the key that is set now/],
  ['another key', () => withKey(OLD_KEY), 'key in state', /^red: a different key from the one set now/],
  ['no key', () => withKey(), 'key in state', /^red: none, though one is set now/],
  ['a wrong key', (its) => configOf({ ...its, apiKey: OLD_KEY }), 'key accepted', /^red: .*401/],
  ['a wrong key', (its) => configOf({ ...its, apiKey: OLD_KEY }), 'service reachable', /^ok: /],
  ['nobody there', atNobody, 'service reachable', /^red: .*:9 cannot be reached \(check the base URL/],
  ['nobody there', atNobody, 'key accepted', /^skipped: /],
  ['a service that is down', down, 'service reachable', /^red: .*503.*: .*try again later/],
  ['an address that an up refuses', byName, 'settings', /^red: .*not for "localhost", which/],
  ['secrets that cannot be decrypted', sealed, 'state readable', /^red: .*PULUMI_CONFIG_PASSPHRASE/],
  ['a wrong passphrase', locked, 'stack configuration', /^red: .*incorrect passphrase.*: .*_PASSPHRASE/],
  ['a wrong passphrase', locked, 'settings', undefined],
  ['a key in clear', inClear, 'key stored as a secret', /^red: .*set EDGE_POLICY_API_KEY to it/],
  ['a key in clear', inClear, 'key in state encrypted', /^warning: /],
  ['a rule that had ended when it was declared', () => ended, 'rules of site', NEVER_SENT],
  ['a state that cannot be read', () => unread, 'state readable', /^red: .*backup/],
  ['a state that cannot be read', () => unread, 'stack', undefined],
])('doctor: a stack with %s (%#)', async (_what, answers, what, about) => {
  const service = await startService();
  const line = projectOn({ ...configOf(service), ...answers(service) });
  const result = await line.run('doctor', '--json');
  const found = lines(result)[what];
  if (about === undefined) expect(found).toBeUndefined();
  else expect([found?.status, found?.detail, found?.fix].join(': ').replaceAll('\n', ' ')).toMatch(about);
  for (const key of [service.apiKey, OLD_KEY]) expect(result.stdout).not.toContain(key);
});

test('doctor: a key of the environment that the state knows nothing of is no difference', async () => {
  const found = await examined(projectOn(withKey(), await startService()));
  expect(found['key in state']).toMatchObject({ status: 'ok', detail: 'none' });
});

test('doctor: the lock of the stack is red, with who holds it', async () => {
  const service = await startService();
  const line = projectOn(configOf(service));
  const whoami = { stdout: JSON.stringify({ url: `file://${line.folder}` }) };
  line.withPulumi({ ...stackHolding(), ...configOf(service), whoami });
  const unlocked = (await examined(line))['stack unlocked'];
  expect(unlocked?.status).toBe('ok');
  const lock = { pid: 4711, username: 'ci', hostname: 'runner', timestamp: '2030-01-01T00:00:00Z' };
  line.write('.pulumi/locks/organization/project/dev/a.json', JSON.stringify(lock));
  const locked = (await examined(line))['stack unlocked'];
  expect(locked).toMatchObject(said('red', '', 'pulumi cancel'));
  expect(locked?.detail).toContain('ci@runner, process 4711');
  // Half a file, by a run that was killed.
  line.write('.pulumi/locks/organization/project/dev/a.json', '{"pid":');
  expect((await examined(line))['stack unlocked']).toMatchObject(said('red', '', 'pulumi cancel'));
  // A folder that cannot be read is no sign that no run is under way.
  rmSync(path.join(line.folder, '.pulumi/locks/organization/project/dev'), { recursive: true });
  line.write('.pulumi/locks/organization/project/dev', 'no folder');
  expect((await examined(line))['state readable']).toMatchObject(said('red', 'locks of the stack', ''));
});

test('doctor: an object that two resources manage is red, also across providers and stacks', async () => {
  const service = await startService();
  const set = {
    ...managing('offices', 'ipp_1/abc', 'IpPolicyRuleSet'),
    outputs: { ruleIdList: 'ipr_1\nipr_3\n' },
  };
  const rules = [managing('office', 'ipr_1'), managing('home', 'ipr_2')];
  const managed = async (held: readonly object[], ...args: string[]) => {
    const line = projectOn({ ...configOf(service), ...stackHolding(held) });
    return lines(await line.run('doctor', '--json', ...args))['every object managed once'];
  };
  expect(await managed(rules)).toMatchObject(said('ok'));
  const twice = said('red', 'ipr_1 by office (dev) and offices (dev)');
  expect(await managed([...rules, set])).toMatchObject(twice);
  const inTwoStacks = said('red', 'ipr_1 by office (dev) and office (prod)');
  expect(await managed(rules, '--stack', 'dev', '--stack', 'prod')).toMatchObject(inTwoStacks);
});

test('doctor: a program whose Providers bring all settings is well, and each of their accounts is tried', async () => {
  const service = await startService();
  const one = providerOf('one', service);
  const well = await projectOn(stackHolding([one])).run('doctor', '--json');
  expect(well.exitCode).toBe(0);
  expect(lines(well)['settings']?.detail).toContain('explicit Providers');
  const two = providerOf('two', { ...service, apiKey: 'wrong-key-5f0c' });
  const refused = await projectOn(stackHolding([one, two])).run('doctor', '--json');
  expect(lines(refused)['key accepted (Provider one)']?.status).toBe('ok');
  expect(lines(refused)['key accepted (Provider two)']?.status).toBe('red');
  expect(refused.stdout).not.toContain('wrong-key-5f0c');
});

test('doctor: the native host without a plugin is red in words of its own, with both ways out', async () => {
  const native = configOf(await startService(), { 'edge-policy:host': { value: 'native', secret: false } });
  const line = projectOn({ ...native, 'plugin ls': { stdout: '[]' } });
  const missing = (await examined(line))['native plugin'];
  expect(missing).toMatchObject(
    said('red', 'no plugin', 'setup-plugin" in the project, or "pulumi config rm edge-policy:host"'),
  );
  line.write(
    'Pulumi.yaml',
    'name: project\nplugins:\n  providers:\n    - name: edge-policy\n      path: "plugin"\n',
  );
  expect((await examined(line))['native plugin']?.status).toBe('red');
  line.write('plugin/pulumi-resource-edge-policy', '');
  expect((await examined(line))['native plugin']).toMatchObject(said('ok', 'plugin'));
  const other = projectOn({ ...native, 'plugin ls': { stdout: '[{ "name": "edge-policy" }]' } });
  expect((await examined(other))['native plugin']?.status).toBe('ok');
});
