// `npm run test:mutation`: are the tests of what decides about retries, delays, paging, answers, changes and masking
// any good? Changes the code in hundreds of small ways and wants a test to fail each time.
export default {
  mutate: [
    'provider/src/api/{retry,outcome,paging,decode,redact}.ts',
    'provider/src/fields/diff.ts',
    'provider/src/fields/field.ts',
  ],
  testRunner: 'jest',
  jest: { projectType: 'custom', configFile: 'stryker.jest.config.mjs' },
  plugins: ['@stryker-mutator/jest-runner'],
  coverageAnalysis: 'perTest',
  ignorePatterns: ['**/dist', 'docs', 'examples', 'tests/engine', 'tests/journeys', 'coverage', 'reports'],
  ignoreStatic: true,
  reporters: ['clear-text', 'progress', 'html'],
  clearTextReporter: { reportTests: false, logTests: false },
  htmlReporter: { fileName: 'reports/mutation.html' },
  thresholds: { high: 95, low: 85, break: 85 },
  concurrency: 2,
};
