import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { edgePolicy } from '../support/edge-policy-cli';
import type { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

/** A language other than TypeScript, with what its programs need before they run. */
interface Language {
  readonly name: string;
  readonly rules: number;
  readonly prepare: (stack: PulumiStack) => Promise<NodeJS.ProcessEnv>;
}

const plugin = path.join(checkout, 'provider', 'plugin', 'pulumi-resource-edge-policy');

/** The library of a language, generated from the schema as its user would. */
async function generateLibrary(stack: PulumiStack, language: string): Promise<string> {
  const out = path.join(stack.folder.project, 'sdks');
  await stack.call(['package', 'gen-sdk', plugin, '--language', language, '--local', '--out', out]);
  return path.join(out, language);
}

/** Runs a tool in the program's folder, with the caches that its user has, and answers what it prints. */
const run = (stack: PulumiStack, file: string, args: readonly string[]): string =>
  execFileSync(file, args, { cwd: stack.folder.project, stdio: 'pipe', encoding: 'utf8' }).trim();

const languages: readonly Language[] = [
  { name: 'yaml', rules: 7, prepare: () => Promise.resolve({}) },
  {
    name: 'python',
    rules: 6,
    prepare: async (stack) => {
      const library = await generateLibrary(stack, 'python');
      run(stack, 'python3', ['-m', 'venv', 'venv']);
      run(stack, 'venv/bin/pip', ['install', '--quiet', '--requirement', 'requirements.txt', library]);
      const bin = path.join(stack.folder.project, 'venv', 'bin');
      return { PATH: [bin, stack.environment()['PATH']].join(path.delimiter) };
    },
  },
  {
    name: 'go',
    rules: 6,
    prepare: async (stack) => {
      const library = await generateLibrary(stack, 'go');
      run(stack, 'go', ['mod', 'edit', '-replace', `example.com/pulumi-edge-policy/sdk/go=${library}`]);
      run(stack, 'go', ['mod', 'tidy']);
      // As the host does it, once: the first build of Pulumi's library takes minutes.
      run(stack, 'go', [
        ...['build', '-buildvcs=false', '-trimpath', '-ldflags', '-w -s'],
        '-o',
        'program',
        '.',
      ]);
      return { GOCACHE: run(stack, 'go', ['env', 'GOCACHE']), GOPATH: run(stack, 'go', ['env', 'GOPATH']) };
    },
  },
];

const isOnPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));

for (const { name, rules, prepare } of languages) {
  const host = `pulumi-language-${name}`;
  if (!isOnPath(host)) {
    console.info(`The office list in ${name} is not run: ${host} is not on the PATH.`);
    continue;
  }
  test(`the office list in ${name}: up, nothing left to do, destroy`, async () => {
    const project = `office-allow-list-${name}`;
    const { stack, emulator } = await stackOnService({
      program: { folder: path.join(checkout, 'examples', project) },
      project,
    });
    await edgePolicy(stack, ['setup-plugin']);
    const env = await prepare(stack);
    await stack.up({ env });
    expect(emulator.state().rules).toHaveLength(rules);
    expect(emulator.state().rules.map(({ cidr }) => cidr)).toContain('203.0.113.7/32');
    await stack.expectEmptyPreview({ env });
    await stack.destroy({ env });
    expect(emulator.state().rules).toEqual([]);
  });
}

test("the schema passes the CLI's own check", async () => {
  const { stack } = await stackOnService({ program: { js: '' } });
  const file = path.join(checkout, 'provider', 'schemas', 'pulumi-schema.json');
  expect((await stack.call(['schema', 'check', file])).output.trim()).toBe('');
});

test('every language that an example stands for is tried where its host is on the PATH', () => {
  const folders = languages.map(({ name }) => path.join(checkout, 'examples', `office-allow-list-${name}`));
  expect(folders.filter((folder) => !existsSync(path.join(folder, 'Pulumi.yaml')))).toEqual([]);
});
