import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { folderOf } from '../../support/folder';
import { checkout } from '../../support/workspace';

const report = (passed: number, failed: number, unloadable = 0): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: unloadable });

const summarise = (
  reports: Readonly<Record<string, string>>,
  ...failedSteps: string[]
): { lastLine: string | undefined; exitCode: number | null } => {
  const script = path.join(checkout, 'tools', 'ci-summary.mjs');
  const { stdout, status } = spawnSync(process.execPath, [script, folderOf(reports), ...failedSteps], {
    encoding: 'utf8',
  });
  return { lastLine: stdout.trimEnd().split('\n').pop(), exitCode: status };
};

test.each([
  [
    'adds up the reports',
    { 'a.json': report(3, 0), 'b.json': report(4, 0), 'a.log': 'Running' },
    [],
    '7 passed, 0 failed',
    0,
  ],
  ['a failed test fails the run', { 'test.json': report(3, 2) }, ['test'], '3 passed, 2 failed', 1],
  [
    'a suite that does not load is a failure',
    { 'test.json': report(3, 0, 1) },
    ['test'],
    '3 passed, 1 failed',
    1,
  ],
  ['a failed check is a failure', { 'test.json': report(3, 0) }, ['check'], '3 passed, 1 failed', 1],
  ['tests that end without a report are a failure', {}, ['test'], '0 passed, 1 failed', 1],
])('%s', (_fact, reports, failedSteps, lastLine, exitCode) => {
  expect(summarise(reports, ...failedSteps)).toEqual({ lastLine, exitCode });
});
