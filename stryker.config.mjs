// `npm run test:mutation`: are the tests of what decides about retries, delays, paging, answers, changes, masking, unclear
// outcomes, sets of rules, ownership and what the plugin tells the engine any good? Changes the code in hundreds of small ways
// and wants a test to fail each time. Takes hours: `npm run test:mutation -- --mutate provider/src/api/answer-policy.ts` takes one file.
import jestConfig from './jest.config.mjs';

/** The quick tests that know these files. */
const TESTS = [
  'unit/{api,fields,hosts,presence,rule,rule-set,run}',
  'lifecycle/{ip-policy-rule,ip-policy-rule-set,modules,native,ownership}',
];
const [suite] = jestConfig.projects;

export default {
  mutate: [
    'provider/src/api/{answer-policy,paging,decode,redact}.ts',
    'provider/src/fields/field.ts',
    'provider/src/hosts/marked-values.ts',
    'provider/src/{hosts/native,presence,resources,rule,rule-set,run}/*.ts',
    // Starts the process and answers the engine on its standard output; the engine suite runs it.
    '!provider/src/hosts/native/main.ts',
  ],
  testRunner: 'jest',
  jest: {
    config: {
      // In the copy of the workspace that Stryker works on, which Jest starts in.
      projects: [
        {
          ...suite,
          rootDir: undefined,
          testMatch: TESTS.map((folder) => `<rootDir>/tests/${folder}/**/*.test.ts`),
        },
      ],
    },
    enableFindRelatedTests: false,
  },
  dryRunTimeoutMinutes: 30,
  coverageAnalysis: 'perTest',
  ignorePatterns: ['**/dist', 'tests/engine', 'tests/journeys', 'coverage', 'reports'],
  ignoreStatic: true,
  incrementalFile: 'reports/stryker-incremental.json',
  reporters: ['clear-text', 'progress', 'html', 'json'],
  clearTextReporter: { reportTests: false, logTests: false },
  htmlReporter: { fileName: 'reports/mutation.html' },
  jsonReporter: { fileName: 'reports/mutation.json' },
  thresholds: { high: 95, low: 85, break: 85 },
  concurrency: 2,
};
