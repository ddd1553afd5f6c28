// `npm run sdks`: the libraries of Go, Python, Java and .NET, generated from the schema into dist/sdks. Those of Go and Python
// are compiled and tried on Pulumi's own mock engine: the Go example is built, and the Python example is run. That of Java is
// compiled. Needs Go, Python, and Maven for Java.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const checkout = path.join(import.meta.dirname, '..');
const out = path.join(checkout, 'dist', 'sdks');
const tried = path.join(out, 'tried');
const goModule = 'example.com/pulumi-edge-policy/sdk/go';

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

console.log('.NET: the library is generated; nothing here compiles it.');

const goProgram = path.join(tried, 'go');
cpSync(path.join(checkout, 'examples', 'office-allow-list-go'), goProgram, { recursive: true });
run(goProgram, 'go', ['mod', 'edit', '-replace', `${goModule}=${path.join(out, 'go')}`]);
run(goProgram, 'go', ['mod', 'tidy']);
run(goProgram, 'go', ['vet', '.', `${goModule}/...`]);
console.log('Go: the library and the example compile.');

const pythonProgram = path.join(tried, 'python');
cpSync(path.join(checkout, 'examples', 'office-allow-list-python'), pythonProgram, { recursive: true });
cpSync(path.join(import.meta.dirname, 'sdks', 'run_example.py'), path.join(pythonProgram, 'run_example.py'));
run(pythonProgram, 'python3', ['-m', 'venv', 'venv']);
const python = path.join(pythonProgram, 'venv', 'bin', 'python');
run(pythonProgram, python, ['-m', 'pip', 'install', '--quiet', 'pulumi', path.join(out, 'python')]);
run(pythonProgram, python, ['run_example.py']);

if (spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status === 0) {
  const javaProgram = path.join(tried, 'java');
  mkdirSync(javaProgram);
  cpSync(path.join(import.meta.dirname, 'sdks', 'pom.xml'), path.join(javaProgram, 'pom.xml'));
  run(javaProgram, 'mvn', ['--quiet', '--batch-mode', 'compile']);
  console.log('Java: the library compiles.');
} else {
  console.log('Java: the library is generated; without Maven nothing compiles it.');
}
