'use strict';

// TypeScript as JavaScript, for the tests and for processes that run the sources as they are. Compiling takes longer than most of them
// run, so the result is cached in files, which all suites share.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { version } = require('typescript/package.json');

const folder = path.join(__dirname, '../../node_modules/.cache/edge-policy', `transpiled-${version}`);

/** @typedef {{ readonly js: string, readonly map: string }} Output */

/** @type {(source: string) => Output} */
const compile = (source) => {
  const ts = require('typescript');
  const { ModuleDetectionKind, ModuleKind, ScriptTarget } = ts;
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(source, {
    compilerOptions: {
      target: ScriptTarget.ES2022,
      module: ModuleKind.CommonJS,
      moduleDetection: ModuleDetectionKind.Force,
      esModuleInterop: true,
      sourceMap: true,
    },
    reportDiagnostics: true,
  });
  for (const { messageText } of diagnostics ?? [])
    throw new SyntaxError(ts.flattenDiagnosticMessageText(messageText, '\n'));
  return { js: outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, ''), map: sourceMapText ?? '{}' };
};

/** A source in JavaScript, or the map to it, which names no file. @type {(source: string, part?: keyof Output) => string} */
exports.transpiled = (source, part = 'js') => {
  const name = path.join(folder, createHash('sha1').update(source).digest('hex'));
  try {
    return readFileSync(`${name}.${part}`, 'utf8');
  } catch {
    const output = compile(source);
    mkdirSync(folder, { recursive: true });
    for (const [ending, text] of Object.entries(output)) {
      const unfinished = `${name}.${ending}.${process.pid}`;
      writeFileSync(unfinished, text);
      renameSync(unfinished, `${name}.${ending}`);
    }
    return output[part];
  }
};
