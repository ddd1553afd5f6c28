'use strict';

// TypeScript as JavaScript, for processes that run the sources as they are. Compiling takes longer than most of them run, so the
// result is cached in a file.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, '../../node_modules/.cache/edge-policy/transpiled');

/** @type {(source: string) => string} */
const compile = (source) => {
  const ts = require('typescript');
  const { ModuleKind, ScriptTarget } = ts;
  const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.CommonJS, esModuleInterop: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
};

/** @type {(source: string) => string} */
exports.transpiled = (source) => {
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
