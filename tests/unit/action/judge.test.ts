import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { EXIT } from '../../../cli/src/command/context';
import { textOf } from '../../support/workspace';
import { PublisherServer } from '../../support/feeds/publisher-server';
import { feedTexts } from '../review/pinned-feeds';
import { added, previewText } from '../review/preview-builder';
import { rule } from '../review/inputs';
import { affecting, harmless, opening, program, stepsOf } from './action-folder';
import { BASE, HEAD, Judging, pull } from './judging';
import { type CheckRun, zipOf } from './stand-in-github';

const FILE = 'infra/edge-policy.assertions.json';
const UNREVIEWED = { conclusion: 'failure', output: { title: 'No review could be made.' } };
const STRICT = '{ "gate": { "failOn": "medium" } }';

const judging = new Judging();
const { api, judge } = judging;

test('an ordinary gain is commented with its commit, and the check of the commit succeeds', async () => {
  // A runner that does not tell the repository of an action gets no links.
  const untold = { REVIEW_PAGES: 'https://github.example//blob//docs' };
  const { exitCode, comment, outputs, summary, log } = await judge(affecting, untold);
  expect([exitCode, outputs['outcome']]).toEqual([0, 'clear']);
  expect(comment).not.toContain('/docs/');
  expect(summary).toContain('9.9.9.0/24');
  expect(summary).not.toContain('feed');
  expect(comment).toBe(
    `<!-- edge-policy-review org%2Facme%2Fdev -->\n${summary}\nReviewed commit: ${HEAD}, against main at ${BASE}\n`,
  );
  const run = 'https://github.example/acme/edge/actions/runs/77';
  expect(api.checks).toEqual([
    {
      ...{ name: 'access review: org/acme/dev into main', head_sha: HEAD },
      ...{ status: 'completed', conclusion: 'success', details_url: run },
      output: {
        title: `Nothing stops this change. Guards: main at ${BASE}.`,
        summary: `${summary}\n[The run that judged](${run})\n`,
        annotations: [
          {
            ...{ path: 'infra/index.ts', start_line: 2, end_line: 2, annotation_level: 'warning' },
            ...{
              title: 'medium: Addresses gain access',
              message: expect.stringContaining('9.9.9.0/24') as string,
            },
          },
        ],
      },
    },
  ]);
  expect(log).not.toContain('canary-token');
  // The storage that an artifact lies in gets no token.
  expect(api.requests.filter((request) => request.startsWith('GET /storage/'))).toEqual([
    'GET /storage/100 ',
  ]);
});

test('the arguments of the job, and the pages of the action at its own commit, reach the review', async () => {
  const pages = 'https://github.example/acme/action/blob/c0ffee/docs';
  const { comment, outputs } = await judge(affecting, {
    REVIEW_ARGUMENTS: '--ip-model\n\nallow-wins\n--fail-on=never',
    REVIEW_PAGES: pages,
  });
  expect(comment).toContain(`](${pages}/findings-access.md#access-widened)`);
  expect(JSON.parse(readFileSync(outputs['report'] ?? '', 'utf8'))).toMatchObject({
    ...{ formatVersion: 1, assumptions: { ipModel: 'allow-wins' }, verdict: { failOn: 'never' } },
  });
  expect(JSON.parse(readFileSync(outputs['plan'] ?? '', 'utf8'))).toHaveProperty('hash');
});

test('findings stand on their lines, at most fifty, the worst first, and none outside of the repository', async () => {
  const rules = Array.from({ length: 60 }, (_, at) =>
    added(`rule-${at}`, rule('9.9.0.0/16', 'allow', `ipp_${at + 2}`)),
  );
  const openIn = (policy: string, file: string) => ({
    ...added(policy, rule('0.0.0.0/0', 'allow', policy)),
    newState: { sourcePosition: `project:///${encodeURIComponent(file)}#9,1` },
  });
  await judge(
    previewText([...rules, openIn('ipp_0', '../../outside.ts'), openIn('ipp_1', 'a ::error::.ts')]),
  );
  const [{ output }] = api.checks as [CheckRun];
  expect(output.annotations).toHaveLength(50);
  expect(output.annotations[0]).toMatchObject({
    ...{ path: 'infra/a ::error::.ts', start_line: 9, end_line: 9, annotation_level: 'warning' },
    title: expect.stringMatching(/^critical: /) as string,
    message: expect.stringContaining('0.0.0.0/0') as string,
  });
  expect(output.annotations[49]).toMatchObject({ path: 'infra/index.ts' });
  expect(JSON.stringify(output.annotations)).not.toContain('outside.ts');
});

