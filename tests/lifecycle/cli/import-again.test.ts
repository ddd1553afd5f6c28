import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../../emulator/src/index';
import { CommandLine, noted, printed, stackHolding } from '../../support/command-line';
import { eventually } from '../../support/eventually';
import { policyId } from '../../support/ids';
import { serviceWith } from '../../support/service-stack';
import { managing } from '../../support/state-resource';

const networks = ['10.0.0.0/16', '10.1.0.0/16', '10.2.0.0/16'];
const account = () => serviceWith(...networks.map((cidr) => ({ cidr })));

/** The state after an import of the rules for some networks. */
const imported = (emulator: Emulator, cidrs: readonly string[]): object[] =>
  emulator
    .state()
    .rules.filter(({ cidr }) => cidrs.includes(cidr))
    .map(({ id, cidr }) => managing(`allow-${cidr.replace('/', '-')}`, id));

const files = (line: CommandLine): string[] => {
  const folder = path.join(line.folder, 'adopted');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

const afterImport = async (...args: string[]) => {
  const service = await account();
  const line = new CommandLine(service).withPulumi(stackHolding());
  const { stdout } = await line.run('import', '--all', ...args);
  return { emulator: service.emulator, line, stdout };
};

test('import --run: the last lines say what a preview deletes until the program has the line, and how to prevent it', async () => {
  const { stdout } = await afterImport('--run');
  expect(stdout.match(/import ".\/adopted\/adopted";/g)).toHaveLength(1);
  expect(stdout).toContain('Imported: 3 resources. The service was not changed.');
  expect(stdout).toMatch(
    /WARNING: Until the program has that line, .* shows the imported resources to delete, and "pulumi up" deletes\nthem on the service/,
  );
  expect(stdout).toContain('pulumi state protect --all --yes');
});

test('import: resumed after it was ended, it says the line and the warning until the program names the module', async () => {
  const { emulator, line } = await afterImport('--run');
  line.withPulumi(stackHolding(imported(emulator, networks)));
  line.write('index.ts', `import './readopted'; // nothing that's "adopted" yet\n`);
  line.write('node_modules/other/index.js', 'require("./adopted")\n');
  const resumed = await line.run('import', '--all', '--run');
  expect(resumed.exitCode).toBe(1);
  expect(resumed.stdout).toContain('Nothing to adopt.');
  expect(resumed.stdout).toContain(
    'An earlier import wrote adopted/adopted.ts, the state holds its resources, and no file of the program names it.\n' +
      'Add to the program:  import "./adopted/adopted";',
  );
  expect(resumed.stdout).toContain('WARNING: Until the program has that line');
  const { json } = await line.run('import', '--all', '--json');
  expect(json).toMatchObject({ undeclared: [path.join(line.folder, 'adopted', 'adopted.ts')] });

  line.write('index.ts', "import './adopted/adopted';\n");
  const again = await line.run('import', '--all', '--run');
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Nothing to adopt.')]);
  expect(again.stdout).not.toContain('WARNING');
  expect(line.pulumiCalls('import')).toHaveLength(1);
});

const ES_MODULES = '{"type": "module"}';

test.each([
  ['{}', 'require("./adopted/adopted");', 'const { IpPolicyRule } = require("pulumi-edge-policy");'],
  [ES_MODULES, 'import "./adopted/adopted.js";', 'import { IpPolicyRule } from "pulumi-edge-policy";'],
])('import: into a program in JavaScript, whose package.json is %s', async (packageJson, said, head) => {
  const line = new CommandLine(await account()).withPulumi(stackHolding());
  line.write('index.js', '');
  line.write('package.json', packageJson);
  expect(await line.run('import', '--all')).toMatchObject(printed(0, `Add to the program:  ${said}\n`));
  expect(line.read('adopted/adopted.js').startsWith(`${head}\n\n`)).toBe(true);
});

test('import: one that was never begun is named with the way out, and nothing is written, edited or not', async () => {
  const { line } = await afterImport('--as', 'rules', '--run');
  line.write('adopted/adopted.ts', line.read('adopted/adopted.ts').replaceAll('allow-', 'renamed-'));
  line.withPulumi(stackHolding());
  const { exitCode, stderr } = await line.run('import', '--all', '--run');
  expect(exitCode).toBe(3);
  expect(stderr).toContain('adopted/adopted.import.json already describes some of the resources to adopt');
  expect(stderr).toContain(
    '  pulumi import --file adopted/adopted.import.json --generate-code=false --protect=false --yes\n',
  );
  expect(stderr).toContain('If no stack has imported any of it, you can delete');
  expect(files(line)).toEqual(['adopted.import.json', 'adopted.ts']);
});

test('import --run: one that ended midway brings in the rest when it is repeated', async () => {
  const { emulator, line } = await afterImport('--as', 'rules', '--run');
  const code = line.read('adopted/adopted.ts');
  line.withPulumi(stackHolding(imported(emulator, networks.slice(0, 1))));
  line.onCall = (call) => {
    if (call.startsWith('import ')) line.withPulumi(stackHolding(imported(emulator, networks)));
  };
  const before = line.pulumiCalls('import ').length;
  const { exitCode, stdout, stderr } = await line.run('import', '--all', '--run');
  expect(stderr).toContain('importing what is missing of adopted/adopted.import.json');
  expect(stdout).toContain('Nothing to adopt.');
  expect(stdout).toContain('Add to the program:  import "./adopted/adopted";');
  expect(exitCode).toBe(1);
  expect(line.pulumiCalls('import ').slice(before)).toEqual([
    expect.stringMatching(/^import --file .*adopted\.import\.json /),
  ]);
  expect(files(line)).toEqual(['adopted.import.json', 'adopted.ts']);
  expect(line.read('adopted/adopted.ts')).toBe(code);
});

test('import: new objects get files and names of their own; a rule of a set that was written is not new, and half an import file is an obstacle', async () => {
  const { emulator, line } = await afterImport('--as', 'set');
  const code = line.read('adopted/adopted.ts');
  const added = ['10.8.0.0/16', '10.9.0.0/16'];
  for (const cidr of added) emulator.remote.createRule({ cidr, ip_policy_id: policyId, action: 'deny' });
  const only = (...cidrs: string[]) =>
    line.run('import', '--all', '--as', 'set', ...cidrs.flatMap((cidr) => ['--cidr', cidr]));
  expect((await only(...added)).exitCode).toBe(0);
  expect(line.read('adopted/adopted.ts')).toBe(code);
  const [, name] = /new IpPolicyRuleSet\("([^"]+)"/.exec(code) ?? [];
  expect(line.read('adopted/adopted-2.ts')).toContain(`new IpPolicyRuleSet("${name ?? ''}-2", {`);
  for (const cidr of added) expect(line.read('adopted/adopted-2.ts')).toContain(cidr);
  expect(await only('10.1.0.0/16')).toMatchObject(noted(3, 'adopted.import.json already describes'));
  line.write('adopted/adopted.import.json', '{"resources": [');
  expect(await only('10.1.0.0/16')).toMatchObject(noted(3, 'is not a complete import file'));
  expect(files(line)).toHaveLength(4);
});

