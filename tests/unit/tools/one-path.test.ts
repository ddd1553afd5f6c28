import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { checkout } from '../../support/workspace';

const listed = (...args: readonly string[]): string[] =>
  execFileSync(process.execPath, ['node_modules/jest/bin/jest.js', ...args, '--listTests'], {
    cwd: checkout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter((line) => line.endsWith('.test.ts'))
    .map((file) => path.relative(checkout, file));

test('a path behind the name of a ring runs that path of the ring, and no other', () => {
  expect(listed('--selectProjects', 'unit', 'tests/unit/tools/one-path')).toEqual([
    'tests/unit/tools/one-path.test.ts',
  ]);
});
