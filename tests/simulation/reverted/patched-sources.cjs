'use strict';

// Lets one process run the TypeScript sources again and again, each time with other edits.
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const ts = require('typescript');

const root = resolve(__dirname, '../../..');
const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
};

/** @typedef {{ readonly file: string, readonly from: string, readonly to: string }} SourceEdit */

/** Compiled texts, by what they were compiled from: only an edited source is compiled once more. */
const compiled = new Map();
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
  const text = edited(path);
  const code = compiled.get(text) ?? ts.transpileModule(text, { compilerOptions }).outputText;
  compiled.set(text, code);
  module._compile(code, path);
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
