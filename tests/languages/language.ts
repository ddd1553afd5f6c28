import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { newest, oldest } from '../../review/src/preview/cli-range.json';
import { writeFiles } from '../support/folder';
import type { PulumiStack } from '../support/pulumi-stack';
import { checkout } from '../support/workspace';

/** A language in which the examples of the schema are written. */
export interface Language {
  /** As the engine and the code blocks of the examples call it. */
  readonly name: string;
  /** The `runtime` of Pulumi.yaml. */
  readonly runtime: string;
  /** One program that holds several examples, each by a name that every language takes for a module. */
  readonly programOf: (examples: ReadonlyMap<string, string>) => Readonly<Record<string, string>>;
  /** What Pulumi.yaml holds of the program. */
  readonly sectionsOf?: (examples: ReadonlyMap<string, string>) => object;
  /** Installs what the program needs, as its user would. Returns what the runs need in their environment. */
  readonly prepare: (stack: PulumiStack) => NodeJS.ProcessEnv;
}

const library = (language: string): string => path.join(checkout, 'dist', 'sdks', language);

/** Runs a tool in the program's folder, with the caches that its user has, and answers what it prints. */
const run = (
  stack: PulumiStack,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): string =>
  execFileSync(file, args, {
    cwd: stack.folder.project,
    env: { ...process.env, ...env },
    stdio: 'pipe',
    encoding: 'utf8',
  }).trim();

/** Each example as a file of its own. */
const files = (
  examples: ReadonlyMap<string, string>,
  ending: string,
  content: (source: string, name: string) => string = (source) => source,
): Record<string, string> =>
  Object.fromEntries([...examples].map(([name, source]) => [`${name}.${ending}`, content(source, name)]));

/** The function that an example in Go hands to `pulumi.Run`, as a function of its file. */
const goFunction = (source: string, name: string): string =>
  source
    .replace('func main() {\n\tpulumi.Run(func(', `func ${name}(`)
    .replace(/\n\t\}\)\n\}\n?$/, '\n}\n')
    .replace(/^\t\t/gm, '\t');

export const languages: readonly Language[] = [
  {
    name: 'typescript',
    runtime: 'nodejs',
    programOf: (examples) => ({
      ...files(examples, 'ts'),
      'package.json': JSON.stringify({ name: 'program', private: true, main: 'index.ts' }),
      'index.ts': [...examples.keys()].map((name) => `export * from './${name}';\n`).join(''),
    }),
    prepare: () => ({}),
  },
  {
    name: 'python',
    runtime: 'python',
    programOf: (examples) => ({
      ...files(examples, 'py'),
      '__main__.py': [...examples.keys()].map((name) => `import ${name}\n`).join(''),
    }),
    prepare: (stack) => {
      const venv = path.join(checkout, 'dist', 'sdks', 'tried', 'venv');
      if (!existsSync(venv)) {
        run(stack, 'python3', ['-m', 'venv', venv]);
        const install = ['install', '--quiet', '--disable-pip-version-check'];
        run(stack, path.join(venv, 'bin', 'pip'), [...install, `pulumi>=${oldest},<4`, library('python')]);
      }
      return { PATH: [path.join(venv, 'bin'), stack.environment()['PATH']].join(path.delimiter) };
    },
  },
  {
    name: 'go',
    runtime: 'go',
    programOf: (examples) => ({
      ...files(examples, 'go', goFunction),
      'main.go': [
        'package main\n',
        'import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n',
        'func main() {',
        '\tpulumi.Run(func(ctx *pulumi.Context) error {',
        ...[...examples.keys()].map(
          (name) => `\t\tif err := ${name}(ctx); err != nil {\n\t\t\treturn err\n\t\t}`,
        ),
        '\t\treturn nil\n\t})\n}\n',
      ].join('\n'),
      'go.mod': `module program\n\ngo 1.25\n\nrequire github.com/pulumi/pulumi/sdk/v3 v${newest}\n`,
    }),
    prepare: (stack) => {
      // What the hosts were built of need not be compiled again.
      const env = { CGO_ENABLED: '0', GOFLAGS: '-trimpath -buildvcs=false' };
      run(stack, 'go', ['mod', 'edit', `-replace=example.com/pulumi-edge-policy/sdk/go=${library('go')}`]);
      run(stack, 'go', ['mod', 'tidy']);
      // The host builds it again, with what this leaves in the cache: a run of the CLI is too short for all of it.
      run(stack, 'go', ['build', '-o', path.join(stack.folder.temporary, 'program'), '.'], env);
      const cache = (name: string): string => run(stack, 'go', ['env', name]);
      return { ...env, GOCACHE: cache('GOCACHE'), GOPATH: cache('GOPATH') };
    },
  },
  {
    name: 'yaml',
    runtime: 'yaml',
    programOf: () => ({}),
    sectionsOf: (examples) => {
      const programs = [...examples.values()].map((source) => parse(source) as Record<string, object>);
      const merged = (key: string): [string, unknown][] =>
        programs.flatMap((program) => Object.entries(program[key] ?? {}));
      const sections = ['variables', 'resources', 'outputs'];
      return Object.fromEntries(sections.map((key) => [key, Object.fromEntries(merged(key))]));
    },
    prepare: () => ({}),
  },
];

/** Writes a program in a language, or an edit of it. */
export function writeProgram(
  folder: string,
  language: Language,
  examples: ReadonlyMap<string, string>,
): void {
  const plugins = { providers: [{ name: 'edge-policy', path: path.join(checkout, 'provider', 'plugin') }] };
  const project = {
    name: 'examples',
    runtime: language.runtime,
    plugins,
    ...language.sectionsOf?.(examples),
  };
  const named = new Map([...examples].map(([name, source]) => [name.replaceAll('-', '_'), source]));
  const program = { ...language.programOf(named), 'Pulumi.yaml': stringify(project) };
  writeFiles(folder, program);
}
