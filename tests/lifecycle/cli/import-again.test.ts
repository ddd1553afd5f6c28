import type * as fs from 'node:fs';
import { chmodSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../../emulator/src/index';
import { systemClock } from '../../../provider/src/api/clock';
import type { CliAnswer } from '../../../cli/src/command/context';
import { CommandLine, type PulumiAnswers, stackHolding, noted } from '../../support/command-line';
import { eventually } from '../../support/eventually';
import { otherPolicyId, policyId } from '../../support/ids';
import { type Service, startService } from '../../support/service-stack';

const type = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
const urnOf = (name: string): string => `urn:pulumi:dev::project::${type}::${name}`;
const networks = ['10.0.0.0/16', '10.1.0.0/16', '10.2.0.0/16'];

const serviceWith = async (cidrs: readonly string[]): Promise<Service> => {
  const service = await startService();
  service.emulator.seed({ rules: cidrs.map((cidr) => ({ cidr, ip_policy_id: policyId, action: 'allow' })) });
  return service;
};

/** The state after an import of the rules for some networks. */
const imported = (emulator: Emulator, cidrs: readonly string[]): object[] =>
  emulator
    .state()
    .rules.filter(({ cidr }) => cidrs.includes(cidr))
    .map(({ id, cidr }) => ({ urn: urnOf(`allow-${cidr.replace('/', '-')}`), type, id }));

const files = (line: CommandLine): string[] => {
  const folder = path.join(line.folder, 'adopted');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

const namesImported = (line: CommandLine): string[] =>
  (line.importedFile() as { resources: { name: string }[] }).resources.map(({ name }) => name);

/** A stand-in whose state changes, or that does something, whenever the state is read. */
const withStates = (line: CommandLine, states: (() => PulumiAnswers)[]): CommandLine => {
  const pulumi = (args: readonly string[]): Promise<CliAnswer> => {
    const isExport = args.join(' ').startsWith('stack export');
    const answers = (isExport ? states.shift()?.() : undefined) ?? stackHolding();
    const key = Object.keys(answers).find((beginning) => args.join(' ').startsWith(beginning)) ?? '';
    return Promise.resolve({ isSuccess: true, stdout: answers[key]?.stdout ?? '', stderr: '' });
  };
  line.engine = { pulumi, clock: systemClock };
  return line;
};

const afterImport = async (...args: string[]) => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  const { stdout } = await line.run('import', '--all', ...args);
  return { emulator, line, stdout, code: line.read('adopted/adopted.ts') };
};

test('import --run: the last lines say what a preview deletes until the program has the line, and how to prevent it', async () => {
  const { stdout } = await afterImport('--run');
  expect(stdout.match(/import ".\/adopted\/adopted";/g)).toHaveLength(1);
  expect(stdout).toContain('Imported: 3 resources. The service was not changed.');
  expect(stdout).toMatch(
    /WARNING: Until the program has that line, "pulumi preview" shows 3 resources to delete,\nand "pulumi up" deletes 3 live objects\./,
  );
  expect(stdout).toContain('pulumi state protect --all --yes');
});

test('import: repeated, it leaves out what is managed, and what is new gets files of its own', async () => {
  const { emulator, line, code } = await afterImport('--run');
  line.withPulumi(stackHolding(imported(emulator, networks)));
  line.write('index.ts', "import './adopted/adopted';\n");
  const again = await line.run('import', '--all', '--run');
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Nothing to adopt.')]);
  expect(again.stdout).not.toContain('WARNING');
  expect(line.pulumiCalls().filter((call) => call.startsWith('import'))).toHaveLength(1);

  emulator.remote.createRule({ cidr: '10.9.0.0/16', ip_policy_id: otherPolicyId, action: 'deny' });
  expect((await line.run('import', '--all', '--run')).exitCode).toBe(0);
  expect(line.read('adopted/adopted.ts')).toBe(code);
  expect(line.read('adopted/adopted-2.ts')).toContain(otherPolicyId);
  expect(namesImported(line)).toEqual(['deny-10.9.0.0-16']);
});

test('import: resumed after it was ended, it says the line and the warning until the program names the module', async () => {
  const { emulator, line } = await afterImport('--run');
  line.withPulumi(stackHolding(imported(emulator, networks)));
  line.write('index.ts', '// nothing of adopted yet\n');
  line.write('node_modules/other/index.js', 'require("./adopted")\n');
  const resumed = await line.run('import', '--all', '--run');
  expect(resumed.exitCode).toBe(1);
  expect(resumed.stdout).toContain('Nothing to adopt.');
  expect(resumed.stdout).toContain(
    'An earlier import wrote adopted/adopted.ts, the state holds its resources, and no file of the program names it.\n' +
      'Add to the program:  import "./adopted/adopted";',
  );
  expect(resumed.stdout).toMatch(
    /"pulumi preview" shows 3 resources to delete,\nand "pulumi up" deletes 3 live objects\./,
  );
  const { stdout } = await line.run('import', '--all', '--json');
  expect((JSON.parse(stdout) as { undeclared: string[] }).undeclared).toEqual([
    path.join(line.folder, 'adopted', 'adopted.ts'),
  ]);
});

test.each([
  [
    'commonjs',
    '{}',
    'require("./adopted/adopted");',
    'const { IpPolicyRule } = require("pulumi-edge-policy");',
  ],
  [
    'ES modules',
    '{"type": "module"}',
    'import "./adopted/adopted.js";',
    'import { IpPolicyRule } from "pulumi-edge-policy";',
  ],
])('import: into a program in JavaScript, with %s', async (_what, packageJson, said, head) => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  line.write('index.js', '');
  line.write('package.json', packageJson);
  const { stdout } = await line.run('import', '--all');
  expect(stdout).toContain(`Add to the program:  ${said}\n`);
  expect(line.read('adopted/adopted.js').startsWith(`${head}\n\n`)).toBe(true);
});

