import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { folderOf } from '../../support/folder';
import { codeBlocks, pages } from '../../support/pages';
import { startRawServer } from '../../support/raw-server';
import { textOf } from '../../support/workspace';
import { runStep, type StepRun } from '../action/action-folder';

interface Workflow {
  readonly jobs: { readonly drift: { readonly steps: readonly { readonly run?: string }[] } };
}
type Pipeline = Readonly<
  Record<'access-accept' | 'access-drift' | 'access-review', { readonly script: readonly string[] }>
>;

const yamlOf = (file: string): unknown => parse(textOf(file));

/** A folder with stand-ins for the tools of a job, each of which notes how it is called. */
class Job {
  readonly folder: string;

  constructor(tools: Readonly<Record<string, string>>) {
    const scripts = Object.entries(tools).map(([name, script]) => [
      path.join('job', name),
      `#!/bin/sh\necho "${name} $*" >> "\${0%/*}/calls"\n${script}\n`,
    ]);
    this.folder = path.join(folderOf(Object.fromEntries(scripts) as Record<string, string>), 'job');
  }

  /** Runs a script as the runner does. */
  run(script: string, env: NodeJS.ProcessEnv = {}): Promise<StepRun> {
    const PATH = `${this.folder}:${process.env['PATH'] ?? ''}`;
    const all = { STACK: 'prod', ...process.env, ...env, RUNNER_TEMP: this.folder, PATH };
    return runStep(script, all, this.folder, ['bash', '-euo', 'pipefail', '-c']);
  }

  get calls(): string[] {
    const file = path.join(this.folder, 'calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }
}

describe('the workflow for drift', () => {
  const { jobs } = yamlOf('cli/templates/access-drift.yml') as Workflow;
  const [drift = '', issue = '', page = ''] = jobs.drift.steps.flatMap(({ run }) =>
    run === undefined || run === 'npm ci' ? [] : [run],
  );

  test.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
  ])('exit code %d of drift: the step ends with %d, and says which it was', async (code, ended) => {
    const job = new Job({ npx: `echo report; exit ${code}` });
    expect(await job.run(drift)).toMatchObject({ exitCode: ended, outputs: { code: String(code) } });
    expect(job.calls).toEqual([
      'npx --no-install pulumi-edge-policy-cli drift --stack prod --format markdown',
    ]);
    expect(job.read('drift.md')).toBe('report\n');
  });

  const CREATE = /^gh issue create --title Access has drifted --label drift --body-file /;
  test.each([
    ['drift and no issue: one is opened', '1', '', CREATE],
    ['drift and an issue: it is brought up to date', '1', '7', /^gh issue edit 7 --body-file /],
    ['no drift and an issue: it is closed', '0', '7', /^gh issue close 7 --comment The drift is gone\.$/],
    ['no drift and no issue: nothing', '0', '', /^gh issue list .* --author app\/github-actions /],
  ])('%s', async (_name, code, number, call) => {
    const job = new Job({ gh: `[ "$2" != list ] || echo '${number}'` });
    expect(await job.run(issue, { CODE: code })).toMatchObject({ exitCode: 0 });
    expect(job.calls.at(-1)).toMatch(call);
    expect(
      job.calls.filter((made) => !/ (?:list|label) /.test(made) && !made.includes('label create')),
    ).toHaveLength(code === '0' && number === '' ? 0 : 1);
  });

  test('the page of who gets in comes last, so that its failure leaves the issue as it is due', async () => {
    const job = new Job({ npx: '' });
    expect(await job.run(page)).toMatchObject({ exitCode: 0 });
    expect(job.calls).toEqual([
      expect.stringMatching(
        /^npx --no-install pulumi-edge-policy-cli page --stack prod --live --out .*access\.html$/,
      ),
    ]);
  });
});

