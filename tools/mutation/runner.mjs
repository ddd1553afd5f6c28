// Runs Jest's tests for Stryker in one process that loads sources and tests once. Jest itself loads everything anew for each
// mutant, which for tests of the lifecycle ring takes ten times as long as the tests.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { testGlobals } from './test-globals.mjs';

/** @typedef {import('./test-globals.mjs').RegisteredTest & { id: string }} Test */
/** @typedef {import('@stryker-mutator/api/test-runner').TestResult} TestResult */

/** A test takes longer than this only if it hangs, or if it always does. */
const PATIENCE_MS = 5_000;
/** How many times slower than in the dry run a test may be, as the machine may be busy. */
const SLOWDOWN = 10;

/** How long a property tries examples; one that a mutant breaks fails within the first few, and its smallest one does not matter. */
const PROPERTY = { interruptAfterTimeLimit: 250, endOnFailure: true, seed: 1 };

/** How many tests that noticed the latest mutants are run first on the next one, which is mostly in the same lines. */
const LATEST_NOTICED = 20;

/** The file in which the process of the dry run tells the others how long each test takes. */
const DURATIONS = '.stryker-durations.json';

/** @type {import('@stryker-mutator/api/test-runner').CompleteDryRunResult['status']} */
const complete = DryRunStatus.Complete;

class InProcessRunner {
  static inject = tokens(commonTokens.options);
  /** @type {Test[]} */
  tests = [];
  /** @type {Record<string, number> | undefined} */
  durations;
  /** The tests that noticed the latest mutants, the latest first. @type {string[]} */
  noticed = [];
  /** The object that instrumented code reads and writes. @type {import('@stryker-mutator/api/core').InstrumenterContext} */
  instrumented = {};

  /** @param {import('@stryker-mutator/api/core').StrykerOptions} options */
  constructor(options) {
    /** @type {{ loads: readonly string[], tests: readonly string[], tooSlow: readonly string[] }} */
    this.settings = /** @type {any} */ (options)['inProcess'];
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  init() {
    this.instrumented = /** @type {any} */ (globalThis).__stryker__ ??= {};
    const require = createRequire(join(process.cwd(), 'package.json'));
    require('fast-check').configureGlobal(PROPERTY);
    let file = '';
    const { loads, tests, tooSlow } = this.settings;
    const globals = testGlobals((test) => {
      if (tooSlow.some((name) => test.name.includes(name))) return;
      this.tests.push({ ...test, id: `${file} ${this.tests.length} ${test.name}` });
    });
    Object.assign(globalThis, globals);
    for (const path of loads) require(resolve(path.replace(/ts$/, 'js')));
    for (file of tests.flatMap(testFiles)) require(resolve(file.replace(/ts$/, 'js')));
    // The aftermath of a mutant may fail later; the test that it belongs to has failed already.
    process.on('uncaughtException', () => undefined);
    return Promise.resolve();
  }

  async dryRun() {
    const results = await this.run(this.tests, { stopsAtFailure: false });
    const durations = Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    writeFileSync(DURATIONS, JSON.stringify(durations));
    const { mutantCoverage = { static: {}, perTest: {} } } = this.instrumented;
    return { status: complete, tests: results, mutantCoverage };
  }

  /** @param {import('@stryker-mutator/api/test-runner').MutantRunOptions} options */
  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    const hitCount = hitLimit === undefined ? undefined : 0;
    Object.assign(this.instrumented, { activeMutant: activeMutant.id, hitLimit, hitCount });
    const durations = (this.durations ??= JSON.parse(readFileSync(DURATIONS, 'utf8')));
    const chosen =
      testFilter === undefined ? this.tests : this.tests.filter(({ id }) => testFilter.includes(id));
    // Then the quick ones: most mutants never reach the others.
    const rank = (/** @type {Test} */ { id }) => {
      const turn = this.noticed.indexOf(id);
      return turn === -1 ? durations[id] : turn - LATEST_NOTICED;
    };
    const ordered = chosen.toSorted((a, b) => rank(a) - rank(b));
    const tests = await this.run(ordered, { stopsAtFailure: !disableBail });
    const failed = tests.find(({ status }) => status === TestStatus.Failed)?.id;
    if (failed !== undefined)
      this.noticed = [failed, ...this.noticed.filter((id) => id !== failed)].slice(0, LATEST_NOTICED);
    Object.assign(this.instrumented, { activeMutant: undefined });
    const isHanging = determineHitLimitReached(this.instrumented.hitCount, hitLimit);
    return toMutantRunResult(isHanging ?? { status: complete, tests }, disableBail);
  }

  /** @param {readonly Test[]} tests @param {{ stopsAtFailure: boolean }} options */
  async run(tests, { stopsAtFailure }) {
    /** @type {TestResult[]} */
    const results = [];
    for (const test of tests) {
      this.instrumented.currentTestId = test.id;
      const { id, name } = test;
      const startedAt = performance.now();
      const patienceMs = Math.max(PATIENCE_MS, SLOWDOWN * (this.durations?.[id] ?? 60_000));
      const failure = await failureOf(test, patienceMs);
      const common = { id, name, timeSpentMs: Math.round(performance.now() - startedAt) };
      if (failure === undefined) results.push({ ...common, status: TestStatus.Success });
      else results.push({ ...common, status: TestStatus.Failed, failureMessage: failure });
      if (failure !== undefined && stopsAtFailure) break;
    }
    return results;
  }
}

/** @param {Test} test @param {number} patienceMs @returns {Promise<string | undefined>} */
async function failureOf({ scopes, body }, patienceMs) {
  const before = scopes.flatMap((scope) => scope.before);
  const after = scopes.toReversed().flatMap((scope) => scope.after);
  /** @type {string | undefined} */
  let failure;
  for (const steps of [[...before, body], after]) {
    try {
      for (const step of steps) await inTime(step, patienceMs);
    } catch (error) {
      failure ??= error instanceof Error ? error.message : String(error);
    }
  }
  return failure;
}

/** @param {() => unknown} work @param {number} patienceMs */
async function inTime(work, patienceMs) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const tooLate = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('the test hangs')), patienceMs);
  });
  try {
    await Promise.race([work(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** The test files below a path, or the file itself. @param {string} path @returns {string[]} */
const testFiles = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => testFiles(join(path, name)))
    : path.endsWith('.test.ts')
      ? [path]
      : [];

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