test('a commit without the bundle reviews nothing, and the reason is given', async () => {
  const bundle = path.join(judging.action, 'dist');
  renameSync(bundle, `${bundle}-away`);
  const { outputs, summary } = await judge(affecting);
  renameSync(`${bundle}-away`, bundle);
  expect(outputs['outcome']).toBe('not-reviewed');
  expect(summary).toContain(
    'No review could be made: this commit of the action does not contain the review; run `npm ci && npm run bundle:action`',
  );
});

test.each(Object.entries(EXIT))(
  'a review that ends as %s (%d): what it has written counts only if it is whole',
  async (name, code) => {
    const bundle = path.join(judging.action, 'dist/edge-policy.cjs');
    renameSync(bundle, `${bundle}-real`);
    const end = `process.once('exit', () => (process.exitCode = ${code}))`;
    writeFileSync(bundle, `${end}; require(__filename + '-real');`);
    const { outputs, summary } = await judge(harmless);
    renameSync(`${bundle}-real`, bundle);
    const isReview = ['done', 'attention', 'notDecidable'].includes(name);
    expect(outputs['outcome']).toBe(isReview ? 'clear' : 'not-reviewed');
    const isInterrupted = ['interrupted', 'terminated'].includes(name);
    expect(summary.includes('No review could be made: it was interrupted')).toBe(isInterrupted);
  },
);

test('no name of the stack is a command of the workflow', async () => {
  const { log } = await judge('::error::no preview');
  const [stopped = '', token = ''] = /::stop-commands::(\S+)/.exec(log) ?? [];
  expect(token).not.toBe('');
  const own = log.indexOf(stopped);
  expect(log.slice(0, own) + log.slice(log.indexOf(`::${token}::`))).not.toContain('::error::');
});

test.each([
  ['REVIEW_STACK', '<organization>/<stack>', '`stack`, which is still `<organization>/<stack>`'],
  ['REVIEW_BRANCHES', '<branch>', 'the workflow lacks `branches`, which is still `<branch>`'],
  ['REVIEW_DIRECTORY', 'infar', 'the `working-directory` of the workflow has no Pulumi.yaml'],
  ['REVIEW_STATE', 'state.json', 'exported no state: look at its log, and at its secret'],
  ['REVIEW_ASSERTIONS', '/etc/passwd', 'an assertion file must be in the repository'],
  ['REVIEW_ASSERTIONS', '../../x.json', 'an assertion file must be in the repository'],
])('what is missing or wrong in the workflow is named: %s: %s', async (variable, value, said) => {
  writeFileSync(path.join(judging.folder, 'state.json'), '');
  const { exitCode, comment, log } = await judge(harmless, { [variable]: value });
  expect(exitCode).toBe(1);
  expect(comment + log).toContain(said);
});

test('guards are those at the tip of the base, read from the service and not from the artifact', async () => {
  // The pull request was opened against an earlier commit of the branch.
  api.commits.add(pull.base);
  api.files.set(`${pull.base}:${FILE}`, '{}');
  api.files.set(`${BASE}:${FILE}`, STRICT);
  api.files.set(`${HEAD}:${FILE}`, '{}');
  const { outputs, comment, log } = await judge(affecting);
  expect(outputs['outcome']).toBe('findings');
  expect(comment).toContain('removes or weakens: `failOn`');
  expect(log).not.toContain('::notice::');
});

