// Saves the Node processes of the engine suite most of their start. The code that V8 compiled for a module is kept in a file for
// the next process, as NODE_COMPILE_CACHE does from Node 22 on. A run loads a thousand modules of the SDK, twice.
'use strict';

const { createHash } = require('node:crypto');
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

const checkout = path.dirname(path.dirname(__dirname)) + path.sep;
const installed = `${path.sep}node_modules${path.sep}`;
const QUIET_MS = 500;
const WORTH_SAVING = 20;
const MOST_ENTRIES = 10_000;

/**
 * Modules that the SDK always loads, by the module that loads them, and hardly ever uses: to store functions of a program in
 * the state, or to drive the CLI. They take more than a third of a process's start.
 */
const LATE = new Map([
  ['typescript', /@pulumi.pulumi.typescript-shim\.js$/],
  ['@npmcli/arborist', /@pulumi.pulumi.runtime.closure.codePaths\.js$/],
  ['./automation', /@pulumi.pulumi.index\.js$/],
]);

/** Modules that only a run with tracing uses, and one that reads source maps of the SDK for each stack trace in a state. */
const isNeedless = (/** @type {string} */ id, /** @type {string} */ filename) =>
  (/^@opentelemetry.(?!api$)/.test(id) && /@pulumi.pulumi.cmd.run.tracing\.js$/.test(filename)) ||
  (id === 'source-map-support/register' && /@pulumi.pulumi.cmd.[-a-z]+.index\.js$/.test(filename));

/** @returns {object} a module that is loaded when a member of it is used */
const whenUsed = (/** @type {(id: string) => object} */ load, /** @type {string} */ id) =>
  // The mark keeps loaders of namespaces from reading every member.
  new Proxy({}, { get: (_, name) => (name === '__esModule' ? true : Reflect.get(load(id), name)) });

/** @returns {object} what a module of the SDK gets for a `require` */
const loaded = (
  /** @type {(id: string) => object} */ load,
  /** @type {string} */ id,
  /** @type {string} */ filename,
) => {
  if (isNeedless(id, filename)) return {};
  return LATE.get(id)?.test(filename) === true ? whenUsed(load, id) : load(id);
};

/**
 * The members of Node's loader that its types omit.
 *
 * @typedef {(this: NodeJS.Module, content: string, filename: string, ...rest: unknown[]) => unknown} Compile
 * @typedef {{ prototype: { _compile: Compile }, _extensions: object, _cache: object }} Loader
 */
const loader = /** @type {Loader} */ (/** @type {unknown} */ (Module));

/** @returns {Map<string, Buffer>} the cache, by a hash of the text */
const read = (/** @type {string} */ file) => {
  try {
    return v8.deserialize(readFileSync(file));
  } catch {
    return new Map();
  }
};

const install = (/** @type {string} */ file) => {
  // The SDK sets this flag while it loads. V8 refuses code that was compiled under other flags, so it is set from the start.
  v8.setFlagsFromString('--allow-natives-syntax');
  const known = read(file);
  /** @type {Map<string, vm.Script>} */
  const fresh = new Map();

  const save = () => {
    if (fresh.size < WORTH_SAVING) return;
    if (known.size > MOST_ENTRIES) known.clear();
    for (const [hash, script] of fresh) known.set(hash, script.createCachedData());
    fresh.clear();
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, v8.serialize(known));
    renameSync(unfinished, file);
  };
  // The engine kills its plugins, so a process must not wait for its end.
  const saveSoon = setTimeout(save, QUIET_MS).unref();
  process.once('exit', save);

  const compile = loader.prototype._compile;
  /** @type {Compile} */
  const compileFromCache = function (content, filename, ...rest) {
    // Not cached: each throw-away program is another one, the text of `node -e` has no file, and Node 20 loses what a cached
    // import() needs.
    const isOurs = filename.startsWith(checkout);
    const isCached = (isOurs || filename.includes(installed)) && !content.includes('import(');
    if (!isCached) return compile.call(this, content, filename, ...rest);
    const hash = createHash('sha1').update(process.version).update(content).digest('base64');
    const cachedData = known.get(hash);
    /** @type {vm.Script} */
    let script;
    try {
      script = new vm.Script(Module.wrap(content.replace(/^#!.*/, '')), { filename, cachedData });
    } catch {
      // An ES module, or an error that Node reports better.
      return compile.call(this, content, filename, ...rest);
    }
    if (cachedData === undefined || script.cachedDataRejected) {
      fresh.set(hash, script);
      saveSoon.refresh();
    }
    const { resolve } = Module.createRequire(filename);
    const load = (/** @type {string} */ id) => this.require(id);
    // An installed package gets its real dependencies, as its test is about whether they work.
    const require = Object.assign(isOurs ? (/** @type {string} */ id) => loaded(load, id, filename) : load, {
      resolve,
      main: process.mainModule,
      extensions: loader._extensions,
      cache: loader._cache,
    });
    return script
      .runInThisContext()
      .call(this.exports, this.exports, require, this, filename, path.dirname(filename));
  };
  loader.prototype._compile = compileFromCache;
};

// The language host of the registries does not read the option `typescript` of a project, and loads the compiler for every
// program.
if (process.env['EDGE_POLICY_TEST_JAVASCRIPT'] === 'true') process.env['PULUMI_NODEJS_TYPESCRIPT'] = 'false';
const file = process.env['EDGE_POLICY_TEST_COMPILE_CACHE'];
if (file !== undefined) install(file);
