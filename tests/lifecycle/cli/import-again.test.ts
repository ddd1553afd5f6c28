import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../../emulator/src/index';
import { systemClock } from '../../../provider/src/api/clock';
import { lockFileOf, oneAtATime } from '../../../cli/src/import/one-at-a-time';
import type { CliAnswer } from '../../../cli/src/command/context';
import { CommandLine, type PulumiAnswers, stackHolding } from '../../support/command-line';
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

const planned = (...steps: readonly { op: string; urn: string }[]): PulumiAnswers => ({
  preview: { stdout: JSON.stringify({ steps }) },
});

const files = (line: CommandLine): string[] => {
  const folder = path.join(line.folder, 'adopted');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

const namesImported = (line: CommandLine): string[] =>
  (line.importedFile() as { resources: { name: string }[] }).resources.map(({ name }) => name);

test('import: code that declares what the stack manages is not overwritten, and what is new stands beside it', async () => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  await line.run('import', '--all', '--run');
  const code = line.read('adopted/adopted.ts');
  emulator.remote.createRule({ cidr: '10.3.0.0/16', ip_policy_id: policyId, action: 'allow' });

  line.withPulumi(stackHolding(imported(emulator, networks)));
  const again = await line.run('import', '--all', '--force', '--run');
  expect(again.exitCode).toBe(0);
  expect(again.stderr).toContain(
    'is not overwritten: it declares allow-10.0.0.0-16, which stack dev manages',
  );
  expect(line.read('adopted/adopted.ts')).toBe(code);
  expect(line.read('adopted/adopted-2.ts')).toContain('10.3.0.0/16');
  expect(namesImported(line)).toEqual(['allow-10.3.0.0-16']);
});

test.each<[string, PulumiAnswers]>([
  [
    'another stack of the project manages',
    { 'stack ls': { stdout: '[{"name":"dev"},{"name":"prod"}]' }, 'stack export --stack dev': {} },
  ],
  ['no state can be read for', { 'stack ls': { stderr: 'error: incorrect passphrase', exitCode: 255 } }],
])('import: code that %s is not overwritten either', async (_what, answers) => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  await line.run('import', '--all', '--run');
  const code = line.read('adopted/adopted.ts');
  emulator.remote.createRule({ cidr: '10.3.0.0/16', ip_policy_id: policyId, action: 'allow' });
  const own = stackHolding(imported(emulator, networks));
  const empty = stackHolding();
  line.withPulumi({ 'stack export --stack dev': empty['stack export'] ?? {}, ...own, ...answers });
  await line.run('import', '--all', '--force');
  expect(line.read('adopted/adopted.ts')).toBe(code);
});

test('import: the module of one policy stays when another policy is imported', async () => {
  const { emulator, apiKey } = await serviceWith(networks);
  emulator.remote.createRule({ cidr: '10.9.0.0/16', ip_policy_id: otherPolicyId, action: 'deny' });
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  await line.run('import', '--policy', policyId, '--run', '--force');
  line.withPulumi(stackHolding(imported(emulator, networks)));
  await line.run('import', '--policy', otherPolicyId, '--run', '--force');
  expect(line.read('adopted/adopted.ts')).toContain(policyId);
  expect(line.read('adopted/adopted-2.ts')).toContain(otherPolicyId);
});

test('import: of two at once the second does nothing, whatever it is about and writes to, and is fine afterwards', async () => {
  const { emulator, apiKey } = await serviceWith(networks);
  emulator.remote.createRule({ cidr: '10.9.0.0/16', ip_policy_id: otherPolicyId, action: 'deny' });
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  const second = ['import', '--policy', otherPolicyId, '--out', 'other'];
  const [one, other] = await Promise.all([
    line.run('import', '--policy', policyId, '--run', '--force'),
    line.run(...second),
  ]);
  expect([one.exitCode, other.exitCode]).toEqual([0, 3]);
  expect(other.stderr).toContain(`Another import of this project is running, in process ${process.pid}`);
  expect(existsSync(path.join(line.folder, 'other'))).toBe(false);
  expect((await line.run(...second)).exitCode).toBe(0);
});

test('import: what a run on another machine has brought in meanwhile is not brought in twice', async () => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  const exports = [stackHolding(), stackHolding(imported(emulator, networks.slice(0, 1)))];
  const pulumi = (args: readonly string[]): Promise<CliAnswer> => {
    const isExport = args.join(' ').startsWith('stack export');
    const answers = (isExport ? exports.shift() : undefined) ?? stackHolding();
    const key = Object.keys(answers).find((beginning) => args.join(' ').startsWith(beginning)) ?? '';
    return Promise.resolve({ isSuccess: true, stdout: answers[key]?.stdout ?? '', stderr: '' });
  };
  line.engine = { pulumi, clock: systemClock };
  const { exitCode, stderr } = await line.run('import', '--all', '--run');
  expect(exitCode).toBe(3);
  expect(stderr).toContain(`it also manages ${emulator.state().rules[0]?.id ?? ''} now`);
  expect(files(line)).toEqual([]);
});