describe('the assertion file of the stack', () => {
  const OWN = 'infra/edge-policy.assertions.dev.json';

  test('counts with the common one; one that the change deletes is a weakened guard, also where others are named', async () => {
    api.files.set(`${BASE}:${OWN}`, STRICT);
    api.files.set(`${BASE}:infra/edge-policy.assertions.prod.json`, '{ "gate": { "noNewAccess": true } }');
    const { comment, outputs } = await judge(affecting, { REVIEW_ASSERTIONS: 'other.json' });
    expect(comment).toContain('removes or weakens: `failOn` `medium` (now `high`).');
    api.files.set(`${HEAD}:${OWN}`, STRICT);
    expect((await judge(affecting)).comment).not.toContain('removes or weakens');
    expect(outputs['outcome']).toBe('findings');
  });

  test('is refused where its name differs only in case', async () => {
    api.files.set(`${HEAD}:infra/edge-policy.assertions.Dev.json`, STRICT);
    expect((await judge(affecting)).comment).toContain(
      'differs only in case from edge-policy.assertions.json or edge-policy.assertions.dev.json',
    );
  });
});

test('an assertion that the change itself adds is checked', async () => {
  const assertion = { ipPolicyId: 'ipp_1', mustDeny: ['9.9.9.9'] };
  api.files.set(`${HEAD}:${FILE}`, JSON.stringify({ policies: [assertion] }));
  const { comment, log } = await judge(affecting);
  expect(comment).toContain('assertion-failed');
  expect(log).toContain(`::notice::The base has no ${path.basename(FILE)} yet: `);
});

test.each([
  ['the base', () => api.commits.delete(BASE)],
  ['the head', () => api.commits.delete(HEAD)],
  ['the tip of the branch', () => api.tips.delete('main')],
])('what cannot be read has no "no file": no review is made: %s', async (_, lose) => {
  lose();
  const { exitCode, comment } = await judge(affecting);
  expect(exitCode).toBe(1);
  expect(comment).toContain('No review could be made: GitHub did not return what is needed to make one');
  expect(api.checks).toMatchObject([{ head_sha: HEAD, ...UNREVIEWED }]);
});

describe('the pull request is found by its head', () => {
  test.each([
    ['a newer push makes the run moot', { head: 'ccc333' }],
    ['one of another repository with the same branch and commit is not it', { repository: 'acme/fork' }],
  ])('%s: no comment, no check', async (_, found) => {
    api.pulls[0] = { ...pull, ...found };
    const { exitCode, log } = await judge(opening);
    expect([exitCode, api.comments, api.checks]).toEqual([0, [], []]);
    expect(log).toContain('No open pull request has this commit as its head');
  });

  test('whatever number the artifact claims', async () => {
    const claiming = JSON.stringify({ ...(JSON.parse(opening) as object), pull_request: 8, number: 8 });
    await judge(claiming);
    expect(api.requests.filter((request) => request.startsWith('POST /repos/acme/edge/issues/'))).toEqual([
      expect.stringContaining('/issues/7/comments') as string,
    ]);
  });

  test('of several with one head each is judged by its own base, and has a check of its own', async () => {
    api.pulls.push({ ...pull, number: 8, into: 'release/1' });
    api.tips.set('release/1', 'ddd444');
    api.commits.add('ddd444');
    api.files.set(`${BASE}:${FILE}`, STRICT);
    api.files.set(`ddd444:${FILE}`, '{}');
    const { outputs } = await judge(affecting);
    expect(api.checks).toMatchObject([
      { head_sha: HEAD, conclusion: 'failure', name: 'access review: org/acme/dev into main' },
      { head_sha: HEAD, conclusion: 'success', name: 'access review: org/acme/dev into release/1' },
    ]);
    expect(outputs['outcome']).toBe('findings');
  });
});