test('import: what another run has brought in meanwhile is not brought in twice', async () => {
  const service = await account();
  const held = imported(service.emulator, networks.slice(0, 1));
  const line = new CommandLine(service).withPulumi(stackHolding());
  const hold = service.emulator.hold({ method: 'GET', path: '/ip_policy_rules', when: 'before' });
  const running = line.run('import', '--all', '--run');
  await hold.reached;
  line.withPulumi(stackHolding(held));
  hold.release();
  expect(await running).toMatchObject(
    noted(3, `it now also manages ${service.emulator.state().rules[0]?.id ?? ''}.`),
  );
  expect(files(line)).toEqual([]);
});

test('import: of two at once one does nothing, as each creates its files', async () => {
  const line = new CommandLine(await account()).withPulumi(stackHolding());
  const runs = await Promise.all([line.run('import', '--all'), line.run('import', '--all')]);
  expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 3]);
  expect(files(line)).toEqual(['adopted.import.json', 'adopted.ts']);
});

test.each(['Pulumi.yaml', 'Pulumi.yaml/below', 'nowhere', 'nowhere/below', '/proc/edge-policy'])(
  'import: --out %s is refused in a sentence',
  async (out) => {
    const line = new CommandLine(await account()).withPulumi(stackHolding());
    symlinkSync(path.join(line.folder, 'gone'), path.join(line.folder, 'nowhere'));
    expect(await line.run('import', '--all', '--run', '--out', out)).toMatchObject(
      noted(3, /cannot be (written|read)/),
    );
    expect(line.pulumiCalls('import')).toEqual([]);
  },
);

// The last one: after Ctrl-C, this process begins nothing new.
test('import: the first Ctrl-C lets the CLI end by itself, the second reaches it, and how to go on is said', async () => {
  const line = new CommandLine(await account()).withLastingCall('import ');
  const running = line.run('import', '--all', '--run');
  await eventually('the CLI works', () => (line.read('calls').includes('working') ? true : undefined));
  process.emit('SIGINT', 'SIGINT');
  expect(line.read('calls')).toBe('working ');
  process.emit('SIGINT', 'SIGINT');
  const { exitCode, stdout } = await running;
  expect(exitCode).toBe(1);
  expect(stdout).toContain('Interrupted. The resources that were imported stay in the state');
  expect(stdout).toContain('import what is missing:\n  pulumi import --file');
  expect(line.read('calls')).toBe('working interrupted ');
});
