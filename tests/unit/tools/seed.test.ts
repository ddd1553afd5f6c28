import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { folderOf } from '../../support/folder';

const REPOSITORY = path.resolve(__dirname, '../../..');

test('each run draws other values, in CI, too, and a failure names the command that draws them again', () => {
  const folder = folderOf({
    'jest.config.mjs': `
      import config from '${REPOSITORY}/jest.config.mjs';
      const unit = config.projects.find(({ displayName }) => displayName === 'unit');
      export default {
        ...config,
        projects: [{ ...unit, roots: [import.meta.dirname], testMatch: [import.meta.dirname + '/*.test.js'] }],
      };`,
    'small.test.js': `
      const fc = require('fast-check');
      test('every number is small', () => fc.assert(fc.property(fc.nat(), (n) => n < 1000)));`,
  });
  const run = (seed: string | undefined) => {
    const { stderr, status } = spawnSync(
      process.execPath,
      [path.join(REPOSITORY, 'node_modules/jest/bin/jest.js'), '-i', '--config', `${folder}/jest.config.mjs`],
      { cwd: REPOSITORY, encoding: 'utf8', env: { ...process.env, CI: 'true', EDGE_POLICY_SEED: seed } },
    );
    expect(status).toBe(1);
    const [, again = '', file] =
      /^Again: EDGE_POLICY_SEED=(\d+) npx jest --selectProjects unit (.+)$/m.exec(stderr) ?? [];
    expect(stderr.startsWith(`EDGE_POLICY_SEED=${again}\n`)).toBe(true);
    expect(path.resolve(REPOSITORY, file ?? '')).toBe(path.join(folder, 'small.test.js'));
    const [drawn] = /\{ seed: .*\n.*Counterexample: .*/.exec(stderr) ?? [];
    return { again, drawn };
  };
  const [first, second] = [run(undefined), run(undefined)];
  expect(second.again).not.toBe(first.again);
  expect(first.drawn).toContain(`seed: ${first.again}`);
  expect(run(first.again).drawn).toBe(first.drawn);
});