describe('a verdict is about the branch, the commit and the stack that the job names', () => {
  test('a pull request against a branch that the job does not name is refused, and gives no green check', async () => {
    api.pulls[0] = { ...pull, into: 'mine' };
    api.tips.set('mine', BASE);
    const { exitCode, comment } = await judge(harmless);
    expect(exitCode).toBe(1);
    expect(comment).toContain(
      'No review could be made: this job judges changes of main, release/1 only, not those of other branches',
    );
    expect(api.checks).toMatchObject([{ ...UNREVIEWED, name: 'access review: org/acme/dev into mine' }]);
  });

  const urn = 'urn:pulumi:prod::acme::pulumi:pulumi:Stack::acme-prod';
  const ofProd = { deployment: { resources: [{ urn, type: 'pulumi:pulumi:Stack' }] } };
  const BELONGS = 'belongs to `acme/dev`, but the stack to review is `org/';
  test.each([
    ['a preview of another stack, without a state', 'acme/prod', undefined, BELONGS],
    ['a preview of another project, with an empty state', 'other/dev', { deployment: {} }, BELONGS],
    ['a state of another stack, even one that holds nothing of ours', 'acme/dev', ofProd, ''],
  ])('%s is refused', async (_, named, state, said) => {
    const file = path.join(judging.folder, 'state.json');
    writeFileSync(file, JSON.stringify(state ?? {}));
    const { outputs, comment } = await judge(previewText([added('new', rule('9.9.9.0/24'))]), {
      REVIEW_STACK: `org/${named}`,
      ...(state && { REVIEW_STATE: file }),
    });
    expect(outputs['outcome']).toBe('not-decidable');
    expect(comment).toContain(said && `${said}${named}\``);
    expect(api.checks).toMatchObject([{ conclusion: 'failure' }]);
  });

  test.each(['acme/dev', 'org/acme/dev/x', 'org//dev'])(
    'the name %s does not say which stack of which project it is, so nothing is judged',
    async (named) => {
      const { exitCode, log } = await judge(harmless, { REVIEW_STACK: named });
      expect(exitCode).toBe(1);
      expect(log).toContain('give the full name of the stack, as ORGANIZATION/PROJECT/STACK');
      expect(api.checks).toEqual([]);
    },
  );
});

describe('an artifact that anybody may have made', () => {
  const bomb = (): Buffer => zipOf({ 'preview.json': ' '.repeat(129 * 1024 * 1024) });
  test.each([
    ['no zip archive', () => Buffer.from('hello')],
    ['an empty one', () => Buffer.alloc(0)],
    ['noise', () => Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(500), Buffer.from('PK\x05\x06')])],
    ['an archive without the preview', () => zipOf({ '../preview.json': affecting })],
    ['an archive that unpacks to more than it may', bomb],
    [
      'an archive with offsets outside of it',
      () => {
        const archive = zipOf({ 'preview.json': affecting });
        archive.writeUInt32LE(0xfffffff0, archive.length - 6);
        return archive;
      },
    ],
  ])('is refused: %s', async (_, made) => {
    const { exitCode, comment } = await judge(made());
    expect(exitCode).toBe(1);
    expect(comment).toContain('No review could be made: the artifact of the preview cannot be read');
    expect(api.checks).toMatchObject([UNREVIEWED]);
  });

  test('is refused by its size before it is fetched', async () => {
    api.archiveSize = 1024 ** 3;
    const { comment } = await judge(affecting);
    expect(comment).toContain('the artifact of the preview is too large');
    expect(api.requests.some((request) => request.includes('/zip'))).toBe(false);
  });

  test('may be missing, which takes the place of the old comment', async () => {
    await judge(opening);
    const { comment } = await judge(undefined);
    expect(api.comments).toHaveLength(1);
    expect(comment).toContain('No review could be made: the preview left no artifact');
    expect(comment).not.toContain('open-to-all');
  });

  test('may hold no preview, or the shortest one: neither passes', async () => {
    await judge('[]');
    await judge('{"steps":[]}');
    expect(api.checks.map(({ output }) => output.title.split(':')[0])).toEqual([
      'No review could be made. Guards',
      'Not decidable',
    ]);
  });
});

