import {
  CommandLine,
  type CommandResult,
  type PulumiAnswers,
  stackHolding,
} from '../../support/command-line';
import { freePort } from '../../support/ports';
import { type Service, startService } from '../../support/service-stack';

/** The lines of the doctor by what they are about. */
const lines = ({
  stdout,
}: CommandResult): Record<string, { status: string; detail: string; fix?: string }> => {
  const findings = JSON.parse(stdout) as { what: string; status: string; detail: string; fix?: string }[];
  return Object.fromEntries(findings.map(({ what, ...rest }) => [what, rest]));
};

/** A line of the doctor: its status, and parts of what it says and of what to do. */
const said = (status: string, detail = '', fix = '') => ({
  status,
  detail: expect.stringContaining(detail) as string,
  ...(fix !== '' && { fix: expect.stringContaining(fix) as string }),
});

const examined = async (line: CommandLine) => lines(await line.run('doctor', '--json'));

const configOf = ({ emulator, apiKey }: Service, isSecret = true): PulumiAnswers => ({
  config: {
    stdout: JSON.stringify({
      'edge-policy:apiKey': { value: apiKey, secret: isSecret },
      'edge-policy:baseUrl': { value: emulator.url, secret: false },
    }),
  },
});

// The stand-in takes the first beginning that fits: those of the test come first.
const projectOn = (answers: PulumiAnswers, service?: Service): CommandLine =>
  new CommandLine(service).withPulumi({ ...answers, ...stackHolding(), ...answers });

test('doctor: all is well in a healthy project, and the key is not shown', async () => {
  const service = await startService();
  const line = projectOn(configOf(service));
  const text = await line.run('doctor');
  expect(text.stdout).toContain('All well.');
  expect(text.exitCode).toBe(0);
  expect(text.stdout).not.toContain(service.apiKey);
  const found = await examined(line);
  expect(Object.values(found).map(({ status }) => status)).not.toContain('red');
  expect(found['setting apiKey']?.detail).toBe('set (stack configuration)');
  expect(found['key stored as a secret']?.status).toBe('ok');
  expect(found['stack']?.detail).toBe('dev');
  expect(service.emulator.journal).toHaveLength(2);
});

test('doctor: a key in clear is red in the configuration, and told of in the state', async () => {
  const service = await startService();
  const provider = {
    urn: 'urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::default',
    type: 'pulumi:providers:pulumi-nodejs',
    inputs: { 'edge-policy:apiKey': service.apiKey },
  };
  const result = await projectOn({ ...stackHolding([provider]), ...configOf(service, false) }).run(
    'doctor',
    '--json',
  );
  expect(result.exitCode).toBe(1);
  expect(result.stdout).not.toContain(service.apiKey);
  expect(lines(result)['key stored as a secret']).toMatchObject(said('red', '', '--secret'));
  expect(lines(result)['key in state encrypted']?.status).toBe('warning');
});

test('doctor: a run that was killed is red and leads to recover', async () => {
  const service = await startService();
  const type = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
  const resource = { urn: `urn:pulumi:dev::project::${type}::office`, type };
  const state = stackHolding([], [{ type: 'creating', resource }]);
  const result = await projectOn({ ...state, ...configOf(service) }).run('doctor', '--json');
  expect(lines(result)['no interrupted run']).toMatchObject(
    said('red', 'creating office', 'npx pulumi-edge-policy-cli recover'),
  );
});

test('doctor: a key that the service refuses is red, though the service is reached', async () => {
  const { emulator } = await startService();
  const result = await projectOn({}, { emulator, apiKey: 'wrong-key-5f0c' }).run('doctor', '--json');
  expect(lines(result)['service reachable']?.status).toBe('ok');
  expect(lines(result)['key accepted']).toMatchObject(said('red', '401'));
  expect(result.stdout).not.toContain('wrong-key-5f0c');
});