test.each<[what: string, held: number, said: string, notSaid: string]>([
  ['was interrupted', 1, 'Keep the files', 'delete'],
  [
    'was never begun',
    0,
    'you can delete adopted/adopted.import.json and the module next to it',
    'interrupted',
  ],
])(
  'import: one that %s is named with the way out, and nothing is written, edited or not',
  async (_what, held, said, notSaid) => {
    const { emulator, line, code } = await afterImport('--run');
    line.write('adopted/adopted.ts', code.replaceAll('allow-', 'renamed-'));
    line.withPulumi(stackHolding(imported(emulator, networks.slice(0, held))));
    const { exitCode, stderr } = await line.run('import', '--all', '--run');
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      `adopted/adopted.import.json already describes ${3 - held} of the ${3 - held} resources to adopt`,
    );
    expect(stderr).toContain(
      '  pulumi import --file adopted/adopted.import.json --generate-code=false --protect=false --yes\n',
    );
    expect(stderr).toContain(said);
    expect(stderr).not.toContain(notSaid);
    expect(files(line)).toEqual(['adopted.import.json', 'adopted.ts']);
  },
);

test('import: a rule of a set that was written is not written again by itself', async () => {
  const { line } = await afterImport('--as', 'set');
  const { exitCode, stderr } = await line.run('import', '--all', '--cidr', '10.1.0.0/16');
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('adopted.import.json already describes')]);
});

test('import: an earlier import of other objects is no obstacle, and half an import file is one', async () => {
  const { emulator, line } = await afterImport('--cidr', '10.0.0.0/16');
  expect((await line.run('import', '--all', '--cidr', '10.1.0.0/16')).exitCode).toBe(0);
  emulator.remote.deleteRule(emulator.state().rules[0]?.id ?? '');
  line.write('adopted/adopted.import.json', '{"resources": [');
  const { exitCode, stderr } = await line.run('import', '--all', '--cidr', '10.2.0.0/16');
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('is not a complete import file')]);
  expect(files(line)).toHaveLength(4);
});

test('import: what another run has brought in meanwhile is not brought in twice', async () => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  withStates(line, [stackHolding, () => stackHolding(imported(emulator, networks.slice(0, 1)))]);
  expect(await line.run('import', '--all', '--run')).toMatchObject(
    noted(3, `it now also manages ${emulator.state().rules[0]?.id ?? ''}.`),
  );
  expect(files(line)).toEqual([]);
});

test('import: of two at once one does nothing, as each creates its files', async () => {
  const line = new CommandLine(await serviceWith(networks)).withPulumi(stackHolding());
  const runs = await Promise.all([line.run('import', '--all'), line.run('import', '--all')]);
  expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 3]);
  expect(files(line)).toEqual(['adopted.import.json', 'adopted.ts']);
});

test.each(['Pulumi.yaml', 'Pulumi.yaml/below', 'nowhere', 'nowhere/below', '/proc/edge-policy'])(
  'import: --out %s is refused in a sentence',
  async (out) => {
    const line = new CommandLine(await serviceWith(networks)).withPulumi(stackHolding());
    symlinkSync(path.join(line.folder, 'gone'), path.join(line.folder, 'nowhere'));
    expect(await line.run('import', '--all', '--run', '--out', out)).toMatchObject(
      noted(3, /cannot be (written|read)/),
    );
    expect(line.pulumiCalls().some((call) => call.startsWith('import'))).toBe(false);
  },
);

/** A CLI whose import ends once it gets a SIGINT; runs in a separate process. */
function lastingImport(answers: PulumiAnswers): void {
  const { appendFileSync } = require('node:fs') as typeof fs;
  const call = process.argv.slice(2).join(' ');
  if (!call.startsWith('import ')) {
    const key = Object.keys(answers).find((beginning) => call.startsWith(beginning));
    process.stdout.write(answers[key ?? '']?.stdout ?? '');
    return;
  }
  const isWorking = setInterval(() => undefined, 1_000);
  process.on('SIGINT', () => {
    appendFileSync('calls', 'interrupted ');
    clearInterval(isWorking);
    process.exitCode = 255;
  });
  appendFileSync('calls', 'working ');
}

// The last one: after Ctrl-C, this process begins nothing new.
test('import: Ctrl-C reaches the CLI once, which ends by itself, and how to go on is said', async () => {
  const line = new CommandLine(await serviceWith(networks));
  line.write('Pulumi.yaml', 'name: project\nruntime: nodejs\n');
  line.write('calls', '');
  line.write('.bin/package.json', '{}');
  const script = `(${lastingImport.toString()})(${JSON.stringify(stackHolding())})`;
  line.write('.bin/pulumi', `#!${process.execPath}\n${script}`);
  chmodSync(path.join(line.folder, '.bin', 'pulumi'), 0o755);
  const running = line.run('import', '--all', '--run');
  await eventually('the CLI works', () => (line.read('calls').includes('working') ? true : undefined));
  process.emit('SIGINT');
  const { exitCode, stdout } = await running;
  expect(exitCode).toBe(1);
  expect(stdout).toContain('Interrupted. The resources that were imported stay in the state');
  expect(stdout).toContain('import what is missing:\n  pulumi import --file');
  expect(line.read('calls')).toBe('working interrupted ');
});