describe('the pipeline for GitLab', () => {
  const pipeline = yamlOf('cli/templates/gitlab-ci.yml') as Pipeline;
  const scriptOf = (name: keyof Pipeline): string => pipeline[name].script.join('\n');
  const variables = {
    ...{ STACK: 'prod', FOLDER: '.', GUARDS: 'edge-policy.assertions.json', CI_COMMIT_SHA: 'abc123' },
    ...{ GITLAB_REPORT_TOKEN: 'token', CI_API_V4_URL: 'https://gitlab.example/api/v4' },
    ...{ CI_PROJECT_ID: '5', CI_MERGE_REQUEST_IID: '9', CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' },
  };
  const issues = 'https://gitlab.example/api/v4/projects/5/issues';
  const update = '-X PUT --data-urlencode description@drift.md';
  const git = 'if [ "$1" = worktree ]; then mkdir "$4"; else echo {}; fi';
  const run = async (
    name: keyof Pipeline,
    tools: Readonly<Record<string, string>>,
    { script = scriptOf(name), ...env }: NodeJS.ProcessEnv = {},
  ) => {
    const job = new Job({ npm: '', pulumi: 'echo {}', git, curl: '', ...tools });
    return { job, ...(await job.run(script, { ...variables, CI_PROJECT_DIR: job.folder, ...env })) };
  };
  const curlAnswering = (found: string) => `case "$*" in *state=opened*) echo '${found}';; esac`;

  test.each([
    ['drift and no issue: one is opened', 1, '[]', `description@drift.md ${issues}`],
    ['drift and an issue: it is brought up to date', 1, '[{"iid":7}]', `${update} ${issues}/7`],
    ['no drift and an issue: it is closed', 0, '[{"iid":7}]', `-X PUT --data state_event=close ${issues}/7`],
    ['no drift and no issue: nothing', 0, '[]', `${issues}?state=opened&labels=drift&scope=created_by_me`],
  ])('%s', async (_name, code, found, call) => {
    const { job, exitCode } = await run('access-drift', {
      npx: `echo report; exit ${code}`,
      curl: curlAnswering(found),
    });
    expect(exitCode).toBe(0);
    expect(job.calls.at(-1)).toMatch(new RegExp(`${call.replace(/[?.+]/g, '\\$&')}$`));
  });

  test('where nobody can tell, the job fails and the issue stays as it is', async () => {
    const { job, exitCode } = await run('access-drift', {
      npx: 'exit 2',
      curl: curlAnswering('[{"iid":7}]'),
    });
    expect(exitCode).not.toBe(0);
    expect(job.calls.filter((made) => made.startsWith('curl'))).toEqual([]);
  });

  const note = 'body@review.md https://gitlab.example/api/v4/projects/5/merge_requests/9/notes';

  test.each([0, 1, 2, 3])(
    'a review that ends with %d is noted, and is the exit code of the job',
    async (code) => {
      const npx = `[ ${code} = 3 ] || echo review > "\${0%/*}/review.md"; exit ${code}`;
      const { job, exitCode } = await run('access-review', {
        npx,
        'review.md': 'what the merge request brings',
      });
      expect(exitCode).toBe(code);
      expect(job.calls.at(-1)).toContain(note);
      const said = code === 3 ? 'No review could be made.' : 'review';
      expect(job.read('review.md')).toBe(`${said}\nReviewed commit abc123\n`);
      expect(job.calls).toContainEqual(
        expect.stringMatching(
          /--base-assertions \S+\/base-edge\S+ --assertions \S+\/change-edge\S+ --base-feeds/,
        ),
      );
    },
  );

  test('guards that the base or the change lacks end the job', async () => {
    for (const lacking of ['FETCH_HEAD:', 'abc123:']) {
      const { job, exitCode } = await run('access-review', {
        git: `case "$*" in *${lacking}*) exit 128;; *worktree*) mkdir "$4";; esac`,
        npx: '',
      });
      expect(exitCode).not.toBe(0);
      expect(job.calls.filter((call) => /^(?:npx|curl)/.test(call))).toEqual([]);
    }
  });

  test('what runs the program of a merge request has no environment, and what has one runs nothing of it', () => {
    const { 'access-preview': preview, 'access-review': judge } = yamlOf(
      'cli/templates/gitlab-ci.yml',
    ) as Record<string, object>;
    expect(preview).not.toHaveProperty('environment');
    expect(JSON.stringify(preview)).not.toMatch(/GITLAB_REPORT_TOKEN|API_KEY/);
    expect(judge).toHaveProperty('environment.name', 'access-review');
    expect(scriptOf('access-review')).not.toMatch(/npm ci(?! --ignore-scripts)|pulumi preview/);
  });

  describe('the acceptance of what a review has found', () => {
    const HASH = 'a'.repeat(64);
    const commitBy = (username: string) => ({
      author: { username },
      authorEmail: `${username}@a`,
      committerEmail: `${username}@a`,
    });
    const acceptedBy = (username: string, { pipeline = 5, name = 'access-accept' } = {}) => ({
      '/deployments': [{ deployable: { id: 3, name, user: { username }, pipeline: { id: pipeline } } }],
    });
    const withCommits = (hasNextPage: boolean, ...nodes: object[]) => {
      const commits = { pageInfo: { hasNextPage }, nodes };
      return {
        '/graphql': { data: { project: { mergeRequest: { author: { username: 'alice' }, commits } } } },
      };
    };

    /** What GitLab answers, by the end of the path. */
    const gitLab: Readonly<Record<string, object | string>> = {
      ...withCommits(false, commitBy('bob')),
      '/pipelines/5': { user: { username: 'dan' } },
      ...acceptedBy('carol'),
      '/jobs/3/artifacts/accepted': `${HASH}\n`,
    };

    /** Runs access-review, whose review finds something, and passes with the hash. */
    async function reviewed(answers: object, approvals = 'approvals=edge-policy-approvals') {
      const { url } = await startRawServer((request, response) => {
        const place = Object.entries({ ...gitLab, ...answers }).find(([end]) =>
          request.url?.split('?')[0]?.endsWith(end),
        );
        response.writeHead(place?.[1] === undefined ? 403 : 200);
        response.end(typeof place?.[1] === 'string' ? place[1] : JSON.stringify(place?.[1] ?? {}));
      });
      const report = JSON.stringify({ acceptance: { hash: HASH } });
      const npx = `for at in "$@"; do case $at in json=*) echo '${report}' > "\${at#json=}";; esac; done
        case "$*" in *"--accept ${HASH}"*) exit 0;; *) exit 1;; esac`;
      const env = {
        ...{ CI_API_V4_URL: `${url}/api/v4`, CI_API_GRAPHQL_URL: `${url}/graphql` },
        ...{ CI_PROJECT_PATH: 'acme/edge', CI_PIPELINE_ID: '5' },
      };
      expect(scriptOf('access-review')).toContain(OFF);
      return run(
        'access-review',
        { npx },
        { ...env, script: scriptOf('access-review').replace(OFF, approvals) },
      );
    }
    const OFF = "approvals=''";

    test('passes if somebody else has accepted it and the environment is protected, and says who that was', async () => {
      expect((await reviewed({}, OFF)).exitCode).toBe(1);
      expect(await reviewed({})).toMatchObject({
        exitCode: 0,
        log: expect.stringContaining('Accepted by carol.') as string,
      });
    });

    test.each<[what: string, answers: object]>([
      ['by whoever opened the merge request', acceptedBy('alice')],
      ['by an author', acceptedBy('bob')],
      ['by whoever pushed', acceptedBy('dan')],
      ['for another pipeline, and so another commit', acceptedBy('carol', { pipeline: 4 })],
      ['by another job', acceptedBy('carol', { name: 'deploy' })],
      ['of another change', { '/jobs/3/artifacts/accepted': 'b'.repeat(64) }],
      ['if an author has no account', withCommits(false, { ...commitBy('bob'), author: null })],
      ['if a committer wrote no part', withCommits(false, { ...commitBy('bob'), committerEmail: 'x@y' })],
      ['if there are more commits than were listed', withCommits(true, commitBy('bob'))],
      ...Object.keys(gitLab).map((at): [string, object] => [
        `if GitLab is silent on ${at}`,
        { [at]: undefined },
      ]),
    ])('does not count %s', async (_what, answers) => {
      expect((await reviewed(answers)).exitCode).toBe(1);
    });

    test.each([
      [HASH, 0],
      [`${HASH}b`, 1],
      ['', 1],
    ])('the job of the approver with the hash %s ends with %d', async (ACCEPT, code) => {
      const { job, exitCode } = await run('access-accept', {}, { ACCEPT });
      expect([exitCode, job.read('accepted').trim()]).toEqual([code, code === 0 ? HASH : '']);
    });
  });
});

test('the job that comments a preview has not run it', async () => {
  const { jobs, permissions } = yamlOf('docs/preview-workflow.yml') as {
    readonly permissions: object;
    readonly jobs: Readonly<
      Record<string, { readonly permissions?: object; readonly steps: readonly object[] }>
    >;
  };
  expect([permissions, jobs['preview']?.permissions]).toEqual([{ contents: 'read' }, undefined]);
  expect(JSON.stringify(jobs['comment'])).not.toMatch(/checkout|npm|pulumi\/actions|pulumi preview/);
  const script = (jobs['comment']?.steps.at(-1) as { run: string }).run;
  for (const id of ['', '5']) {
    const job = new Job({ gh: `case "$*" in *--paginate*) echo ${id};; esac`, 'preview.txt': '' });
    expect(await job.run(script, { GH_REPO: 'acme/edge', NUMBER: '7' })).toMatchObject({ exitCode: 0 });
    expect(job.calls.at(-1)).toMatch(
      id === '' ? /^gh pr comment 7 / : /^gh api --method PATCH .*comments\/5 /,
    );
    expect(job.read('comment.md')).toMatch(/^<!-- preview -->\n\n {4}#!/);
  }
});

describe('the shell blocks of the docs', () => {
  const blocks = pages()
    .filter((page) => !/contributing/i.test(page))
    .flatMap(codeBlocks)
    .filter(({ language }) => language === 'sh');
  // Whatever a block does not write itself is there: tools, files, and the variables that its page speaks of.
  const names = ['call', 'cat', 'curl', 'git', 'go', 'node', 'npm', 'npx', 'pip', 'pulumi', 'sed'];
  // The clone next to the project.
  const tools = Object.fromEntries([...names, '../pulumi-edge-policy/setup'].map((name) => [name, '']));
  const address = 'https://api.example.com';
  const variables = { API: address, BASE_URL: address, KEY: 'key', MODULE: 'module' };

  test('run to their end in a strict shell, as pipelines set it', async () => {
    expect(blocks.length).toBeGreaterThan(30);
    for (const { page, line, text } of blocks) {
      // One asks for a key.
      const { exitCode } = await new Job(tools).run(`{ ${text}\n} <<< ''`, variables);
      expect([page, line, exitCode]).toEqual([page, line, 0]);
    }
  });

  test.each([
    [0, 0, 'nothing to look at closely'],
    [1, 1, 'findings: see review.md'],
    [2, 1, 'not decidable: see review.md'],
    [3, 1, 'no review was made'],
  ])(
    'the pipeline of a review that ends with %d: it ends with %d and says "%s"',
    async (code, ended, said) => {
      const pipelines = blocks.filter(({ text }) => text.includes('esac'));
      expect(pipelines).toHaveLength(1);
      const job = new Job({ ...tools, npx: `exit ${code}` });
      const { exitCode, log } = await job.run(pipelines[0]?.text ?? '');
      expect([exitCode, log]).toEqual([ended, `${said}\n`]);
    },
  );
});
