'use strict';

// Lets a child process of a test run the TypeScript sources as they are, whether the packages are built or not.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { transpiled } = require('./transpiled.cjs');

const checkout = path.join(__dirname, '../..');

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