test('import: one that was killed keeps no other from running', async () => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  const { pid } = spawnSync(process.execPath, ['--version']);
  await expect(oneAtATime(line.folder, () => line.run('import', '--all'))).resolves.toMatchObject({
    exitCode: 3,
  });
  const lock = lockFileOf(line.folder);
  writeFileSync(lock, String(pid));
  expect((await line.run('import', '--all')).exitCode).toBe(0);
  expect(existsSync(lock)).toBe(false);
});

test.each([[], ['--force']])(
  'import: after one that was killed, the same command ends where a single run ends %j',
  async (...force) => {
    const { emulator, apiKey } = await serviceWith(networks);
    const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
    await line.run('import', '--all', '--run', ...force);
    const [code, all] = [line.read('adopted/adopted.ts'), files(line)];

    line.withPulumi(stackHolding(imported(emulator, networks.slice(0, 1))));
    const again = await line.run('import', '--all', '--run', ...force);
    expect(again.exitCode).toBe(0);
    expect(namesImported(line)).toEqual(['allow-10.1.0.0-16', 'allow-10.2.0.0-16']);
    expect(line.read('adopted/adopted.ts')).toBe(code);
    expect(files(line)).toEqual(all);
  },
);

test('import: what an earlier import has written and is another by now is not brought in under code that says otherwise', async () => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  await line.run('import', '--all');
  emulator.remote.updateRule(emulator.state().rules[1]?.id ?? '', { description: 'edited' });
  const { exitCode, stderr } = await line.run('import', '--all', '--run');
  expect(exitCode).toBe(3);
  expect(stderr).toContain('allow-10.1.0.0-16 in ');
  expect((await line.run('import', '--all', '--run', '--force')).exitCode).toBe(0);
  expect(line.read('adopted/adopted.ts')).toContain('edited');
});

test('import: while operations are pending it points to recover, and does nothing', async () => {
  const line = new CommandLine(await serviceWith(networks));
  const pending = { type: 'creating', resource: { urn: urnOf('office'), type, inputs: {} } };
  line.withPulumi(stackHolding([], [pending]));
  const { exitCode, stderr } = await line.run('import', '--all', '--run');
  expect(exitCode).toBe(3);
  expect(stderr).toContain('npx pulumi-edge-policy-cli recover');
  expect(files(line)).toEqual([]);
});

