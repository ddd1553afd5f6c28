#!/usr/bin/env node
// `npm run test:node`: the tests on other versions of Node.js, which the npm package `node` brings. Versions and the usual
// arguments of Jest may follow: `npm run test:node -- 24 tests/unit/values`.
import { spawnSync } from 'node:child_process';

/** The oldest that package.json allows, and the newest of each line after it. */
const VERSIONS = ['20.19', '22', '24'];
const OUTERMOST = ['20.19', '24'];

const QUICK = ['tests/unit', 'tests/lifecycle'];
const ENGINE = ['tests/engine/ip-policy-rule.test', 'tests/engine/functions'];
/** Tests that take minutes, or that are about the checkout and not about Node.js. */
const LEFT_OUT = [
  'unit/tools',
  'unit/docs',
  'faults/matrix',
  'cli/model',
  'oracle',
  'property',
  'rule-set/requests',
];

const given = process.argv.slice(2);
/** @param {string} argument */
const isVersion = (argument) => /^\d+(\.\d+)*$/.test(argument);
const versions = given.some(isVersion) ? given.filter(isVersion) : VERSIONS;
const jestArguments = given.filter((argument) => !isVersion(argument));

/** @param {string} version */
const argumentsFor = (version) =>
  jestArguments.length > 0
    ? jestArguments
    : [
        ...[...QUICK, ...(OUTERMOST.includes(version) ? ENGINE : [])],
        ...['--testPathIgnorePatterns', ...LEFT_OUT],
      ];

const failed = versions.filter((version) => {
  const jest = ['node', 'node_modules/jest/bin/jest.js', ...argumentsFor(version)];
  console.log(`\n=== Node.js ${version}`);
  // npx puts its folder first on PATH, so that the CLI and everything else that a test starts uses this version, too.
  const run = spawnSync('npx', ['--yes', '--package', `node@${version}`, '--', ...jest], {
    stdio: 'inherit',
  });
  return run.status !== 0;
});
console.log(
  failed.length === 0 ? '\nPassed on all versions.' : `\nFailed on Node.js ${failed.join(' and ')}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
