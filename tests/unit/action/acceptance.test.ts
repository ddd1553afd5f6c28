import { affecting, opening } from './action-folder';
import { APPROVALS, BASE, HEAD, type Judged, Judging, pull } from './judging';
import { type Approval, type CheckRun, type Commit } from './stand-in-github';

const FILE = 'infra/edge-policy.assertions.json';
const QUEUED = 'ccc333';
const NAME = 'access review: org/acme/dev into main';

const judging = new Judging();
const { api, judge } = judging;

beforeEach(() => {
  api.changes.set(HEAD, [commitBy('alice'), commitBy('bob', 'web-flow')]);
});

const commitBy = (author: string, committer = author): Commit => ({
  ...{ sha: HEAD, author: { login: author }, committer: { login: committer } },
});

/** The words that a summary gives to whoever accepts. */
const wordsIn = ({ summary }: Judged): string =>
  /^ {4}(accept [0-9a-f]{64} for #7 at \w+)$/m.exec(summary)?.[1] ?? '';

/** Carol approves the job that waits, with these words. */
function approve(comment: string, { run = '77', ...more }: Partial<Approval> & { run?: string } = {}): void {
  const approval = {
    state: 'approved',
    user: { login: 'carol' },
    environments: [{ name: APPROVALS }],
  } as const;
  api.approvals.set(run, [...(api.approvals.get(run) ?? []), { ...approval, comment, ...more }]);
}

/** The words for the change that lets everybody in, after the gate has stopped it. */
const stopped = judging.once(async () => {
  const judged = await judge(opening);
  expect(judged.outputs).toMatchObject({ outcome: 'findings', 'can-be-accepted': 'true' });
  const words = wordsIn(judged);
  expect(words).toMatch(new RegExp(` for #7 at ${HEAD}$`));
  // Anyone with write access can edit a comment.
  expect(judged.comment).not.toContain(words);
  expect(judged.comment).toContain('read the summary of [the run that judged](https://github.example/');
  return words;
});

function lastCheck(): CheckRun {
  const [check] = api.checks.slice(-1) as [CheckRun];
  return check;
}

test('a change that the gate stops passes once a colleague has accepted exactly it', async () => {
  approve(`I have read it.\n${await stopped()}`);
  const { outputs, summary } = await judge(opening);
  expect(outputs).toMatchObject({ outcome: 'clear', 'can-be-accepted': 'false' });
  expect(lastCheck()).toMatchObject({
    ...{ name: NAME, head_sha: HEAD, conclusion: 'success' },
    output: { title: `Accepted by carol. Guards: main at ${BASE}.` },
  });
  expect(summary).toContain('open-to-all');
});

test('so does a weakened guard, and it survives another run about the commit', async () => {
  api.files.set(`${BASE}:${FILE}`, '{ "gate": { "failOn": "medium" } }');
  approve(wordsIn(await judge(affecting)), { run: '77' });
  await judge(affecting, { GITHUB_RUN_ID: '78' });
  expect(lastCheck()).toMatchObject({ conclusion: 'success' });
});

describe('an approval does not count', () => {
  /** If the approval of somebody has counted, the title of the check says whose. */
  function isStopped({ outputs, summary }: Judged, why = ''): void {
    expect(lastCheck().output.title).not.toContain('Accepted by');
    expect(lastCheck()).toMatchObject({ conclusion: 'failure' });
    expect(outputs).toMatchObject({ outcome: 'findings', 'can-be-accepted': 'true' });
    expect(summary).toContain(why);
  }

  test('by anybody who opened the pull request, pushed it, or wrote or committed any of its many commits', async () => {
    const many = Array.from({ length: 130 }, () => commitBy('author', 'committer'));
    api.changes.set(HEAD, [...many, commitBy('last-author', 'web-flow')]);
    const words = await stopped();
    for (const login of ['alice', 'pusher', 'rerunner', 'author', 'committer', 'last-author'])
      approve(words, { user: { login } });
    const starters = { actor: { login: 'pusher' }, triggering_actor: { login: 'rerunner' } };
    const judged = await judge(opening, {}, starters);
    isStopped(judged, 'last-author wrote a part of the change');
  });

  const silence = (call: string, status: number) => () =>
    void api.outages.push({ call: `GET /repos/acme/edge${call}`, status });
  const UNKNOWN = 'An approval does not count: GitHub did not return who has approved it';
  test.each<[when: string, why: string, prepare: () => unknown]>([
    ['by whoever ran it again', 'started the run', () => api.starters.set('77', 'carol')],
    [
      'if an author has no account',
      'has no account on GitHub',
      () => api.changes.set(HEAD, [{ ...commitBy('bob'), author: null }]),
    ],
    ['if GitHub does not list the approvals', UNKNOWN, silence('/actions/runs/77/approvals', 403)],
    ['if GitHub does not compare the commits', UNKNOWN, silence('/compare/', 404)],
    ['if GitHub does not show the run', UNKNOWN, silence('/actions/runs/77 ', 404)],
  ])('%s', async (_when, why, prepare) => {
    approve(await stopped());
    prepare();
    isStopped(await judge(opening), why);
  });

  test('that rejects, is of another environment, or lacks the words for this hash, commit and pull request', async () => {
    const words = await stopped();
    const approvals: Readonly<Record<string, [comment: string, more?: Partial<Approval>]>> = {
      'one who rejects': [words, { state: 'rejected' }],
      'one for prod': [words, { environments: [{ name: 'prod' }] }],
      'one without words': ['fine'],
      'one for another hash': [words.replace(/[0-9a-f]{64}/, 'f'.repeat(64))],
      'one for another commit': [words.replace(HEAD, 'ddd444')],
      // As after a revert.
      'one for another pull request of the commit': [words.replace('#7 ', '#71 ')],
    };
    for (const [login, [comment, more]] of Object.entries(approvals))
      approve(comment, { user: { login }, ...more });
    isStopped(await judge(opening));
  });

  test('for another change of the commit: other guards at the tip, another stack, another before', async () => {
    approve(await stopped());
    api.files.set(`${BASE}:${FILE}`, '{ "gate": { "noNewAccess": true } }');
    api.files.set(`${HEAD}:${FILE}`, '{ "gate": { "noNewAccess": true } }');
    expect((await judge(opening)).outputs['outcome']).toBe('findings');
    api.files.delete(`${BASE}:${FILE}`);
    api.files.delete(`${HEAD}:${FILE}`);
    const ofProd = opening.replaceAll('pulumi:dev::', 'pulumi:prod::');
    expect((await judge(ofProd, { REVIEW_STACK: 'org/acme/prod' })).outputs['outcome']).toBe('findings');
    expect((await judge(opening.replaceAll('8.8.8.0/24', '8.8.9.0/24'))).outputs['outcome']).toBe('findings');
    expect((await judge(opening)).outputs['outcome']).toBe('clear');
  });

  test('that a forged check points to, and its verdict counts as little', async () => {
    const words = await stopped();
    const forged = {
      ...lastCheck(),
      conclusion: 'success',
      details_url: 'https://x.example/actions/runs/66',
    };
    api.checks.push(forged);
    approve(words, { run: '66', user: { login: 'bob' } });
    expect((await judge(opening)).outputs['outcome']).toBe('findings');
    expect(lastCheck()).toMatchObject({ conclusion: 'failure' });
  });
});

test('nobody can accept a change that no person can judge', async () => {
  const { outputs, summary } = await judge('{"steps":[]}');
  expect(outputs).toMatchObject({ outcome: 'not-decidable', 'can-be-accepted': 'false' });
  expect(summary).not.toMatch(/accept [0-9a-f]{64}/);
});

describe('a merge queue', () => {
  const queued = (preview: string): Promise<Judged> =>
    judge(
      preview,
      { GITHUB_RUN_ID: '88' },
      {
        ...{ event: 'merge_group', head_sha: QUEUED, head_branch: `gh-readonly-queue/main/pr-7-${BASE}` },
        ...{ actor: { login: 'github-merge-queue[bot]' }, triggering_actor: undefined },
      },
    );
  beforeEach(() => {
    api.commits.add(QUEUED);
    api.changes.set(QUEUED, [commitBy('bob', 'web-flow')]);
  });

  test('has a check on its commit, by the guards of its target, and no comment', async () => {
    api.files.set(`${BASE}:${FILE}`, '{ "gate": { "failOn": "medium" } }');
    api.files.set(`${QUEUED}:${FILE}`, '{ "gate": { "failOn": "medium" } }');
    await queued(affecting);
    expect(api.checks).toMatchObject([{ name: NAME, head_sha: QUEUED, conclusion: 'failure' }]);
    expect(api.comments).toEqual([]);
  });

  test('needs an acceptance of its own for anything else', async () => {
    approve(await stopped());
    const both = opening.replaceAll('8.8.8.0/24', '8.8.9.0/24');
    const first = await queued(both);
    expect(first.outputs['outcome']).toBe('findings');
    approve(wordsIn(first), { run: '88' });
    expect((await queued(both)).outputs['outcome']).toBe('clear');
  });

  test('is judged for the branch of the pull request that it names, and no other', async () => {
    api.pulls[0] = { ...pull, into: 'release/1' };
    const { log } = await queued(opening);
    expect([api.checks, log]).toEqual([[], expect.stringContaining('there is nothing to judge')]);
  });
});