describe('import: a preview of the program follows, and', () => {
  const run = async (steps: (urns: string[]) => { op: string; urn: string }[], managed: string[] = []) => {
    const { emulator, apiKey } = await serviceWith(networks);
    const line = new CommandLine({ emulator, apiKey });
    const urns = networks.map((cidr) => urnOf(`allow-${cidr.replace('/', '-')}`));
    line.withPulumi({ ...stackHolding(imported(emulator, managed)), ...planned(...steps(urns)) });
    return line.run('import', '--all', '--run');
  };

  test('without a change all is well', async () => {
    const { exitCode, stdout } = await run(() => []);
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('Add to the program');
  });

  test('a module that the program does not import yet is told, with the line to add', async () => {
    const { exitCode, stdout } = await run((urns) => urns.map((urn) => ({ op: 'delete', urn })));
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Add to the program:  import "./adopted/adopted";');
  });

  test.each(['delete', 'create', 'update', 'replace'])(
    'a %s of one of the imported resources is a failure',
    async (op) => {
      const { exitCode, stdout } = await run(([urn = '']) => [{ op, urn }]);
      expect(exitCode).toBe(1);
      expect(stdout).toContain(`allow-10.0.0.0-16: imported now; the program would ${op} it`);
    },
  );

  test.each(['delete', 'create-replacement'])('a %s of what was managed before is a failure', async (op) => {
    const { exitCode, stdout } = await run(([urn = '']) => [{ op, urn }], networks.slice(0, 1));
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`would ${op} it`);
  });

  test('an update of what was managed before is not its business', async () => {
    expect((await run(([urn = '']) => [{ op: 'update', urn }], networks.slice(0, 1))).exitCode).toBe(0);
  });

  test('a program that cannot be previewed is told, as nobody knows then', async () => {
    const { emulator, apiKey } = await serviceWith(networks);
    const line = new CommandLine({ emulator, apiKey });
    line.withPulumi({ ...stackHolding(), preview: { stderr: 'error: it is broken', exitCode: 255 } });
    const { exitCode, stdout } = await line.run('import', '--all', '--run');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('it is broken');
  });

  const failingPreview = async (message: string, program: string, ...args: string[]) => {
    const { emulator, apiKey } = await serviceWith(networks);
    const line = new CommandLine({ emulator, apiKey });
    line.write('index.ts', program);
    const diagnostics = [
      {
        severity: 'error',
        message: `<{%reset%}>error: ${message}\n    at Object.<anonymous> (/x/index.js:1:7)\n`,
      },
      { severity: 'error', message: 'preview failed' },
    ];
    const stdout = JSON.stringify({ steps: [], diagnostics });
    line.withPulumi({ ...stackHolding(), preview: { stdout, exitCode: 255 } });
    return line.run('import', '--all', '--run', ...args);
  };
  const isProtected = `resource "${urnOf('allow-10.0.0.0-16')}" cannot be deleted because it is protected`;

  test('a program that cannot be previewed is imported into all the same: what was done, the line to add, and the reason', async () => {
    const { exitCode, stdout } = await failingPreview('boom in program', '');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Imported: 3 resources.');
    expect(stdout).toContain('Add to the program:  import "./adopted/adopted";');
    expect(stdout).toContain('  boom in program\n');
    expect(stdout).not.toMatch(/[{}]|\bat Object/);
    const json = await failingPreview('boom in program', '', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ isImported: true });
  });

  test('that protected resources would be deleted is explained by the line that is missing', async () => {
    const { exitCode, stdout } = await failingPreview(isProtected, '', '--protect');
    expect(exitCode).toBe(0);
    expect(stdout.match(/import "\.\/adopted\/adopted";/g)).toHaveLength(1);
    expect(stdout).not.toContain('ATTENTION');
  });

  test('a line that is there explains nothing', async () => {
    const { exitCode, stdout } = await failingPreview(
      isProtected,
      `import './adopted/adopted';`,
      '--protect',
    );
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain('Add to the program');
    expect(stdout).toContain('cannot be deleted because it is protected');
  });

  test('the line is also told where only a part of written code came in', async () => {
    const { emulator, apiKey } = await serviceWith(networks);
    const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
    await line.run('import', '--all');
    const urn = urnOf('allow-10.1.0.0-16');
    line.withPulumi({ ...stackHolding(), ...planned({ op: 'delete', urn }) });
    const { exitCode, stdout } = await line.run('import', '--all', '--run', '--cidr', '10.1.0.0/16');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Add to the program:  import "./adopted/adopted";');
  });
});