test('nothing of a checkout is read or run: no assertion file, no settings of npm, no program beside the job', async () => {
  writeFileSync(
    path.join(judging.folder, 'edge-policy.assertions.json'),
    '{ "gate": { "failOn": "never" } }',
  );
  writeFileSync(path.join(judging.folder, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  for (const name of ['npm', 'npx', 'git', 'pulumi', 'edge-policy'])
    program(judging.folder, name, `touch ${judging.folder}/was-run; exit 1`);
  const { outputs } = await judge(opening);
  expect(outputs['outcome']).toBe('findings');
  expect(existsSync(path.join(judging.folder, 'was-run'))).toBe(false);
});

describe('published networks', () => {
  const [DECLARATIONS, LOCK] = ['edge-policy.feeds.json', 'edge-policy.feeds.lock.json'];
  const old = ['8.8.8.0/24'];
  const young = ['8.8.8.0/24', '9.9.9.0/24'];
  let publisher: PublisherServer;
  let elsewhere: PublisherServer;
  let url: string;
  beforeEach(async () => {
    [publisher, elsewhere] = [await PublisherServer.start(), await PublisherServer.start()];
    url = publisher.publish('/list', young.join('\n'));
  });
  const commit = (sha: string, place: string, networks: readonly string[], source: string = url): void => {
    const feed = { networks, source: { url: [source], format: 'text' }, checked: today };
    const texts = feedTexts({ cdn: feed });
    api.files.set(`${sha}:${place}${DECLARATIONS}`, texts.declarations);
    api.files.set(`${sha}:${place}${LOCK}`, texts.lock);
  };
  const today = new Date().toISOString().slice(0, 10);

  test('the job asks the publisher by the declaration of the base, which may lie at the root, once a lock changes', async () => {
    commit(BASE, '', old);
    commit(HEAD, '', old);
    await judge(harmless);
    expect(api.checks).toMatchObject([{ conclusion: 'success' }]);
    expect(publisher.requests).toBe(0);
    commit(HEAD, '', young);
    const { comment, outputs } = await judge(affecting);
    expect(outputs['outcome']).toBe('clear');
    expect(comment).toContain('`cdn`: 1 network more, 0 fewer, confirmed with the publisher.');
    expect(publisher.requests).toBe(1);
  });

  test('nothing that the change declares is ever fetched, in whichever folder it declares it', async () => {
    const evil = elsewhere.publish('/list', young.join('\n'));
    publisher.publish('/list', old.join('\n'));
    commit(BASE, '', old);
    commit(HEAD, 'infra/', young, evil);
    const { comment } = await judge(affecting);
    expect(comment).toContain('guard-weakened');
    expect(comment.split('<details>')[0]).toContain(
      'its publisher does not list `9.9.9.0/24` (256 addresses)',
    );
    expect(api.checks).toMatchObject([{ conclusion: 'failure' }]);
    expect(publisher.requests).toBe(1);
    api.files.delete(`${BASE}:${DECLARATIONS}`);
    await judge(affecting);
    expect(publisher.requests).toBe(1);
    expect(elsewhere.requests).toBe(0);
  });

  test('a lock that is larger than any leaves the change without a review', async () => {
    commit(BASE, '', old);
    commit(HEAD, '', young);
    api.files.set(`${HEAD}:${LOCK}`, ' '.repeat(17 * 1024 * 1024));
    await judge(affecting);
    expect(api.checks).toMatchObject([UNREVIEWED]);
  });
});

test('the action that judges and the workflow that calls it give no code of the change a chance to run', () => {
  const workflow = textOf('cli/templates/access-review.yml');
  expect(workflow).toContain('workflow_run:');
  expect(workflow).not.toMatch(/checkout|npm |setup-node|run-id|github\.head_ref/);
  const preview = textOf('cli/templates/access-preview.yml');
  expect(preview).not.toMatch(/: write|pull_request_target|API_KEY/);
});

test('the one step with the token runs one script of ours', () => {
  const withToken = stepsOf('action/judge/action.yml').filter((step) => step.includes('github-token'));
  expect(withToken).toEqual([
    expect.stringContaining('run: node "$REVIEW_ACTION_PATH/../judge.mjs"') as string,
  ]);
});

test('no job is killed before a review that cannot be made has replaced the old comment', () => {
  const workflow = textOf('cli/templates/access-review.yml');
  const jobs = workflow.split(/^ {2}[\w-]+:$/m).filter((part) => part.includes('    steps:'));
  expect(jobs).toHaveLength(2);
  for (const job of jobs) {
    const [head = '', ...steps] = job.split(/^ {6}- /m);
    const minutes = (text: string) => Number(/timeout-minutes: (\d+)/.exec(text)?.[1]);
    // A step without a limit of its own would make this no number.
    expect(steps.reduce((sum, step) => sum + minutes(step), 0)).toBeLessThan(minutes(head));
    const last = steps.at(-1) ?? '';
    expect(last).toContain('<owner>/<repository>');
    expect(last).toContain('if: ${{ always() }}');
  }
});
