'use strict';

// Runs the bundle next to it, from code that an earlier process has compiled: each step starts the review twice, and a quarter of its
// time would go into compiling 3 MB again.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const bundle = path.join(__dirname, 'bundle.cjs');
// The process that judges uses other functions.
const compiled = `${bundle}.${process.argv[2]}`;
const isKnown = existsSync(compiled);

const script = new vm.Script(Module.wrap(readFileSync(bundle, 'utf8')), {
  filename: bundle,
  ...(isKnown && { cachedData: readFileSync(compiled) }),
});
if (!isKnown) process.once('exit', () => writeFileSync(compiled, script.createCachedData()));
script.runInThisContext().call(exports, exports, require, module, __filename, __dirname);
