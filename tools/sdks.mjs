// `npm run sdks`: the libraries of Go, Python, Java and .NET, generated from the schema into dist/sdks. That of Java is compiled,
// if Maven is there; `npm run test:languages` runs programs with those of Go and Python. Nothing here compiles the one of .NET.
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

if (spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status === 0) {
  const javaProgram = path.join(tried, 'java');
  mkdirSync(javaProgram);
  cpSync(path.join(import.meta.dirname, 'sdks', 'pom.xml'), path.join(javaProgram, 'pom.xml'));
  run(javaProgram, 'mvn', ['--quiet', '--batch-mode', 'compile']);
  console.log('Java: the library compiles.');
} else {
  console.log('Java: the library is generated; without Maven nothing compiles it.');
}