test('doctor: a service that is not there is red, and the key is not judged', async () => {
  const { emulator, apiKey } = await startService();
  const line = projectOn({}, { emulator, apiKey });
  const host = `127.0.0.1:${await freePort()}`;
  line.setEnvironment('EDGE_POLICY_BASE_URL', `http://${host}`);
  const found = await examined(line);
  expect(found['service reachable']?.detail).toContain(`${host} cannot be reached (check the base URL`);
  expect(found['service reachable']?.status).toBe('red');
  expect(found['key accepted']?.status).toBe('skipped');
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
  expect(found['stack']).toMatchObject(said('red', 'pulumi stack select'));
  expect(found['key accepted']).toMatchObject(said('ok'));
});

const defaultProvider = (key: object | undefined): object => ({
  urn: 'urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::default_3_270_0',
  type: 'pulumi:providers:pulumi-nodejs',
  inputs: key === undefined ? {} : { 'edge-policy:apiKey': key },
});

const secretOf = (text: string): object => ({
  '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
  plaintext: JSON.stringify(text),
});

test.each([
  ['the key that is set', 'the key that is set now', (key: string) => secretOf(key), 'ok'],
  ['another key', 'a different key from the one set now', () => secretOf('old-key-77aa'), 'red'],
  ['no key', 'none, though one is set now', () => undefined, 'red'],
])('doctor: a state with %s: %s', async (_case, detail, inState, status) => {
  const service = await startService();
  const state = stackHolding([defaultProvider(inState(service.apiKey))]);
  const result = await projectOn({ ...state, ...configOf(service) }).run('doctor', '--json');
  expect(lines(result)['key in state']).toMatchObject({
    status,
    detail: expect.stringContaining(detail) as string,
  });
  expect(result.stdout).not.toContain(service.apiKey);
  expect(result.stdout).not.toContain('old-key-77aa');
});

test('doctor: a key of the environment that the state knows nothing of is no difference', async () => {
  const service = await startService();
  const result = await projectOn(stackHolding([defaultProvider(undefined)]), service).run('doctor', '--json');
  expect(lines(result)['key in state']).toMatchObject({ status: 'ok', detail: 'none' });
});

test('doctor: a state whose secrets cannot be decrypted is red, and the passphrase is asked for', async () => {
  const service = await startService();
  const result = await projectOn({
    'stack export --show-secrets': { stderr: 'error: incorrect passphrase', exitCode: 255 },
    ...stackHolding([defaultProvider(secretOf('old-key-77aa'))]),
    ...configOf(service),
  }).run('doctor', '--json');
  expect(lines(result)['state readable']).toMatchObject(said('red', '', 'PULUMI_CONFIG_PASSPHRASE'));
});

test('doctor: the lock of the stack is red, with who holds it', async () => {
  const service = await startService();
  const line = projectOn(configOf(service));
  line.withPulumi({
    ...configOf(service),
    ...stackHolding(),
    ...configOf(service),
    whoami: { stdout: JSON.stringify({ url: `file://${line.folder}` }) },
  });
  const unlocked = (await examined(line))['stack unlocked'];
  expect(unlocked?.status).toBe('ok');
  const lock = { pid: 4711, username: 'ci', hostname: 'runner', timestamp: '2030-01-01T00:00:00Z' };
  line.write('.pulumi/locks/organization/project/dev/a.json', JSON.stringify(lock));
  const locked = (await examined(line))['stack unlocked'];
  expect(locked).toMatchObject(said('red', '', 'pulumi cancel'));
  expect(locked?.detail).toContain('ci@runner, process 4711');
});

test('doctor: a wrong passphrase is called by its name, and no setting is said to be missing', async () => {
  const line = projectOn({ config: { stderr: 'error: incorrect passphrase', exitCode: 255 } });
  const found = await examined(line);
  expect(found['stack configuration']).toMatchObject(
    said('red', 'incorrect passphrase', 'PULUMI_CONFIG_PASSPHRASE'),
  );
  expect(found).not.toHaveProperty('settings');
});

