'use strict';

// Lets one process run the TypeScript sources again and again, each time with other edits.
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { transpiled } = require('../../support/transpiled.cjs');

const root = resolve(__dirname, '../../..');

/** @typedef {{ readonly file: string, readonly from: string, readonly to: string }} SourceEdit */

/** @type {readonly SourceEdit[]} */
let current = [];

/** @type {(path: string) => string} */
const edited = (path) =>
  current
    .filter(({ file }) => join(root, 'provider/src', file) === path)
    .reduce(
      (text, { file, from, to }) => {
        if (text.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
        return text.replace(from, () => to);
      },
      readFileSync(path, 'utf8'),
    );

/** @type {(module: { _compile(code: string, path: string): void }, path: string) => void} */
const load = (module, path) => {
  module._compile(transpiled(edited(path)), path);
};

/**
 * Forgets all sources, and has them loaded with these edits from now on.
 *
 * @type {(edits: readonly SourceEdit[]) => void}
 */
exports.useEdits = (edits) => {
  current = edits;
  for (const path of Object.keys(require.cache)) if (path.endsWith('.ts')) delete require.cache[path];
};

Object.assign(require.extensions, { '.ts': load });
