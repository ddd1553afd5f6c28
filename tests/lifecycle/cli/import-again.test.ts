import type * as fs from 'node:fs';
import { chmodSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../../emulator/src/index';
import { CommandLine, type PulumiAnswers, stackHolding, noted } from '../../support/command-line';
import { eventually } from '../../support/eventually';
import { policyId } from '../../support/ids';
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

const afterImport = async (...args: string[]) => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  const { stdout } = await line.run('import', '--all', ...args);
  return { emulator, line, stdout };
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
  line.write('index.ts', '// nothing of adopted yet\n');
  line.write('node_modules/other/index.js', 'require("./adopted")\n');
  const resumed = await line.run('import', '--all', '--run');
  expect(resumed.exitCode).toBe(1);
  expect(resumed.stdout).toContain('Nothing to adopt.');
  expect(resumed.stdout).toContain(
    'An earlier import wrote adopted/adopted.ts, and no file of the program names it.\n' +
      'If its resources were imported, add to the program:  import "./adopted/adopted";',
  );
  expect(resumed.stdout).toContain('WARNING: Until the program has that line');
  const { stdout } = await line.run('import', '--all', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ undeclared: path.join(line.folder, 'adopted', 'adopted.ts') });

  line.write('index.ts', "import './adopted/adopted';\n");
  const again = await line.run('import', '--all', '--run');
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Nothing to adopt.')]);
  expect(again.stdout).not.toContain('WARNING');
  expect(line.pulumiCalls().filter((call) => call.startsWith('import'))).toHaveLength(1);
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

test('import: a folder with an earlier import is refused with the way out, whatever the new one is about', async () => {
  const { emulator, line } = await afterImport('--run');
  line.withPulumi(stackHolding(imported(emulator, networks.slice(0, 1))));
  const code = line.read('adopted/adopted.ts');
  expect(await line.run('import', '--all', '--cidr', '10.1.0.0/16')).toMatchObject(
    noted(
      3,
      /^adopted\/adopted\.ts exists already.*\n.*\n {2}pulumi import --file adopted\/adopted\.import\.json --generate-code=false/,
    ),
  );
  expect(line.read('adopted/adopted.ts')).toBe(code);
  expect((await line.run('import', '--all', '--out', 'other')).exitCode).toBe(0);
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
      noted(3, 'cannot be written'),
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