test('doctor: misspelt settings are red, each with the name that was meant', async () => {
  const service = await startService();
  const config = {
    'edge-policy:apikey': { value: 'key-5f0c', secret: true },
    'edge-policy:requestPerMinute': { value: '60', secret: false },
    'edge-policy:colour': { value: 'red', secret: false },
    'project:apikey': { value: 'x', secret: false },
  };
  const line = projectOn({ config: { stdout: JSON.stringify(config) } }, service);
  const { stdout } = await line.run('doctor', '--json');
  const said = (JSON.parse(stdout) as { what: string; status: string; detail: string }[])
    .filter(({ what }) => what === 'settings')
    .map(({ status, detail }) => `${status} ${detail}`);
  expect(said).toEqual([
    expect.stringMatching(/^red edge-policy:apikey is not a setting .*did you mean edge-policy:apiKey\?$/),
    expect.stringMatching(
      /^red edge-policy:requestPerMinute .*did you mean edge-policy:requestsPerMinute\?$/,
    ),
    expect.stringMatching(/^red edge-policy:colour is not a setting .*the settings are apiKey, baseUrl/),
  ]);
  expect(stdout).not.toContain('key-5f0c');
});

test('doctor: an object that two resources manage is red, also across providers and stacks', async () => {
  const service = await startService();
  const urn = (type: string, name: string): string =>
    `urn:pulumi:dev::project::pulumi-nodejs:dynamic/edge-policy:${type}::${name}`;
  const own = (type: string, name: string, rest: object): object => ({
    urn: urn(type, name),
    type: `pulumi-nodejs:dynamic/edge-policy:${type}`,
    custom: true,
    inputs: {},
    outputs: {},
    ...rest,
  });
  const rule = own('IpPolicyRule', 'office', { id: 'ipr_1' });
  const other = own('IpPolicyRule', 'home', { id: 'ipr_2' });
  const set = own('IpPolicyRuleSet', 'offices', {
    id: 'ipp_1/abc',
    outputs: { ruleIdList: 'ipr_1\nipr_3\n' },
  });
  const shared = await projectOn({ ...configOf(service), ...stackHolding([rule, other, set]) }).run(
    'doctor',
    '--json',
  );
  expect(shared.exitCode).toBe(1);
  expect(lines(shared)['every object managed once']).toMatchObject({
    status: 'red',
    detail: expect.stringContaining('ipr_1 by office (dev) and offices (dev)') as string,
  });
  const once = projectOn({ ...configOf(service), ...stackHolding([rule, other]) });
  expect((await examined(once))['every object managed once']?.status).toBe('ok');
  const stacks = await once.run('doctor', '--json', '--stack', 'dev', '--stack', 'prod');
  expect(lines(stacks)['every object managed once']).toMatchObject({
    status: 'red',
    detail: expect.stringContaining('ipr_1 by office (dev) and office (prod)') as string,
  });
});

test('doctor: a state that cannot be read is no matter of a stack to select', async () => {
  const answers = { 'stack export': { stderr: 'error: unexpected end of JSON input', exitCode: 255 } };
  const found = await examined(projectOn(answers, await startService()));
  expect(found['stack']).toBeUndefined();
  expect(found['state readable']).toMatchObject(said('red', '', 'backup'));
});

const withHost = (service: Service, host: string): PulumiAnswers => ({
  config: {
    stdout: JSON.stringify({
      'edge-policy:apiKey': { value: service.apiKey, secret: true },
      'edge-policy:baseUrl': { value: service.emulator.url, secret: false },
      'edge-policy:host': { value: host, secret: false },
    }),
  },
  'plugin ls': { stdout: '[]' },
});