test('import: what was renamed in written code is not declared a second time; what was removed from it is adopted again', async () => {
  const { emulator, apiKey } = await serviceWith(networks);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding());
  await line.run('import', '--all');
  const code = line.read('adopted/adopted.ts');
  line.write('adopted/adopted.ts', code.replace('"allow-10.1.0.0-16"', '"berlin"'));
  const renamed = await line.run('import', '--all', '--run');
  expect(renamed.exitCode).toBe(3);
  expect(renamed.stderr).toContain('allow-10.1.0.0-16 in ');
  expect(renamed.stderr).toContain('under another name');
  expect(files(line)).toEqual(['adopted.import.json', 'adopted.ts']);

  line.write('adopted/adopted.ts', code.replace(/new IpPolicyRule\("allow-10\.1[^;]*;/, ''));
  const removed = await line.run('import', '--all', '--run');
  expect(removed.exitCode).toBe(0);
  expect(line.read('adopted/adopted-2.ts')).toContain('10.1.0.0/16');
});

describe('import: --name', () => {
  const parent = 'urn:pulumi:dev::project::test:index:Site::site';
  const inside = `urn:pulumi:dev::project::test:index:Site$${type}::office`;
  const create = (urn: string, more: object = {}): { op: string; urn: string } =>
    ({ op: 'create', urn, newState: { urn, type, inputs: {}, ...more } }) as { op: string; urn: string };
  const site = { urn: parent, type: 'test:index:Site' };

  const run = async (answers: PulumiAnswers, ...args: string[]) => {
    const line = new CommandLine(await serviceWith(networks)).withPulumi({
      ...stackHolding([site]),
      ...answers,
    });
    const options = args.length > 0 ? args : ['--name', 'office', '--run'];
    return { line, result: await line.run('import', '--all', '--cidr', '10.1.0.0/16', ...options) };
  };

  test('brings a rule under the URN that the program gives it, without code', async () => {
    const { line, result } = await run(planned(create(urnOf('office'))));
    expect(namesImported(line)).toEqual(['office']);
    expect(line.importedFile()).not.toHaveProperty('nameTable');
    // The stand-in's preview never changes: it would still create the resource.
    expect(result.exitCode).toBe(1);
    expect(files(line)).toEqual([]);
  });

  test('finds the parent of a resource inside a component', async () => {
    const { line } = await run(planned(create(inside, { parent })));
    expect(line.importedFile()).toMatchObject({
      nameTable: { 'its parent': parent },
      resources: [{ name: 'office', parent: 'its parent' }],
    });
  });

  test.each<[string, PulumiAnswers, string]>([
    ['that the program does not declare', planned(), 'would create no resource "office"'],
    [
      'that the program declares twice',
      planned(create(urnOf('office')), create(inside, { parent })),
      'pass the URN of one',
    ],
    [
      'whose component is not there yet',
      planned(create(inside.replaceAll('Site', 'Shop'), { parent: parent.replaceAll('Site', 'Shop') })),
      'run "pulumi up" once',
    ],
  ])('%s is refused', async (_what, answers, said) => {
    const { line, result } = await run(answers);
    expect(result.exitCode).toBe(3);
    expect(result.stderr.toLowerCase()).toContain(said.toLowerCase());
    expect(line.pulumiCalls().some((call) => call.startsWith('import'))).toBe(false);
  });

  test('stands for one rule only', async () => {
    const line = new CommandLine(await serviceWith(networks));
    line.withPulumi({ ...stackHolding(), ...planned(create(urnOf('office'))) });
    const { exitCode, stderr } = await line.run('import', '--all', '--name', 'office', '--run');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('3 would be adopted');
  });

  test.each([
    ['', ['--name', '', '--run'], 'must not be empty'],
    ['without --run', ['--name', 'office'], '--name needs --run'],
    ['with a control character', ['--name', 'a\u001b[31m', '--run'], 'control characters'],
    ['-prefix with a control character', ['--name-prefix', 'a\u001b[31m'], 'control characters'],
    ['-prefix that is empty', ['--name-prefix', ''], 'must not be empty'],
  ])('%s is refused', async (_what, args, said) => {
    const { result } = await run({}, ...args);
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toContain(said);
  });
});

describe('import: --out', () => {
  test.each(['Pulumi.yaml', 'Pulumi.yaml/below', 'nowhere', 'nowhere/below', '/proc/edge-policy'])(
    '%s is refused in a sentence',
    async (out) => {
      const line = new CommandLine(await serviceWith(networks)).withPulumi(stackHolding());
      symlinkSync(path.join(line.folder, 'gone'), path.join(line.folder, 'nowhere'));
      const { exitCode, stderr } = await line.run('import', '--all', '--out', out);
      expect(exitCode).toBe(3);
      expect(stderr).toMatch(/is not a folder|cannot be written/);
    },
  );

  test('a link to nothing in the place of the module is left alone', async () => {
    const line = new CommandLine(await serviceWith(networks));
    line.write('adopted/other', '');
    symlinkSync('/nowhere/at/all', path.join(line.folder, 'adopted', 'adopted.ts'));
    expect((await line.run('import', '--all')).exitCode).toBe(0);
    expect(files(line)).toEqual(['adopted-2.import.json', 'adopted-2.ts', 'adopted.ts', 'other']);
  });
});

test.each([
  ['Pulumi.yaml', 'name: p\nmain: src/main.ts\n', 'import "../adopted/adopted";'],
  ['Pulumi.yaml', 'name: p\nmain: "src/"\n', 'import "../adopted/adopted";'],
  ['package.json', '{"main":"src/index.ts"}', 'import "../adopted/adopted";'],
  ['package.json', '{"main":"dist/index.js"}', 'import "./adopted/adopted";'],
  ['package.json', '{"type":"module"}', 'import "./adopted/adopted.js";'],
  ['index.js', '', 'require("./adopted/adopted");'],
])('import: the line to add fits a program whose %s is %j', async (file, text, line) => {
  const command = new CommandLine(await serviceWith(networks)).withPulumi(stackHolding());
  command.write(file, text);
  expect((await command.run('import', '--all')).stdout).toContain(line);
});

test('import: the line to add names what the compiler emits, seen from the source', async () => {
  const command = new CommandLine(await serviceWith(networks)).withPulumi(stackHolding());
  command.write('Pulumi.yaml', 'name: p\nruntime: nodejs\nmain: bin/index.js\n');
  command.write('package.json', '{"type":"module"}');
  command.write(
    'tsconfig.json',
    '{\n  // as the compiler reads it\n  "compilerOptions": { "outDir": "bin" }\n}',
  );
  expect((await command.run('import', '--all')).stdout).toContain('import "./adopted/adopted.js";');
});
