// Usage: node tools/ci-summary.mjs REPORTS [FAILED_STEP...]
// Adds up Jest's JSON reports in a folder and prints "N passed, N failed"; exits with 1 if anything has failed.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number }} JestReport
 */

const [folder = '', ...failedSteps] = process.argv.slice(2);

/** @type {Map<string, JestReport>} */
const reports = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  reports.set(path.basename(file, '.json'), JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
}

let passed = 0;
let failed = 0;
for (const report of reports.values()) {
  passed += report.numPassedTests;
  failed += failuresIn(report);
}

// A step can fail without a failed test: the format is wrong, a suite does not load, Jest itself ends early.
for (const step of failedSteps) {
  const report = reports.get(step);
  if (report === undefined || failuresIn(report) === 0) {
    failed += 1;
    console.log(`failed without a failed test: ${step}`);
  }
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** A suite that could not be loaded has no tests that could fail. @param {JestReport} report */
function failuresIn(report) {
  return report.numFailedTests + report.numRuntimeErrorTestSuites;
}
