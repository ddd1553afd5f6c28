'use strict';

// Lets a child process of a test run the TypeScript sources as they are, whether the packages are built or not. Compiling takes
// longer than most of them run, so the result is cached in a file.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const checkout = path.join(__dirname, '../..');
const folder = path.join(checkout, 'node_modules/.cache/edge-policy/transpiled');

/** @type {(source: string) => string} */
const compile = (source) => {
  const ts = require('typescript');
  const { ModuleKind, ScriptTarget } = ts;
  const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.CommonJS, esModuleInterop: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
};

/** @type {(source: string) => string} */
const transpiled = (source) => {
  const file = path.join(folder, `${createHash('sha1').update(source).digest('hex')}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const code = compile(source);
    const unfinished = `${file}.${process.pid}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
    return code;
  }
};

/** @type {(module: { _compile(code: string, path: string): void }, path: string) => void} */
const load = (module, file) => {
  module._compile(transpiled(readFileSync(file, 'utf8')), file);
};

Object.assign(require.extensions, { '.ts': load });

/** @typedef {(request: string, ...others: unknown[]) => string} Resolve */
const modules = /** @type {{ _resolveFilename: Resolve }} */ (
  /** @type {unknown} */ (require('node:module'))
);
const resolve = modules._resolveFilename;
/** What one package of this repository takes from another is its sources, too. @type {Resolve} */
const resolveToSources = (request, ...others) =>
  resolve(
    request
      .replace(/^pulumi-edge-policy\/internal\//, `${checkout}/provider/src/`)
      .replace(/^pulumi-edge-policy-review$/, `${checkout}/review/src/index`)
      .replace(/^pulumi-edge-policy-review\/(lookup|posture)$/, `${checkout}/review/src/$1`),
    ...others,
  );
modules._resolveFilename = resolveToSources;
