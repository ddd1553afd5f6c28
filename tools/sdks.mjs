// `npm run sdks [-- LANGUAGE…]`: the libraries of Go, Python, Java and .NET, generated from the schema into dist/sdks. Those of Java and
// .NET are compiled if Maven and the .NET SDK are there; for a language that is named, a missing compiler is a failure.
// `npm run test:languages` runs programs with those of Go and Python.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const checkout = path.join(import.meta.dirname, '..');
const out = path.join(checkout, 'dist', 'sdks');
const tried = path.join(out, 'tried');

/** @param {string} cwd @param {string} file @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
const run = (cwd, file, args, env = {}) => {
  const { status, error } = spawnSync(file, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status === 0) return;
  console.error(`${file} ${args.join(' ')}: ${error?.message ?? `exit code ${status}`}`);
  process.exit(1);
};

rmSync(out, { recursive: true, force: true });
mkdirSync(tried, { recursive: true });
const generator = path.join(tried, 'generator');
const source = path.join(import.meta.dirname, 'sdks', 'generator');
run(source, 'go', ['build', '-tags', 'osusergo grpcnotrace', '-o', generator, '.'], { CGO_ENABLED: '0' });
run(checkout, generator, [path.join(checkout, 'provider', 'schemas', 'pulumi-schema.json'), out]);

const java = path.join(tried, 'java');
mkdirSync(java);
cpSync(path.join(import.meta.dirname, 'sdks', 'pom.xml'), path.join(java, 'pom.xml'));

const compilers = [
  { language: 'java', file: 'mvn', args: ['--quiet', '--batch-mode', 'compile'], cwd: java },
  { language: 'dotnet', file: 'dotnet', args: ['build', '--nologo'], cwd: path.join(out, 'dotnet') },
];
const asked = process.argv.slice(2);
for (const { language, file, args, cwd } of compilers) {
  const isThere = spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0;
  if (isThere || asked.includes(language)) run(cwd, file, args);
  console.log(
    `${language}: ${isThere ? 'the library compiles' : `generated; without ${file} nothing compiles it`}.`,
  );
}
