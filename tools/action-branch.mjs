// `npm run bundle:action [-- REMOTE]`: pushes a branch `action-<commit>`, by which workflows can call the action without a release: the
// checked-out commit, and the review (`npm run bundle:review`) in `action/dist` beside it. Neither work tree nor branch changes, and
// the same commit and review make the same branch, byte for byte.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// The job that pushes installs nothing, so nothing is imported from bundling.mjs.
const checkout = path.join(import.meta.dirname, '..');
const [remote = 'origin'] = process.argv.slice(2);
const scratch = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-index-'));
/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
const git = (args, env) =>
  execFileSync('git', args, { cwd: checkout, encoding: 'utf8', env: { ...process.env, ...env } }).trim();

const head = git(['rev-parse', 'HEAD']);
const changed = git(['status', '--porcelain', '--untracked-files=no', '--', '.']);
if (changed !== '')
  throw new Error(`commit or undo first, as the review holds what no commit has:\n${changed}`);

const index = { GIT_INDEX_FILE: path.join(scratch, 'index') };
git(['read-tree', head], index);
git(['add', '--force', 'action/dist'], index);
const tree = git(['write-tree'], index);
rmSync(scratch, { recursive: true });

const date = git(['show', '--no-patch', '--format=%cI', head]);
const identity = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'action'],
    [`GIT_${who}_EMAIL`, 'action@users.noreply.github.com'],
    [`GIT_${who}_DATE`, date],
  ]),
);
const commit = git(['commit-tree', tree, '-p', head, '-m', `Carry the review of ${head}`], identity);
const branch = `action-${head.slice(0, 12)}`;
git(['push', remote, `${commit}:refs/heads/${branch}`]);

const address = git(['ls-remote', '--get-url', remote]);
const repository = /([^/:]+\/[^/:]+?)(?:\.git)?\/?$/.exec(address)?.[1] ?? address;
const folder = git(['rev-parse', '--show-prefix']).replace(/\/$/, '');
const name = [repository, folder].filter((part) => part !== '').join('/');
console.log(`The branch ${branch} carries the review. Call the action by its commit:`);
for (const part of ['action/judge', 'action/summary', 'action/reviewed-plan'])
  console.log(`  uses: ${name}/${part}@${commit}`);
