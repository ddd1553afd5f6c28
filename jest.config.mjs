// The suites (see CONTRIBUTING.md): unit and lifecycle run in seconds, engine drives the real Pulumi CLI, journeys do so for
// minutes (`npm run test:journeys`), postgres keeps its state in a database (`npm run test:postgres`),
// languages runs the examples of the schema (`npm run test:languages`), page needs a browser (`npm run test:page`), node-host needs
// the Node.js host of a current CLI (`npm run test:node-host`).
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { notNatively } from './tests/not-natively.mjs';

// Random tests draw other values in each run; workers inherit the seed.
process.env['EDGE_POLICY_SEED'] ??= String(randomInt(2 ** 31));

/** Patterns of files that the run with the plugin (`npm run test:native`) does not have. */
const leftOut =
  process.env['EDGE_POLICY_TEST_HOST'] === 'native'
    ? Object.keys(notNatively).map((pattern) => `/tests/${pattern}`)
    : [];

/** Every folder of tests/ is a suite, but what suites share, and what the compiler alone reads. */
const SUITES = readdirSync(path.join(import.meta.dirname, 'tests'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['support', 'types'].includes(entry.name))
  .map(({ name }) => name);

// Jest takes a path behind `--selectProjects unit` for the name of one more project, and then runs all of the suite.
const selected = process.argv.slice(process.argv.indexOf('--selectProjects')).slice(1);
const end = selected.findIndex((argument) => argument.startsWith('-'));
const paths = (process.argv.includes('--selectProjects') ? selected : [])
  .slice(0, end === -1 ? undefined : end)
  .filter((argument) => !SUITES.includes(argument));
const elsewhere = paths.length === 0 ? [] : [`^(?!.*(?:${paths.join('|')}))`];

/** @param {string} name the suite, and its folder below tests/ */
const suite = (name) => ({
  displayName: name,
  rootDir: import.meta.dirname,
  testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
  // The files that need packages run with the default host.
  ...(['journeys', 'node-host'].includes(name) &&
    leftOut.length === 0 && { globalSetup: '<rootDir>/tests/support/pack-once.mjs' }),
  testPathIgnorePatterns: ['/node_modules/', ...leftOut, ...elsewhere],
  // Copies of examples, for the package, and of all sources, for the mutants.
  modulePathIgnorePatterns: [
    '<rootDir>/provider/(docs|examples|template|emulator)/',
    '<rootDir>/.stryker-tmp/',
  ],
  testEnvironment: 'node',
  // The review, the commands and the policies run on the sources, as the tests do, not on what was compiled last.
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/tests/support/fast-check.cjs',
    '^pulumi-edge-policy/internal/(.*)$': '<rootDir>/provider/src/$1',
    '^pulumi-edge-policy-review$': '<rootDir>/review/src/index',
    '^pulumi-edge-policy-review/(lookup|posture)$': '<rootDir>/review/src/$1',
  },
  transform: {
    '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tests/tsconfig.jest.json' }],
    // These ship as ES modules only, and Jest runs CommonJS: imports must mean what they mean in Node.
    'node_modules/(ip-cidr|@marcbachmann/cel-js)/.+\\.js$': [
      'babel-jest',
      { plugins: [['@babel/plugin-transform-modules-commonjs', { importInterop: 'node' }]] },
    ],
  },
  transformIgnorePatterns: ['node_modules/(?!ip-cidr/|@marcbachmann/cel-js/)', '/dist/'],
});

export default {
  // All processors. With more, a virtual clock may leap while an answer is still on its way.
  maxWorkers: '100%',
  // Bounds a test that hangs. How long a good one takes depends on what else the machine does.
  testTimeout: 120_000,
  reporters: ['default', path.join(import.meta.dirname, 'tests/support/seed-reporter.mjs')],
  projects: SUITES.map(suite),
};
