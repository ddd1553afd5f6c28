// `npm run docs:reliability`: prints the fault matrix of the tests as the table of docs/contributing/reliability.md. The matrix
// is TypeScript for Jest, so Jest runs it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const checkout = path.dirname(import.meta.dirname);
const jest = path.join(checkout, 'node_modules', 'jest', 'bin', 'jest.js');
const args = [jest, '--selectProjects', 'lifecycle', '--testPathPatterns', 'faults/reliability-document'];
const { status } = spawnSync(process.execPath, args, {
  cwd: checkout,
  stdio: 'inherit',
  env: { ...process.env, EDGE_POLICY_WRITE_DOCS: '1' },
});
process.exitCode = status ?? 1;
