'use strict';

// Lets a child process of a test run the TypeScript sources as they are, whether the packages are built or not.
const { readFileSync } = require('node:fs');
const ts = require('typescript');

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
};

/** @type {(module: { _compile(code: string, path: string): void }, path: string) => void} */
const load = (module, path) => {
  module._compile(ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions }).outputText, path);
};

Object.assign(require.extensions, { '.ts': load });
