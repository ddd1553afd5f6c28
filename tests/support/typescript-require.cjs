'use strict';

// Lets a child process of a test run the TypeScript sources as they are, whether the packages are built or not.
const { readFileSync } = require('node:fs');
const { transpiled } = require('./transpiled.cjs');

/** @type {(module: { _compile(code: string, path: string): void }, path: string) => void} */
const load = (module, path) => {
  module._compile(transpiled(readFileSync(path, 'utf8')), path);
};

Object.assign(require.extensions, { '.ts': load });
