import { readFileSync } from 'node:fs';
import { affecting, harmless, opening, type StepRun } from './action-folder';
import { Judging } from './judging';
import { type Comment, zipOf } from './stand-in-github';

const judging = new Judging();
const { api } = judging;

/** Runs the job that merges what those of a matrix have left. */
const summarise = (stacks: string) =>
  judging.step('summary.mjs', {
    ...{ GITHUB_RUN_ID: '77', GITHUB_WORKFLOW: 'review' },
    ...{ REVIEW_PULL_REQUESTS: '7', REVIEW_COMMIT: 'abc123', REVIEW_STACKS: stacks },
  });

/** What the job of a stack leaves for it, which comments nothing itself. */
async function left(stack: string, preview: string): Promise<StepRun> {
  const run = await judging.judge(preview, { REVIEW_STACK: `org/acme/${stack}`, REVIEW_COMMENT: 'false' });
  judging.upload(run);
  return run;
}

test('several stacks share one comment, a line each and the worst first', async () => {
  await left('dev', harmless);
  const prod = await left('prod', opening.replaceAll('pulumi:dev::', 'pulumi:prod::'));
  await left('test', 'no preview');
  expect(api.comments).toEqual([]);
  const stacks = 'org/acme/dev\norg/acme/prod\norg/acme/test\norg/acme/lost';
  expect((await summarise(stacks)).exitCode).toBe(0);
  const [{ body }] = api.comments as [Comment];
  expect(body.split('\n').filter((line) => line.startsWith('- `'))).toEqual([
    '- `org/acme/test` 🔴 **No review could be made: it ended with an error, which is in the log of the job.** The effect of this change is unknown.',
    '- `org/acme/lost` 🔴 **No review could be made: its job left no report.** The effect of this change is unknown.',
    expect.stringMatching(/^- `org\/acme\/prod` 🔴 \*\*A whole address family is let in\. /) as string,
    '- `org/acme/dev` 🟢 **This change does not affect access.**',
  ]);
  const report = readFileSync(prod.outputs['markdown'] ?? '', 'utf8');
  expect(body).toContain(`<details><summary>org/acme/prod</summary>\n\n${report}\n</details>`);
  await summarise(stacks);
  expect(api.comments).toHaveLength(1);
});

test('stacks that a change does not affect get no comment, and too long a report only its line', async () => {
  await left('dev', harmless);
  await summarise('org/acme/dev');
  expect(api.comments).toEqual([]);
  const { outputs } = await left('dev', affecting);
  const files = {
    '7/report.json': readFileSync(outputs['report'] ?? '', 'utf8'),
    '7/report.md': `🟡 **Access changes.**\n${'x'.repeat(70_000)}`,
  };
  api.artifacts.set('77/access-review-org~acme~dev', zipOf(files, { isStored: true }));
  await summarise('org/acme/dev');
  expect(api.comments[0]?.body).toContain(
    '- `org/acme/dev` 🟡 **Access changes.**\n\nToo long for a comment',
  );
});
