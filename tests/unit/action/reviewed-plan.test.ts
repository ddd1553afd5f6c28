import { readFileSync } from 'node:fs';
import { affecting, opening, type StepRun } from './action-folder';
import { BASE, HEAD, Judging, pull } from './judging';
import type { CheckRun } from './stand-in-github';

const PUSHED = 'eee555';
const MERGED = { ...pull, merged: PUSHED };

const judging = new Judging();
const { api } = judging;

const hashIn = (file = ''): unknown => (JSON.parse(readFileSync(file, 'utf8')) as { hash: string }).hash;

/** Judges the pull request, and merges it by a commit of its own, as a squash does; answers the hash of its plan. */
async function reviewed(preview: string): Promise<unknown> {
  const run = await judging.judge(preview);
  judging.upload(run);
  api.pulls[0] = MERGED;
  return hashIn(run.outputs['plan']);
}

const reviewedOnce = judging.once(() => reviewed(affecting));
/** A review that passes, and the merge. */
async function passed(): Promise<unknown> {
  const hash = await reviewedOnce();
  api.pulls[0] = MERGED;
  return hash;
}

const find = (more: Readonly<Record<string, string>> = {}): Promise<StepRun> =>
  judging.step('reviewed-plan.mjs', {
    ...{ GITHUB_SHA: PUSHED, GITHUB_REF_NAME: 'main', REVIEW_WORKFLOW: 'access-review.yml' },
    ...more,
  });

test('the plan of a push is that of the pull request that it merged', async () => {
  const hash = await passed();
  const found = await find();
  expect(found.exitCode).toBe(0);
  expect(hashIn(found.outputs['plan'])).toBe(hash);
});

test('a commit of a merge queue has its own', async () => {
  const QUEUED = {
    event: 'merge_group',
    head_sha: PUSHED,
    head_branch: 'gh-readonly-queue/main/pr-7-bbb222',
  };
  api.commits.add(PUSHED);
  const run = await judging.judge(affecting, {}, QUEUED);
  judging.upload(run);
  api.pulls[0] = MERGED;
  expect(hashIn((await find()).outputs['plan'])).toBe(hashIn(run.outputs['plan']));
});

test.each(
  Object.entries<[why: string, change: () => unknown]>({
    'a push without a pull request': ['no pull request brought eee555', () => (api.pulls[0] = pull)],
    'a pull request into another branch': [
      'no pull request brought eee555',
      () => (api.pulls[0] = { ...MERGED, into: 'release/1' }),
    ],
    'no run': ['no run has judged the pull request', () => api.checks.splice(0)],
    'a run of another workflow, which anybody can name in a check': [
      'no run has judged the pull request',
      () => api.runs.set('77', { path: '.github/workflows/mine.yml' }),
    ],
    'a run of the change’s own workflow of that name': [
      'no run has judged the pull request',
      () => api.runs.set('77', { event: 'pull_request' }),
    ],
    'a run of a fork': [
      'no run has judged the pull request',
      () => api.runs.set('77', { head_repository: { full_name: 'evil/edge' } }),
    ],
    'a check that names the run about another commit': [
      'no run has judged the pull request',
      () => {
        api.pulls[0] = { ...MERGED, head: 'fff666' };
        api.checks.push(...api.checks.map((check) => ({ ...check, head_sha: 'fff666' })));
      },
    ],
  }),
)('nothing is applied after %s', async (_what, [why, change]) => {
  await passed();
  change();
  const { exitCode, outputs, log } = await find();
  expect([exitCode, outputs]).toEqual([1, {}]);
  expect(log).toMatch(new RegExp(`::error::Nothing is applied: .*${why}`));
});

test('nothing is applied that the gate stopped, or of another stack', async () => {
  await reviewed(opening);
  expect((await find()).log).toContain(`the review of ${HEAD} stopped the change`);
  expect((await find({ REVIEW_STACK: 'org/acme/prod' })).log).toContain('no run has judged the pull request');
});

test('the newest review counts, whichever run the newest checks name, and however many', async () => {
  await passed();
  const [first] = api.checks as [CheckRun];
  api.pulls[0] = pull;
  api.files.set(`${BASE}:infra/edge-policy.assertions.json`, '{ "gate": { "failOn": "low" } }');
  judging.upload(await judging.judge(affecting, { GITHUB_RUN_ID: '78' }), '78');
  api.pulls[0] = MERGED;
  api.checks.push(...Array.from({ length: 150 }, () => first));
  expect((await find()).log).toContain(`the review of ${HEAD} stopped the change`);
});
