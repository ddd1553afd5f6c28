// `npm run test:mutation`: are the tests of what decides about retries, delays, paging, answers, changes, masking, unclear
// outcomes, sets of rules, ownership and what the plugin tells the engine any good? Changes the code in hundreds of small ways
// and wants a test to fail each time.
const folders = ['provider/src', 'emulator/src', 'tests/unit', 'tests/lifecycle', 'tests/support'];
const sources = folders.map((folder) => `${folder}/**/*.ts`);

export default {
  mutate: [
    'provider/src/api/{retry,outcome,paging,decode,redact}.ts',
    'provider/src/fields/diff-fields.ts',
    'provider/src/fields/field.ts',
    'provider/src/{hosts/native,resources,rule,rule-set,run}/*.ts',
    // Starts the process and answers the engine on its standard output; the engine ring runs it.
    '!provider/src/hosts/native/main.ts',
  ],
  testRunner: 'in-process',
  plugins: ['./tools/mutation/runner.mjs'],
  // The quick tests that know these files.
  inProcess: {
    // A module that its first test loads would seem to be covered by that one, and its constants never change again.
    loads: [
      'ip-policy-rule',
      'ip-policy-rule-set',
      'tcp-edge-traffic-policy-module',
      '../rule-set/operations',
    ].map((name) => `provider/src/resources/${name}.ts`),
    tests: [
      ...['paging', 'decode', 'redact', 'retry', 'retry-after', 'call', 'errors', 'no-response'].map(
        (name) => `tests/unit/api/${name}.test.ts`,
      ),
      ...['fields', 'hosts', 'rule-set', 'run'].map((room) => `tests/unit/${room}`),
      ...['adopt/plan', 'cli/recover-judge'].map((name) => `tests/unit/${name}.test.ts`),
      ...['ip-policy-rule', 'modules', 'native', 'ownership'].map(
        (resource) => `tests/lifecycle/${resource}`,
      ),
      ...['steps', 'exclusive', 'partial-failure', 'answer-lost', 'answer-lost-for-good', 'until'].map(
        (name) => `tests/lifecycle/ip-policy-rule-set/${name}.test.ts`,
      ),
    ],
    // Beside the time they take, they let a mutant that loops for ever do so a hundred times as long.
    tooSlow: [
      'a list of a hundred thousand pages',
      'a list of more than a million rules',
      'beside 3,000 creates',
      'takes longer than one operation has',
    ],
  },
  // Compiled once, in the copy of the workspace that Stryker works on.
  buildCommand: `esbuild ${sources.join(' ')} --outdir=. --outbase=. --format=cjs --log-level=error`,
  coverageAnalysis: 'perTest',
  ignorePatterns: ['**/dist', 'docs', 'examples', 'tests/engine', 'tests/journeys', 'coverage', 'reports'],
  ignoreStatic: true,
  // Beyond the runner's own patience with a test that hangs: out of time counts as noticed, so a busy machine must not cause it.
  timeoutMS: 40_000,
  timeoutFactor: 2,
  incrementalFile: 'reports/stryker-incremental.json',
  reporters: ['clear-text', 'progress', 'html', 'json'],
  clearTextReporter: { reportTests: false, logTests: false },
  htmlReporter: { fileName: 'reports/mutation.html' },
  jsonReporter: { fileName: 'reports/mutation.json' },
  thresholds: { high: 95, low: 85, break: 85 },
  concurrency: 2,
  warnings: { unknownOptions: false },
};
