import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { folderOf } from '../../support/folder';
import { startRawServer } from '../../support/raw-server';
import { textOf } from '../../support/workspace';
import { runStep } from '../action/action-folder';

const HASH = 'a'.repeat(64);
const BASH = ['bash', '-euo', 'pipefail', '-c'] as const;
const { 'access-accept': accept, 'access-review': review } = parse(
  textOf('cli/templates/gitlab-ci.yml'),
) as Record<string, { readonly script: readonly string[] }>;
const OFF = "approvals=''";
const ON = 'approvals=edge-policy-approvals';

const commitBy = (username: string) => ({
  author: { username },
  authorEmail: `${username}@a`,
  committerEmail: `${username}@a`,
});
const acceptedBy = (username: string, { pipeline = 5, name = 'access-accept' } = {}) => ({
  deployable: { id: 3, name, user: { username }, pipeline: { id: pipeline } },
});

const withCommits = (hasNextPage: boolean, ...nodes: object[]) => {
  const commits = { pageInfo: { hasNextPage }, nodes };
  return { '/graphql': { data: { project: { mergeRequest: { author: { username: 'alice' }, commits } } } } };
};

/** What GitLab answers, by the end of the path. */
const gitLab: Readonly<Record<string, object | string>> = {
  ...withCommits(false, commitBy('bob')),
  '/pipelines/5': { user: { username: 'dan' } },
  '/deployments': [acceptedBy('carol')],
  '/jobs/3/artifacts/accepted': `${HASH}\n`,
};

/** Runs access-review, whose review finds something, and passes with the hash. */
async function reviewed(answers: object, approvals = ON): Promise<{ exitCode: number; log: string }> {
  const { url } = await startRawServer((request, response) => {
    const place = Object.entries({ ...gitLab, ...answers }).find(([end]) =>
      request.url?.split('?')[0]?.endsWith(end),
    );
    response.writeHead(place?.[1] === undefined ? 403 : 200);
    response.end(typeof place?.[1] === 'string' ? place[1] : JSON.stringify(place?.[1] ?? {}));
  });
  const report = JSON.stringify({ acceptance: { hash: HASH } });
  const npx = `for at in "$@"; do case $at in json=*) echo '${report}' > "\${at#json=}";; esac; done`;
  const tools = {
    npx: `#!/bin/sh\n${npx}\ncase "$*" in *"--accept ${HASH}"*) exit 0;; *) exit 1;; esac\n`,
    git: '#!/bin/sh\nif [ "$1" = worktree ]; then mkdir "$4"; else echo {}; fi\n',
    ...Object.fromEntries(['npm', 'curl', 'pulumi'].map((name) => [name, '#!/bin/sh\n'])),
  };
  const folder = folderOf(tools);
  const script = review?.script.join('\n') ?? '';
  expect(script).toContain(OFF);
  const env = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    ...{ STACK: 'prod', FOLDER: '.', GUARDS: 'guards.json', CI_COMMIT_SHA: 'abc123', CI_PROJECT_DIR: folder },
    ...{ CI_API_V4_URL: `${url}/api/v4`, CI_API_GRAPHQL_URL: `${url}/graphql`, GITLAB_REPORT_TOKEN: 'token' },
    ...{ CI_PROJECT_ID: '1', CI_PROJECT_PATH: 'acme/edge', CI_MERGE_REQUEST_IID: '9', CI_PIPELINE_ID: '5' },
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  };
  return runStep(script.replace(OFF, approvals), env, folder, BASH);
}

test('what somebody else has accepted passes once the environment is protected, and says who that was', async () => {
  expect((await reviewed({}, OFF)).exitCode).toBe(1);
  expect(await reviewed({})).toMatchObject({
    exitCode: 0,
    log: expect.stringContaining('Accepted by carol.') as string,
  });
});

test.each<[what: string, answers: object]>([
  ['by whoever opened the merge request', { '/deployments': [acceptedBy('alice')] }],
  ['by an author', { '/deployments': [acceptedBy('bob')] }],
  ['by whoever pushed', { '/deployments': [acceptedBy('dan')] }],
  ['for another pipeline, and so another commit', { '/deployments': [acceptedBy('carol', { pipeline: 4 })] }],
  ['by another job', { '/deployments': [acceptedBy('carol', { name: 'deploy' })] }],
  ['of another change', { '/jobs/3/artifacts/accepted': 'b'.repeat(64) }],
  ['if an author has no account', withCommits(false, { ...commitBy('bob'), author: null })],
  ['if a committer wrote no part', withCommits(false, { ...commitBy('bob'), committerEmail: 'x@y' })],
  ['if there are more commits than were listed', withCommits(true, commitBy('bob'))],
  ...Object.keys(gitLab).map((at): [string, object] => [`if GitLab is silent on ${at}`, { [at]: undefined }]),
])('nothing is accepted %s', async (_what, answers) => {
  expect((await reviewed(answers)).exitCode).toBe(1);
});

test.each([
  [HASH, 0],
  [`${HASH}b`, 1],
  ['', 1],
])('the job of the approver with the hash %s ends with %d', async (ACCEPT, exitCode) => {
  const folder = folderOf();
  const env = { ACCEPT, PATH: process.env['PATH'] };
  const ended = await runStep(accept?.script.join('\n') ?? '', env, folder, BASH);
  expect([ended.exitCode, readFileSync(path.join(folder, 'accepted'), 'utf8').trim()]).toEqual([
    exitCode,
    exitCode === 0 ? HASH : '',
  ]);
});