test('doctor: a host that does not exist, or a plugin that the engine will not find, is red', async () => {
  const service = await startService();
  const misspelt = await examined(projectOn(withHost(service, 'nativ')));
  expect(misspelt['setting host']).toMatchObject(said('red', '"nativ" is neither dynamic nor native'));
  const line = projectOn(withHost(service, 'native'));
  expect((await examined(line))['native plugin']).toMatchObject(said('red', '', 'setup-plugin'));
  const section = 'plugins:\n  providers:\n    - name: edge-policy\n      path: plugin\n';
  line.write('Pulumi.yaml', `name: project\nruntime: nodejs\n${section}`);
  expect((await examined(line))['native plugin']).toMatchObject(said('ok'));
  const ofPython = projectOn(configOf(service));
  ofPython.write('Pulumi.yaml', 'name: project\nruntime: python\n');
  expect((await examined(ofPython))['native plugin']?.status).toBe('red');
  const installed = { 'plugin ls': { stdout: '[{"name":"edge-policy","kind":"resource"}]' } };
  const other = projectOn({ ...withHost(service, 'native'), ...installed });
  expect((await examined(other))['native plugin']?.status).toBe('ok');
});

test('doctor: a program whose Providers bring all settings is well, and each of their accounts is tried', async () => {
  const service = await startService();
  const providerOf = (name: string, key: string): object => ({
    urn: `urn:pulumi:dev::project::pulumi:providers:edge-policy::${name}`,
    type: 'pulumi:providers:edge-policy',
    id: name,
    inputs: { apiKey: secretOf(key), baseUrl: service.emulator.url },
  });
  const well = await projectOn(stackHolding([providerOf('one', service.apiKey)])).run('doctor', '--json');
  expect(well.exitCode).toBe(0);
  expect(lines(well)['settings']?.detail).toContain('explicit Providers');
  const both = stackHolding([providerOf('one', service.apiKey), providerOf('two', 'wrong-key-5f0c')]);
  const refused = await projectOn(both).run('doctor', '--json');
  expect(lines(refused)['key accepted (Provider one)']?.status).toBe('ok');
  expect(lines(refused)['key accepted (Provider two)']?.status).toBe('red');
  expect(refused.stdout).not.toContain('wrong-key-5f0c');
});

test.each<[string, (service: Service, line: CommandLine) => void | Promise<void>, string, string]>([
  [
    'a rate limit that is used up',
    ({ emulator }) => {
      emulator.fault({ kind: 'status', status: 429, headers: { 'retry-after': '3600' }, times: 'always' });
    },
    '429',
    'requestsPerMinute',
  ],
  [
    'a service that fails',
    ({ emulator }) => {
      emulator.fault({ kind: 'status', status: 503, times: 'always' });
    },
    '503',
    'try again later',
  ],
  [
    'a proxy that is not there',
    async (_, line) => {
      line
        .setEnvironment('EDGE_POLICY_BASE_URL', 'https://api.example.com')
        .setEnvironment('EDGE_POLICY_PROXY', `http://127.0.0.1:${await freePort()}`);
    },
    'proxy',
    'edge-policy:proxy',
  ],
  [
    'https to a service that speaks http',
    ({ emulator }, line) => {
      line.setEnvironment('EDGE_POLICY_BASE_URL', emulator.url.replace('http:', 'https:'));
    },
    'TLS',
    'edge-policy:baseUrl',
  ],
  [
    'a service that hangs',
    ({ emulator }, line) => {
      line.setEnvironment('EDGE_POLICY_REQUEST_TIMEOUT_SECONDS', '1');
      emulator.hold({ method: 'GET', when: 'before' });
    },
    'no complete answer within the request timeout',
    'that the service is up',
  ],
])(
  'doctor: the line of the service says what is wrong and what to do: %s',
  async (_what, setUp, detail, fix) => {
    const service = await startService();
    const line = projectOn({}, service);
    await setUp(service, line);
    expect((await examined(line))['service reachable']).toMatchObject(said('red', detail, fix));
  },
);
